//! A brute force: a naive machine on cloned objects, and a search with a `HashSet`. It knows nothing of shapes, rows, undo
//! logs and delta execution.

use std::collections::{BTreeSet, HashSet};

use everypath_heap::{
    Class, Code, Comparison, Fault, Kind, Machine, Member, Operator, Outline, Reason, Role,
    Settings,
};

/// A heap: classes and fields. References are places plus one; the root is 1.
#[derive(Clone, Default)]
struct Naive {
    classes: Vec<Class>,
    objects: Vec<(usize, Vec<i32>)>,
    rounds: u32,
    depth: u32,
    cells: usize,
}

impl Naive {
    fn object(&mut self, reference: i32) -> Result<&mut (usize, Vec<i32>), Fault> {
        if reference == 0 {
            return Err(Reason::Null.into());
        }
        Ok(&mut self.objects[reference as usize - 1])
    }

    fn make(&mut self, class: usize, size: usize) -> Result<i32, Fault> {
        self.cells += size.min(20_000) + 1;
        if self.cells > 20_000 {
            return Err(Reason::Memory.into());
        }
        self.objects.push((class, vec![0; size]));
        Ok(self.objects.len() as i32)
    }

    fn at(&mut self, array: i32, index: i32) -> Result<&mut i32, Fault> {
        let (_, elements) = self.object(array)?;
        let index = usize::try_from(index).map_err(|_| Fault::from(Reason::Index))?;
        elements.get_mut(index).ok_or_else(|| Reason::Index.into())
    }

    /// The walk over the heap.
    fn walk(&self) -> Vec<i32> {
        let mut ids = vec![0; self.objects.len() + 1];
        ids[1] = 1;
        let (mut met, mut walk) = (1, Vec::new());
        self.walk_object(1, &mut ids, &mut met, &mut walk);
        walk
    }

    fn walk_object(&self, object: usize, ids: &mut [i32], met: &mut i32, walk: &mut Vec<i32>) {
        let (class, fields) = &self.objects[object - 1];
        walk.push(*class as i32);
        let element = self.classes[*class].element;
        if element.is_some() {
            walk.push(fields.len() as i32);
        }
        for (at, &value) in fields.iter().enumerate() {
            let kind = element.unwrap_or_else(|| self.classes[*class].fields[at].1);
            if kind != Kind::Reference || value == 0 {
                walk.push(value);
            } else if ids[value as usize] != 0 {
                walk.push(ids[value as usize]);
            } else {
                *met += 1;
                ids[value as usize] = *met;
                walk.push(*met);
                self.walk_object(value as usize, ids, met, walk);
            }
        }
    }
}

impl Machine for Naive {
    type Value = i32;

