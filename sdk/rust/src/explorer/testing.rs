//! Tests of explorers outside a sandbox: a host that answers from a list.

use std::cell::RefCell;

use super::{Budget, Candidate, Failure, Hit, Host, MemoryType, Reply, Request};

/// Builds a candidate whose body repeats its title.
pub fn candidate(id: &str, title: &str) -> Candidate {
    Candidate {
        id: id.to_owned(),
        category: "learning".to_owned(),
        kind: "convention".to_owned(),
        title: title.to_owned(),
        body: title.to_owned(),
        confidence: 0.8,
        tags: Vec::new(),
        evidence: Vec::new(),
        attrs: Vec::new(),
    }
}

/// Builds a hit for this text in this file.
pub fn hit(path: &str, snippet: &str) -> Hit {
    Hit {
        id: path.to_owned(),
        path: path.to_owned(),
        score: 1.0,
        snippet: snippet.to_owned(),
        attrs: Vec::new(),
    }
}

/// A host whose memory is a list: a query finds each hit whose snippet contains one of its words. Models return the
/// replies in turn, and `not-granted` when none are left.
#[derive(Debug, Default)]
pub struct ScriptedHost {
    pub hits: Vec<Hit>,
    pub memory_types: Vec<MemoryType>,
    pub settings: Vec<(String, String)>,
    pub replies: RefCell<Vec<String>>,
    /// Logged messages with their level.
    pub logged: RefCell<Vec<(String, String)>>,
}

impl Host for ScriptedHost {
    fn find(
        &self,
        query: &str,
        limit: u32,
        _filter: &[(String, String)],
    ) -> Result<Vec<Hit>, Failure> {
        let query = query.to_lowercase();
        let speaks = |hit: &&Hit| {
            let snippet = hit.snippet.to_lowercase();
            query.split_whitespace().any(|word| snippet.contains(word))
        };
        let found = self.hits.iter().filter(speaks);
        Ok(found.take(limit as usize).cloned().collect())
    }

    fn memory_types(&self) -> Vec<MemoryType> {
        self.memory_types.clone()
    }

    fn setting(&self, key: &str) -> Option<String> {
        let found = self.settings.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.clone())
    }

    fn log(&self, level: &str, message: &str) {
        let line = (level.to_owned(), message.to_owned());
        self.logged.borrow_mut().push(line);
    }

    fn left(&self) -> Budget {
        Budget {
            calls_left: u32::try_from(self.replies.borrow().len()).unwrap_or(u32::MAX),
            tokens_left: u64::MAX,
        }
    }

    fn complete_all(&self, requests: &[Request]) -> Vec<Result<Reply, Failure>> {
        let mut replies = self.replies.borrow_mut();
        let answer = |_: &Request| {
            if replies.is_empty() {
                return Err(Failure::new("not-granted", "no reply is left"));
            }
            Ok(Reply {
                content: replies.remove(0),
                input_tokens: 0,
                output_tokens: 0,
                cached: false,
            })
        };
        requests.iter().map(answer).collect()
    }
}
