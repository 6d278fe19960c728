//! The output of errors.

#[cfg(feature = "fancy-errors")]
use std::fmt::Display;
use std::io::{self, Write};

use everypath_report::escape_controls;
use miette::Diagnostic;
#[cfg(feature = "fancy-errors")]
use thiserror::Error;

#[cfg(any(test, not(feature = "fancy-errors")))]
use super::wrapping::wrapped;
use crate::error::CliError;

/// Prints an error to the standard error.
pub(crate) fn complain(error: CliError) {
    let _ = writeln!(io::stderr(), "{}", Complaint::from(error).shown());
}

/// An error that is safe for a terminal: foreign files and protocols contribute to its text.
#[derive(Debug)]
#[cfg_attr(feature = "fancy-errors", derive(Error), error("{words}"))]
struct Complaint {
    words: String,
    help: Option<String>,
}

impl From<CliError> for Complaint {
    fn from(error: CliError) -> Self {
        let shown = |text: &str| escape_controls(text, &["\n"]).into_owned();
        let help = error.help().map(|help| shown(&help.to_string()));
        Self { words: shown(&error.to_string()), help }
    }
}

#[cfg(feature = "fancy-errors")]
impl Diagnostic for Complaint {
    fn help<'a>(&'a self) -> Option<Box<dyn Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn Display>)
    }
}

impl Complaint {
    #[cfg(feature = "fancy-errors")]
    fn shown(self) -> String {
        format!("{:?}", miette::Report::new(self))
    }

    #[cfg(not(feature = "fancy-errors"))]
    fn shown(self) -> String {
        self.plain()
    }

    /// Without colours, and no wider than pages are.
    #[cfg(any(test, not(feature = "fancy-errors")))]
    fn plain(&self) -> String {
        let mut text = wrapped(&self.words, "  × ", "  │ ");
        if let Some(help) = &self.help {
            text += &wrapped(help, "  help: ", "        ");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(words: &str, help: Option<&str>) -> Complaint {
        Complaint { words: words.to_owned(), help: help.map(str::to_owned) }
    }

    #[test]
    fn plain_errors_tell_what_is_wrong_where_and_what_to_do() {
        let error = CliError::ScenarioFile {
            what: "manet.toml:12:1: there is no key `radio.rnage`".to_owned(),
            help: Some("did you mean `range`?".to_owned()),
        };
        assert_eq!(
            Complaint::from(error).plain(),
            "  × manet.toml:12:1: there is no key `radio.rnage`\n  help: did you mean `range`?\n"
        );
        let error = CliError::Unprinted { error: io::Error::other("the \u{1b}[1mdisk is full") };
        assert_eq!(
            Complaint::from(error).plain(),
            "  × cannot print: the \\u{1b}[1mdisk is full\n  \
             help: the results were not printed, or only in part: run it again where they\n        \
             can be\n"
        );
        assert_eq!(complaint("no help", None).plain(), "  × no help\n");
    }

    /// Pages that were written with decorated errors show plain ones too.
    #[cfg(feature = "fancy-errors")]
    #[test]
    fn plain_errors_are_laid_out_as_decorated_ones() {
        use miette::{GraphicalReportHandler, GraphicalTheme};

        let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor());
        let handler = handler.with_width(80);
        let long = "b".repeat(200);
        let lines = "run.jsonl:3: the run differs from here on\nrecorded: a message that is lost on its way to the other node\n     now: nothing";
        let texts = [
            "there is no scenario `arq-3`",
            "run.checkpoint is a checkpoint of another search: it was saved with max-depth=3 and not with max-depth=4; make them the same, or start from scratch",
            "a word that ends a line, and then one that begins the next. Exactly sevens",
            "exactly so much that the last word is the first that has no room lef there",
            lines,
            &long,
            &format!("a word that is too long: {long} and another: {long}"),
        ];
        for (text, help) in texts.iter().zip(texts.iter().cycle().skip(1)) {
            let complaint = complaint(text, Some(help));
            let mut decorated = String::new();
            handler.render_report(&mut decorated, &complaint).unwrap();
            assert_eq!(complaint.plain(), decorated);
        }
    }
}
