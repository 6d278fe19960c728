//! XML piece by piece, with line numbers and a limit on the size of a piece.

use std::{
    borrow::Cow,
    io::{self, BufRead, Read},
};

use quick_xml::{
    Error, Reader, XmlVersion,
    events::{BytesStart, Event},
};

use crate::{FormatError, Limits, Problem};

/// The pieces of an XML file.
pub(crate) struct Xml<R> {
    reader: Reader<Counted<R>>,
    buffer: Vec<u8>,
    longest: usize,
    depth: usize,
}

/// One piece.
pub(crate) enum Piece<'a> {
    /// An element begins.
    Begin(Element<'a>),
    /// The element of this depth ends.
    End(usize),
    /// Text, or a part of it.
    Text(Cow<'a, str>),
    /// A comment or the like.
    Other,
}

/// The beginning of an element.
pub(crate) struct Element<'a> {
    /// Where it is in the file.
    pub(crate) line: u64,
    /// 1 for the outermost.
    pub(crate) depth: usize,
    start: BytesStart<'a>,
}

impl Element<'_> {
    /// Its name, without a prefix.
    pub(crate) fn name(&self) -> &str {
        self.start.local_name().into_inner()
    }

    /// An attribute, if present.
    pub(crate) fn attribute(&self, name: &str) -> Result<Option<Cow<'_, str>>, FormatError> {
        let wrong = |what: String| FormatError::at(self.line, Problem::Xml(what));
        for attribute in self.start.attributes() {
            let attribute = attribute.map_err(|error| wrong(error.to_string()))?;
            if attribute.key.into_inner() == name {
                let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                return value.map(Some).map_err(|error| wrong(error.to_string()));
            }
        }
        Ok(None)
    }

    /// A required attribute.
    pub(crate) fn needed(&self, name: &str) -> Result<Cow<'_, str>, FormatError> {
        self.attribute(name)?.ok_or_else(|| {
            let what = format!("the attribute `{name}` of <{}>", self.name());
            self.error(Problem::Missing { what, remedy: "write the file with it".to_owned() })
        })
    }

    /// An error at this element.
    pub(crate) fn error(&self, problem: Problem) -> FormatError {
        FormatError::at(self.line, problem)
    }
}

impl<R: BufRead> Xml<R> {
    pub(crate) fn new(input: R, limits: &Limits) -> Self {
        let longest = limits.line_bytes;
        let mut reader = Reader::from_reader(Counted { input, lines: 0, left: longest });
        // Every element that begins then also ends.
        reader.config_mut().expand_empty_elements = true;
        Self { reader, buffer: Vec::new(), longest, depth: 0 }
    }

    /// The line in which the next piece begins.
    pub(crate) fn line(&self) -> u64 {
        self.reader.get_ref().lines + 1
    }

    /// The next piece; `None` at the end of the file, which must not be within an element.
    pub(crate) fn next(&mut self) -> Result<Option<Piece<'_>>, FormatError> {
        let line = self.line();
        self.buffer.clear();
        self.reader.get_mut().left = self.longest;
        let event = match self.reader.read_event_into(&mut self.buffer) {
            Ok(event) => event,
            Err(_) if self.reader.get_ref().left == 0 => {
                return Err(FormatError::at(line, Problem::Long(self.longest)));
            }
            Err(Error::Io(error)) => {
                let error = io::Error::new(error.kind(), error.to_string());
                return Err(FormatError::at(line, error));
            }
            Err(Error::Encoding(_)) => return Err(FormatError::at(line, Problem::NotText)),
            Err(error) => return Err(FormatError::at(line, Problem::Xml(error.to_string()))),
        };
        let piece = match event {
            Event::Start(start) => {
                self.depth += 1;
                Piece::Begin(Element { line, depth: self.depth, start })
            }
            Event::End(_) => {
                self.depth -= 1;
                Piece::End(self.depth + 1)
            }
            Event::Text(text) => Piece::Text(text.xml10_content()),
            Event::CData(text) => Piece::Text(text.xml10_content()),
            // Text is only parsed as a number, which this makes invalid.
            Event::GeneralRef(_) => Piece::Text(Cow::Borrowed("&")),
            Event::Eof if self.depth == 0 => return Ok(None),
            Event::Eof => {
                let what = "it ends within an element".to_owned();
                return Err(FormatError::at(line, Problem::Xml(what)));
            }
            _ => Piece::Other,
        };
        Ok(Some(piece))
    }
}

/// An input that counts lines, and limits the size of a piece.
struct Counted<R> {
    input: R,
    lines: u64,
    /// The remaining bytes of the present piece.
    left: usize,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut available = self.fill_buf()?;
        let read = available.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let available = self.input.fill_buf()?;
        if self.left == 0 && !available.is_empty() {
            return Err(io::Error::other("too long"));
        }
        Ok(&available[..available.len().min(self.left)])
    }

    fn consume(&mut self, amount: usize) {
        // The buffer still has this content, so this reads nothing.
        if let Ok(available) = self.input.fill_buf() {
            let taken = &available[..amount.min(available.len())];
            self.lines += taken.iter().filter(|byte| **byte == b'\n').count() as u64;
        }
        self.left -= amount.min(self.left);
        self.input.consume(amount);
    }
}
