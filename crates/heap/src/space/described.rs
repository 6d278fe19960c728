//! States and calls in words.

use std::fmt::Write;

use everypath_explore::{Described, EventId, EventText, PartText, StateId, StateText};
use xxhash_rust::xxh3::xxh3_64;

use super::{Call, SubjectSpace};
use crate::{
    Kind, Outline, Reason,
    classes::{class_of, length_of},
    layout::shape_of,
    shapes::ROOT,
    tracked::Tracked,
};

/// The state of a heap: its cells.
struct Heap {
    cells: Vec<i32>,
    /// The number of each object, by the cell of its header; 0 if it was not met.
    ids: Vec<i32>,
    met: i32,
}

impl Heap {
    /// The number of an object, and whether it is met first.
    fn meet(&mut self, object: usize) -> (i32, bool) {
        let is_new = self.ids[object] == 0;
        if is_new {
            self.met += 1;
            self.ids[object] = self.met;
        }
        (self.ids[object], is_new)
    }
}

/// The kind of the events of a method: patterns know no underscores.
pub(super) fn kind(method: &str) -> String {
    method.replace('_', "-")
}

impl Call {
    /// The call in words.
    pub(super) fn text(&self, outline: &Outline) -> EventText {
        let method = &outline.methods[self.method];
        let arguments: Vec<String> = self.arguments.iter().map(i32::to_string).collect();
        let sentence = format!("{}({})", method.name, arguments.join(", "));
        let names = method.parameters.iter().map(|(name, _)| name.clone());
        let parameters = names.zip(arguments).collect();
        EventText { node: None, kind: kind(&method.name), parameters, sentence }
    }
}

impl SubjectSpace {
    fn heap(&self, state: StateId) -> Option<Heap> {
        let template = self.template(state)?;
        let (layout, row) = (self.tables.store.layout(), self.row(state));
        let mut cells = template.cells;
        for (slot, &cell) in template.data.iter().enumerate() {
            cells[usize::from(cell)] = layout.get(row, slot);
        }
        let ids = vec![0; cells.len()];
        Some(Heap { cells, ids, met: 0 })
    }

    /// The walk over a state, depth-first from the root: for an object met first its class (and the length of an
    /// array) and its fields; for a reference 0 or the number of its object; for a datum its value. Equal walks are
    /// isomorphic heaps.
    #[must_use]
    pub fn linearised(&self, state: StateId) -> Vec<i32> {
        let mut walk = Vec::new();
        match self.heap(state) {
            Some(mut heap) => {
                heap.meet(ROOT as usize);
                self.linear_object(&mut heap, ROOT as usize, &mut walk);
            }
            None => {
                let (reason, method) = self.fault(state).expect("states are heaps or faults");
                walk.extend([-1, reason as i32, method.map_or(0, |method| method as i32 + 1)]);
            }
        }
        walk
    }

    fn linear_object(&self, heap: &mut Heap, object: usize, walk: &mut Vec<i32>) {
        let header = heap.cells[object];
        walk.push(class_of(header) as i32);
        if self.tables.classes.is_array(class_of(header)) {
            walk.push(length_of(header) as i32);
        }
        for field in 0..self.tables.classes.size(header) {
            let value = heap.cells[object + 1 + field];
            if value == 0 || !self.tables.classes.is_reference(header, field) {
                walk.push(value);
                continue;
            }
            let (id, is_new) = heap.meet(value as usize);
            walk.push(id);
            if is_new {
                self.linear_object(heap, value as usize, walk);
            }
        }
    }

    /// A digest of the shape of a state.
    pub(crate) fn shape_digest(&self, state: StateId) -> u64 {
        let tokens = self.tables.shapes.tokens(shape_of(self.row(state)));
        let bytes: Vec<u8> = tokens.iter().flat_map(|token| token.to_le_bytes()).collect();
        xxh3_64(&bytes)
    }

    /// An object in words, with all that it refers to.
    fn object_text(&self, heap: &mut Heap, object: usize, text: &mut String) {
        let header = heap.cells[object];
        let class = &self.outline.classes[class_of(header)];
        let is_array = class.element.is_some();
        let (open, close) = if is_array { ("[", "]") } else { (" { ", " }") };
        text.push_str(if is_array { "" } else { &class.name });
        text.push_str(open);
        for field in 0..self.tables.classes.size(header) {
            if field > 0 {
                text.push_str(", ");
            }
            let kind = match class.element {
                Some(kind) => kind,
                None => {
                    let (name, kind) = &class.fields[field];
                    text.push_str(name);
                    text.push_str(": ");
                    *kind
                }
            };
            self.value_text(heap, heap.cells[object + 1 + field], kind, text);
        }
        text.push_str(close);
    }

    fn value_text(&self, heap: &mut Heap, value: i32, kind: Kind, text: &mut String) {
        if value == 0 || !kind.is_reference() {
            text.push_str(&kind.text(value));
            return;
        }
        let (id, is_new) = heap.meet(value as usize);
        if is_new {
            self.object_text(heap, value as usize, text);
        } else {
            // An object that was printed before, by its number.
            write!(text, "#{id}").expect("a text can be written");
        }
    }

    /// A call in words.
    pub(super) fn call_text(&self, call: &Call) -> String {
        call.text(&self.outline).sentence
    }

    /// What a call returns in a state, in words, if it returns anything.
    fn told(&self, state: StateId, call: &Call) -> Option<String> {
        let template = self.template(state)?;
        let mut machine = Tracked::new(&self.tables.classes, self.outline.sites.len());
        machine.load(&template, self.tables.store.layout(), self.row(state));
        match machine.run(&*self.code, call.method, &call.arguments) {
            Ok(value) => {
                let returns = self.outline.methods[call.method].returns;
                returns.map(|kind| kind.text(value))
            }
            Err(fault) if matches!(fault.reason, Reason::Failed | Reason::Thrown) => {
                Some(format!("\"{}\" thrown", machine.said))
            }
            Err(fault) => Some(super::fault_text(&self.outline, fault)),
        }
    }
}

impl Described for SubjectSpace {
    fn event_text(&self, _: StateId, event: EventId) -> EventText {
        self.calls[event.0 as usize].text(&self.outline)
    }

    fn result_text(&self, state: StateId, event: EventId) -> Option<String> {
        self.told(state, &self.calls[event.0 as usize])
    }

    fn state_text(&self, state: StateId) -> StateText {
        let mut text = String::new();
        match self.heap(state) {
            Some(mut heap) => {
                heap.meet(ROOT as usize);
                self.object_text(&mut heap, ROOT as usize, &mut text);
            }
            None => text.push_str("the call went wrong"),
        }
        StateText { parts: vec![("heap".to_owned(), PartText::Value(text))] }
    }

    fn digest(&self, state: StateId) -> u64 {
        let bytes: Vec<u8> =
            self.linearised(state).into_iter().flat_map(i32::to_le_bytes).collect();
        xxh3_64(&bytes)
    }
}
