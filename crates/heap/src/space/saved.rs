//! The content of a space in a checkpoint.

use std::io::{self, Read, Write};

use everypath_explore::{Identity, Mismatch, Saved};

use super::{NO_STATE, SubjectSpace};
use crate::{
    Matching,
    layout::{Layout, shape_of},
    shapes::{SavedShapes, Shapes},
};

/// At most how many items are reserved before they are read: a damaged length takes no memory.
const RESERVE_MAX: usize = 1 << 16;

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the saved states are damaged")
}

fn put<const N: usize>(
    out: &mut dyn Write,
    items: impl ExactSizeIterator<Item = [u8; N]>,
) -> io::Result<()> {
    out.write_all(&(items.len() as u64).to_le_bytes())?;
    items.into_iter().try_for_each(|item| out.write_all(&item))
}

fn get<const N: usize, T>(input: &mut dyn Read, of: impl Fn([u8; N]) -> T) -> io::Result<Vec<T>> {
    let mut length = [0; 8];
    input.read_exact(&mut length)?;
    let length = usize::try_from(u64::from_le_bytes(length)).map_err(|_| damaged())?;
    let mut items = Vec::with_capacity(length.min(RESERVE_MAX));
    let mut item = [0; N];
    for _ in 0..length {
        input.read_exact(&mut item)?;
        items.push(of(item));
    }
    Ok(items)
}

fn put_text(out: &mut dyn Write, text: &str) -> io::Result<()> {
    put(out, text.bytes().map(|byte| [byte]))
}

fn get_text(input: &mut dyn Read) -> io::Result<String> {
    String::from_utf8(get(input, |[byte]: [u8; 1]| byte)?).map_err(|_| damaged())
}

impl SubjectSpace {
    /// What must be equal in the space that was saved. The mode may differ: ids do not depend on it.
    fn identity(&self) -> Identity {
        let outline = &self.outline;
        let classes = outline.classes.iter().map(|class| format!("{class:?}")).collect::<String>();
        let facts = [
            ("subject", outline.name.clone()),
            ("bound", self.settings.bound.to_string()),
            ("values", self.settings.values.to_string()),
            ("matching", format!("{:?}", self.settings.matching)),
            ("classes", classes),
            ("calls", self.calls.iter().map(|call| self.call_text(call)).collect()),
        ];
        facts.map(|(name, value)| (name.to_owned(), value)).to_vec()
    }

    /// Rebuilds what follows from the rows.
    fn rebuild(&mut self) -> io::Result<()> {
        let rows = self.tables.store.len() as u32;
        let mut first_of = vec![NO_STATE; self.tables.shapes.len()];
        for number in 0..rows {
            let row = self.tables.store.row(number);
            let shape = shape_of(row);
            let is_known = (shape as usize) < self.tables.shapes.len()
                && self.tables.shapes.known_public(shape).is_some();
            if !is_known || !self.tables.shape_fits(row) {
                return Err(damaged());
            }
            let first = &mut first_of[shape as usize];
            *first = number.min(*first);
        }
        if let Matching::Shape { .. } = self.settings.matching {
            self.first_of = first_of;
        }
        self.violating.clear();
        self.new = (0..rows).collect();
        self.judge_new();
        Ok(())
    }
}

impl super::Tables {
    /// Whether a row has no bits after its data, and a fault is one.
    fn shape_fits(&self, row: &[u64]) -> bool {
        let layout = self.store.layout();
        let slots = self.shapes.slots(shape_of(row));
        let is_clean = slots <= layout.slots()
            && (slots..layout.slots()).all(|slot| layout.get(row, slot) == 0);
        is_clean && (shape_of(row) != super::FAULT_SHAPE || layout.get(row, 0) < 9)
    }
}

impl Saved for SubjectSpace {
    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let identity = self.identity();
        out.write_all(&[identity.len() as u8])?;
        for (name, value) in &identity {
            put_text(out, name)?;
            put_text(out, value)?;
        }
        let layout = self.tables.store.layout();
        out.write_all(&layout.bits.to_le_bytes())?;
        out.write_all(&(layout.words as u32).to_le_bytes())?;
        let (tokens, ends, public) = self.tables.shapes.to_save();
        put(out, tokens.iter().map(|token| token.to_le_bytes()))?;
        put(out, ends.iter().map(|(end, _)| end.to_le_bytes()))?;
        put(out, ends.iter().map(|(_, slots)| slots.to_le_bytes()))?;
        put(out, public.iter().map(|public| public.to_le_bytes()))?;
        put(out, self.tables.store.words().iter().map(|word| word.to_le_bytes()))?;
        let counters = &self.counters;
        put(
            out,
            [counters.executions, counters.paths, counters.unchanged]
                .iter()
                .map(|it| it.to_le_bytes()),
        )?;
        put(out, self.machines.tracked.coverage.counts().iter().map(|it| it.to_le_bytes()))
    }

    fn restore(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let mut facts = [0];
        input.read_exact(&mut facts)?;
        let mut saved = Identity::new();
        for _ in 0..facts[0] {
            saved.push((get_text(input)?, get_text(input)?));
        }
        if let Some(mismatch) = Mismatch::between(&saved, &self.identity()) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, mismatch));
        }
        let mut number = [0; 4];
        input.read_exact(&mut number)?;
        let bits = u32::from_le_bytes(number);
        input.read_exact(&mut number)?;
        let words = u32::from_le_bytes(number) as usize;
        if !matches!(bits, 4 | 8 | 16 | 32) || !(1..=crate::machine::CELLS_MAX).contains(&words) {
            return Err(damaged());
        }
        let tokens = get(input, u16::from_le_bytes)?;
        let ends = get(input, u32::from_le_bytes)?;
        let slots = get(input, u16::from_le_bytes)?;
        let public = get(input, u32::from_le_bytes)?;
        let rows = get(input, u64::from_le_bytes)?;
        let counts = get(input, u64::from_le_bytes)?;
        let coverage = get(input, u64::from_le_bytes)?;
        let fits =
            ends.len() == slots.len() && rows.len().is_multiple_of(words) && !rows.is_empty();
        let [executions, paths, unchanged] = counts[..] else { return Err(damaged()) };
        if !fits || coverage.len() != self.machines.tracked.coverage.counts().len() {
            return Err(damaged());
        }
        let saved = SavedShapes { tokens, ends: ends.into_iter().zip(slots).collect(), public };
        let classes = &self.tables.classes;
        self.tables.shapes = Shapes::restore(&saved, classes).ok_or_else(damaged)?;
        if !self.tables.store.restore(Layout { bits, words }, rows) {
            return Err(damaged());
        }
        self.tables.transforms = crate::cells::Transforms::default();
        self.machines.template = crate::shapes::Template::default();
        self.counters.executions = executions;
        self.counters.paths = paths;
        self.counters.unchanged = unchanged;
        self.machines.tracked.coverage = crate::Coverage::new(self.outline.sites.len());
        self.machines.tracked.coverage.add(&coverage);
        self.rebuild()
    }
}
