//! An open result on its reading thread: a statement positioned at a row. Returns pages, and never holds more than one
//! page and one row.

use rusqlite::Statement;

use crate::Value;
use crate::limits::{Allowance, DatabaseLimits, PAGE_BYTES};

/// Size limit of one page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageSize {
    pub(crate) rows: u32,
    pub(crate) bytes: u32,
}

/// A page of rows, in order.
#[derive(Debug)]
pub(crate) struct RowPage {
    pub(crate) rows: Vec<Vec<Value>>,
    /// True if no rows follow.
    pub(crate) is_last: bool,
}

pub(crate) struct OpenResult<'connection> {
    statement: Statement<'connection>,
    /// A row that was read but did not fit into the previous page.
    held: Option<PageRow>,
}

struct PageRow {
    values: Vec<Value>,
    weight: u64,
}

/// Reason why no page could be returned.
pub(crate) enum PageError {
    Sqlite(rusqlite::Error),
    Limit { limit: &'static str, allowed: u64 },
}

impl<'connection> OpenResult<'connection> {
    pub(crate) fn new(statement: Statement<'connection>) -> Self {
        Self {
            statement,
            held: None,
        }
    }

    /// Returns the next rows: at least one, if one is left and the allowance suffices. Must not be called after the
    /// last page or an error.
    pub(crate) fn page(
        &mut self,
        size: PageSize,
        limits: &DatabaseLimits,
        left: &mut Allowance,
    ) -> Result<RowPage, PageError> {
        let mut rows = Vec::new();
        let mut room = u64::from(size.bytes).min(PAGE_BYTES);
        while (rows.len() as u64) < u64::from(size.rows.max(1)) {
            let next = match self.held.take() {
                Some(row) => Some(row),
                None => self.step(limits)?,
            };
            let Some(row) = next else {
                return Ok(RowPage {
                    rows,
                    is_last: true,
                });
            };
            let fits = row.weight <= room || rows.is_empty();
            let refusal = left.refusal(&row, limits);
            if !fits || refusal.is_some() {
                self.held = Some(row);
                match refusal {
                    Some(refusal) if rows.is_empty() => return Err(refusal),
                    _ => break,
                }
            }
            left.rows -= 1;
            left.bytes -= row.weight;
            room = room.saturating_sub(row.weight);
            rows.push(row.values);
        }
        Ok(RowPage {
            rows,
            is_last: false,
        })
    }

    /// Reads one row; `None` after the last one.
    fn step(&mut self, limits: &DatabaseLimits) -> Result<Option<PageRow>, PageError> {
        let columns = self.statement.column_count();
        let mut rows = self.statement.raw_query();
        let Some(row) = rows.next().map_err(PageError::Sqlite)? else {
            return Ok(None);
        };
        let row = PageRow::read(row, columns, limits)?;
        // Dropping it would reset the statement; the next step continues from here.
        std::mem::forget(rows);
        Ok(Some(row))
    }
}

impl PageRow {
    fn read(
        row: &rusqlite::Row<'_>,
        columns: usize,
        limits: &DatabaseLimits,
    ) -> Result<Self, PageError> {
        let mut values = Vec::with_capacity(columns);
        let mut weight: u64 = 0;
        for column in 0..columns {
            let value = row.get_ref(column).map_err(PageError::Sqlite)?;
            weight += Value::weight(value);
            if weight > u64::from(limits.value_bytes) {
                return Err(PageError::Limit {
                    limit: "bytes in one row",
                    allowed: u64::from(limits.value_bytes),
                });
            }
            values.push(Value::from(value));
        }
        Ok(Self { values, weight })
    }
}

impl Allowance {
    /// Returns the limit that the row exceeds, if any.
    fn refusal(&self, row: &PageRow, limits: &DatabaseLimits) -> Option<PageError> {
        let (limit, allowed) = if self.rows == 0 {
            ("rows", limits.rows)
        } else if self.bytes < row.weight {
            ("bytes", limits.bytes)
        } else {
            return None;
        };
        Some(PageError::Limit { limit, allowed })
    }
}
