//! A parameter that a scenario file leaves without effect.

/// A parameter whose settings a scenario file has all replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Replaced {
    pub(crate) parameter: String,
    /// The keys of the file that have replaced it.
    pub(crate) keys: Vec<&'static str>,
}

impl Replaced {
    /// The keys that replaced it, as written in the file.
    pub(crate) fn by(&self) -> String {
        let written = |key: &&str| match *key {
            "duration" => "`duration`".to_owned(),
            "flows" | "faults" => format!("[[{key}]]"),
            key => format!("[{key}]"),
        };
        let keys: Vec<String> = self.keys.iter().map(written).collect();
        match keys.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => "the file".to_owned(),
        }
    }
}