    fn constant(&mut self, value: i32) -> i32 {
        value
    }
    fn read(&mut self, object: i32, member: Member) -> Result<i32, Fault> {
        Ok(self.object(object)?.1[member.at])
    }
    fn write(&mut self, object: i32, member: Member, value: i32) -> Result<(), Fault> {
        self.object(object)?.1[member.at] = value;
        Ok(())
    }
    fn length(&mut self, array: i32) -> Result<i32, Fault> {
        Ok(self.object(array)?.1.len() as i32)
    }
    fn element(&mut self, array: i32, index: i32, _: bool) -> Result<i32, Fault> {
        self.at(array, index).map(|value| *value)
    }
    fn set_element(&mut self, array: i32, index: i32, _: bool, value: i32) -> Result<(), Fault> {
        *self.at(array, index)? = value;
        Ok(())
    }
    fn allocate(&mut self, class: usize) -> Result<i32, Fault> {
        self.make(class, self.classes[class].fields.len())
    }
    fn allocate_array(&mut self, class: usize, length: i32) -> Result<i32, Fault> {
        let length = usize::try_from(length).map_err(|_| Fault::from(Reason::Index))?;
        self.make(class, length)
    }
    fn compute(&mut self, operator: Operator, left: i32, right: i32) -> Result<i32, Fault> {
        operator.apply(left, right).ok_or_else(|| Reason::Overflow.into())
    }
    fn compare(&mut self, comparison: Comparison, left: i32, right: i32) -> i32 {
        comparison.holds(left, right).into()
    }
    fn test(
        &mut self,
        _: usize,
        comparison: Comparison,
        left: i32,
        right: i32,
    ) -> Result<bool, Fault> {
        Ok(comparison.holds(left, right))
    }
    fn is(&mut self, _: usize, object: i32, class: usize) -> Result<bool, Fault> {
        Ok(object != 0 && self.objects[object as usize - 1].0 == class)
    }
    fn cast(&mut self, object: i32, class: usize) -> Result<i32, Fault> {
        let fits = object == 0 || self.objects[object as usize - 1].0 == class;
        if fits { Ok(object) } else { Err(Reason::Cast.into()) }
    }
    fn step(&mut self) -> Result<(), Fault> {
        self.rounds += 1;
        if self.rounds > 10_000 { Err(Reason::Endless.into()) } else { Ok(()) }
    }
    fn enter(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > 400 { Err(Reason::Depth.into()) } else { Ok(()) }
    }
    fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// All arguments of a method.
fn arguments(outline: &Outline, method: usize, values: i32) -> Vec<Vec<i32>> {
    let mut all = vec![Vec::new()];
    for (_, range) in &outline.methods[method].parameters {
        let (low, high) = range(values);
        let longer =
            |start: Vec<i32>| (low..=high).map(move |value| [start.clone(), vec![value]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// The states of each level, as sets of walks.
pub fn levels<C: Code>(code: &C, settings: &Settings, depth: u32) -> Vec<BTreeSet<Vec<i32>>> {
    let outline = code.outline();
    let mut root = Naive { classes: outline.classes.clone(), ..Naive::default() };
    root.allocate(0).expect("there is room for the root");
    root.cells = 0;
    if let Some(start) = outline.methods.iter().position(|method| method.role == Role::Start) {
        let bound = [settings.bound as i32];
        let given = &bound[..outline.methods[start].parameters.len()];
        code.run(&mut root, start, 1, given).expect("it starts");
    }
    let calls: Vec<(usize, Vec<i32>)> = (0..outline.methods.len())
        .filter(|&method| outline.methods[method].role == Role::Call)
        .flat_map(|method| {
            let all = arguments(&outline, method, settings.values as i32);
            all.into_iter().map(move |arguments| (method, arguments))
        })
        .collect();
    let mut seen: HashSet<Vec<i32>> = HashSet::from([root.walk()]);
    let mut levels = vec![BTreeSet::from([root.walk()])];
    let mut current = vec![root];
    for _ in 0..depth {
        let (mut next, mut found) = (Vec::new(), BTreeSet::new());
        for state in &current {
            for (method, arguments) in &calls {
                if let Some((walk, heap)) = successor(code, &outline, state, *method, arguments)
                    && seen.insert(walk.clone())
                {
                    found.insert(walk);
                    next.extend(heap);
                }
            }
        }
        current = next;
        levels.push(found);
    }
    levels
}

/// The state after a call, without a heap if the call went wrong.
fn successor<C: Code>(
    code: &C,
    outline: &Outline,
    state: &Naive,
    method: usize,
    arguments: &[i32],
) -> Option<(Vec<i32>, Option<Naive>)> {
    let fresh = || Naive { rounds: 0, depth: 0, cells: 0, ..state.clone() };
    if let Some(guard) = outline.methods[method].guard
        && code.run(&mut fresh(), guard, 1, arguments) == Ok(0)
    {
        return None;
    }
    let mut heap = fresh();
    match code.run(&mut heap, method, 1, arguments) {
        Ok(_) | Err(Fault { reason: Reason::Thrown, .. }) => Some((heap.walk(), Some(heap))),
        Err(Fault { reason: Reason::Failed, .. }) => None,
        Err(fault) => {
            let method = fault.method().map_or(0, |method| method as i32 + 1);
            Some((vec![-1, fault.reason as i32, method], None))
        }
    }
}
