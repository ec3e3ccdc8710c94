//! An open result on the thread that reads it: a statement that stands at a row. Gives page after
//! page, never holding more than one page and one row.

use rusqlite::Statement;

use crate::Value;
use crate::limits::{Allowance, DatabaseLimits, PAGE_BYTES};

/// What one call may give.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PageSize {
    pub(crate) rows: u32,
    pub(crate) bytes: u32,
}

/// Rows in their order.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) rows: Vec<Vec<Value>>,
    /// There are no more after these.
    pub(crate) is_last: bool,
}

pub(crate) struct OpenResult<'connection> {
    statement: Statement<'connection>,
    /// A row that was read but did not fit into the page before.
    held: Option<Row>,
}

struct Row {
    values: Vec<Value>,
    weight: u64,
}

/// Why a page could not be given.
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

    /// The next rows: at least one, if there is one left and the allowance suffices for it. Must
    /// not be asked again after the last page or an error.
    pub(crate) fn page(
        &mut self,
        size: PageSize,
        limits: &DatabaseLimits,
        left: &mut Allowance,
    ) -> Result<Page, PageError> {
        let mut rows = Vec::new();
        let mut room = u64::from(size.bytes).min(PAGE_BYTES);
        while (rows.len() as u64) < u64::from(size.rows.max(1)) {
            let next = match self.held.take() {
                Some(row) => Some(row),
                None => self.step(limits)?,
            };
            let Some(row) = next else {
                return Ok(Page {
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
        Ok(Page {
            rows,
            is_last: false,
        })
    }

    /// Reads one row; `None` after the last one.
    fn step(&mut self, limits: &DatabaseLimits) -> Result<Option<Row>, PageError> {
        let columns = self.statement.column_count();
        let mut rows = self.statement.raw_query();
        let Some(row) = rows.next().map_err(PageError::Sqlite)? else {
            return Ok(None);
        };
        let row = Row::read(row, columns, limits)?;
        // Dropped, it would rewind the statement; the next step goes on from here.
        std::mem::forget(rows);
        Ok(Some(row))
    }
}

impl Row {
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
    /// Why the row may not be handed out any more.
    fn refusal(&self, row: &Row, limits: &DatabaseLimits) -> Option<PageError> {
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
