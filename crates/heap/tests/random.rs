//! Random subjects: methods over random classes, interpreted by every machine, against a brute force.
//!
//! `EVERYPATH_HEAP_CASES=10000` makes that many, `EVERYPATH_HEAP_SEED` chooses the first seed; a failure prints its seed.

use std::collections::{BTreeSet, HashSet};

use everypath_explore::{Space, StateId};
use everypath_heap::{
    Class, Code, Comparison, Fault, Kind, Machine, Member, Method, Mode, Operator, Outline, Reason,
    Role, Settings, Site, Subject,
};

use crate::oracle;

/// A number made of locals and constants.
#[derive(Clone, Debug)]
enum Number {
    Constant(i32),
    Local(usize),
    Field(Object, usize),
    Element(usize, Box<Number>),
    Length(usize),
    Combined(Operator, Box<Number>, Box<Number>),
    Compared(Comparison, Box<Number>, Box<Number>),
}

/// A reference.
#[derive(Clone, Debug)]
enum Object {
    Root,
    Null,
    Local(usize),
    /// A field of an object of class 1.
    Next(usize, usize),
    /// A field of the root.
    Top(usize),
    New(usize),
}

#[derive(Clone, Debug)]
enum Condition {
    Numbers(Comparison, Number, Number),
    Same(Object, Object),
    IsNode(Object),
}

#[derive(Clone, Debug)]
enum Statement {
    SetNumber(usize, Number),
    SetObject(usize, Object),
    WriteNumber(Object, usize, Number),
    WriteTop(usize, Object),
    WriteNext(usize, usize, Object),
    WriteElement(usize, Number, Number),
    If(usize, Condition, Vec<Statement>, Vec<Statement>),
    /// Repeats at most this often, while a condition holds.
    While(usize, Condition, i32, Vec<Statement>),
    Return(Number),
    Fail,
    Throw,
}

/// Classes: 0 is the root (numbers 0 and 1, references 2 and 3, an array 4), 1 a node (numbers 0 and 1, references 2
/// and 3), 2 a leaf (number 0), 3 arrays of numbers. References may lead to nodes and leaves.
const ROOT_ARRAY: usize = 4;
const NUMBERS: usize = 3;
const OBJECTS: usize = 3;

#[derive(Clone)]
struct Random {
    methods: Vec<Vec<Statement>>,
    sites: usize,
    array: i32,
    /// Whether null references and wrong indices are followed, so that most calls go wrong.
    is_reckless: bool,
}

/// A small generator of random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((word ^ word >> 31) % limit as u64) as usize
    }

    fn comparison(&mut self) -> Comparison {
        use Comparison::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
        [Equal, Unequal, Less, AtMost, Greater, AtLeast][self.below(6)]
    }

    fn number(&mut self, depth: usize) -> Number {
        match self.below(if depth == 0 { 5 } else { 10 }) {
            0 => Number::Constant(self.below(4) as i32),
            1 | 2 => Number::Local(self.below(NUMBERS)),
            3 | 4 => Number::Field(self.object(), self.below(2)),
            5 => Number::Element(ROOT_ARRAY, Box::new(self.number(0))),
            6 => Number::Length(ROOT_ARRAY),
            7 => {
                let (left, right) = (self.number(0), self.number(0));
                Number::Compared(self.comparison(), Box::new(left), Box::new(right))
            }
            _ => {
                let operators = [
                    Operator::Add,
                    Operator::Subtract,
                    Operator::Multiply,
                    Operator::Remainder,
                    Operator::Divide,
                ];
                let operator = operators[[0, 0, 0, 1, 1, 2, 3, 4][self.below(8)]];
                Number::Combined(
                    operator,
                    Box::new(self.number(depth - 1)),
                    Box::new(self.number(depth - 1)),
                )
            }
        }
    }

    fn object(&mut self) -> Object {
        match self.below(10) {
            0 => Object::Root,
            1 => Object::Null,
            2..=4 => Object::Local(self.below(OBJECTS)),
            5 | 6 => Object::Next(self.below(OBJECTS), 2 + self.below(2)),
            7 | 8 => Object::Top(2 + self.below(2)),
            _ => Object::New(1 + self.below(2)),
        }
    }

    fn condition(&mut self) -> Condition {
        match self.below(5) {
            0 => Condition::Same(self.object(), Object::Null),
            1 => Condition::Same(self.object(), self.object()),
            2 => Condition::IsNode(self.object()),
            _ => Condition::Numbers(self.comparison(), self.number(1), self.number(1)),
        }
    }

    fn block(&mut self, depth: usize, sites: &mut usize) -> Vec<Statement> {
        (0..1 + self.below(2) + 2 * depth).map(|_| self.statement(depth, sites)).collect()
    }

    fn statement(&mut self, depth: usize, sites: &mut usize) -> Statement {
        match self.below(if depth == 0 { 15 } else { 20 }) {
            0 | 1 => Statement::SetNumber(1 + self.below(NUMBERS - 1), self.number(2)),
            2..=4 => Statement::SetObject(self.below(OBJECTS - 1), self.object()),
            5 | 6 => Statement::WriteNumber(self.object(), self.below(2), self.number(1)),
            7..=9 => Statement::WriteTop(2 + self.below(2), self.object()),
            10 | 11 => Statement::WriteNext(self.below(OBJECTS), 2 + self.below(2), self.object()),
            12 | 13 => Statement::WriteElement(ROOT_ARRAY, self.number(0), self.number(1)),
            14 => match self.below(12) {
                0 => Statement::Fail,
                1 => Statement::Throw,
                _ => Statement::Return(self.number(1)),
            },
            15..=18 => {
                let site = *sites;
                *sites += 1;
                Statement::If(
                    site,
                    self.condition(),
                    self.block(depth - 1, sites),
                    self.block(depth - 1, sites),
                )
            }
            _ => {
                let site = *sites;
                *sites += 1;
                Statement::While(
                    site,
                    self.condition(),
                    1 + self.below(3) as i32,
                    self.block(depth - 1, sites),
                )
            }
        }
    }
}

impl Random {
    fn new(seed: u64) -> Self {
        let mut dice = Dice(seed);
        let mut sites = 0;
        // The first method pushes a node, so that there are always many states of the same shape.
        let push = vec![Statement::WriteTop(2, Object::Local(2))];
        let others = (0..1 + dice.below(2)).map(|_| dice.block(2, &mut sites)).collect();
        let methods = [vec![push], others].concat();
        let is_reckless = dice.below(8) == 0;
        Self { methods, sites, array: dice.below(3) as i32, is_reckless }
    }
}

/// The variables of a method that is interpreted.
struct Frame<'a, M: Machine> {
    machine: &'a mut M,
    root: M::Value,
    numbers: [M::Value; NUMBERS],
    objects: [M::Value; OBJECTS],
    is_reckless: bool,
}

/// A branch that is not counted.
const UNCOUNTED: usize = usize::MAX;

const fn data(at: usize) -> Member {
    Member { at, is_reference: false }
}

const fn link(at: usize) -> Member {
    Member { at, is_reference: true }
}

impl<M: Machine> Frame<'_, M> {
    fn number(&mut self, number: &Number) -> Result<M::Value, Fault> {
        Ok(match number {
            Number::Constant(value) => self.machine.constant(*value),
            Number::Local(at) => self.numbers[*at],
            Number::Field(object, at) => {
                let object = self.object(object)?;
                if self.avoids_null(object)? {
                    return Ok(self.machine.constant(1));
                }
                // A leaf has one number; a root and a node have two.
                let at = if *at == 1 && self.machine.is(UNCOUNTED, object, 2)? { 0 } else { *at };
                self.machine.read(object, data(at))?
            }
            Number::Element(field, index) => {
                let array = self.machine.read(self.root, link(*field))?;
                let index = self.number(index)?;
                if self.avoids_index(array, index)? {
                    return Ok(index);
                }
                self.machine.element(array, index, false)?
            }
            Number::Length(field) => {
                let array = self.machine.read(self.root, link(*field))?;
                self.machine.length(array)?
            }
            Number::Combined(operator, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                if matches!(operator, Operator::Divide | Operator::Remainder)
                    && self.avoids_null(right)?
                {
                    return Ok(left);
                }
                self.machine.compute(*operator, left, right)?
            }
            Number::Compared(comparison, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                self.machine.compare(*comparison, left, right)
            }
        })
    }

    /// Whether null would be followed, and the subject looks before it does.
    fn avoids_null(&mut self, value: M::Value) -> Result<bool, Fault> {
        let null = self.machine.constant(0);
        Ok(!self.is_reckless && self.machine.test(UNCOUNTED, Comparison::Equal, value, null)?)
    }

    fn avoids_class(&mut self, object: M::Value) -> Result<bool, Fault> {
        Ok(!self.is_reckless && !self.machine.is(UNCOUNTED, object, 1)?)
    }

    fn avoids_index(&mut self, array: M::Value, index: M::Value) -> Result<bool, Fault> {
        if self.is_reckless {
            return Ok(false);
        }
        let (zero, length) = (self.machine.constant(0), self.machine.length(array)?);
        Ok(self.machine.test(UNCOUNTED, Comparison::Less, index, zero)?
            || self.machine.test(UNCOUNTED, Comparison::AtLeast, index, length)?)
    }

    fn object(&mut self, object: &Object) -> Result<M::Value, Fault> {
        Ok(match object {
            Object::Root => self.root,
            Object::Null => self.machine.constant(0),
            Object::Local(at) => self.objects[*at],
            Object::Next(local, field) => {
                if self.avoids_class(self.objects[*local])? {
                    return Ok(self.machine.constant(0));
                }
                let node = self.machine.cast(self.objects[*local], 1)?;
                self.machine.read(node, link(*field))?
            }
            Object::Top(field) => self.machine.read(self.root, link(*field))?,
            Object::New(class) => self.machine.allocate(*class)?,
        })
    }

    fn holds(&mut self, site: usize, condition: &Condition) -> Result<bool, Fault> {
        match condition {
            Condition::Numbers(comparison, left, right) => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                self.machine.test(site, *comparison, left, right)
            }
            Condition::Same(left, right) => {
                let (left, right) = (self.object(left)?, self.object(right)?);
                self.machine.test(site, Comparison::Equal, left, right)
            }
            Condition::IsNode(object) => {
                let object = self.object(object)?;
                self.machine.is(site, object, 1)
            }
        }
    }

    /// Executes statements; `Some` if one of them returns.
    fn block(&mut self, block: &[Statement]) -> Result<Option<M::Value>, Fault> {
        for statement in block {
            let returned = self.statement(statement)?;
            if returned.is_some() {
                return Ok(returned);
            }
        }
        Ok(None)
    }

    fn statement(&mut self, statement: &Statement) -> Result<Option<M::Value>, Fault> {
        match statement {
            Statement::SetNumber(at, number) => self.numbers[*at] = self.number(number)?,
            Statement::SetObject(at, object) => self.objects[*at] = self.object(object)?,
            Statement::WriteNumber(object, at, number) => {
                let (object, value) = (self.object(object)?, self.number(number)?);
                if self.avoids_null(object)? {
                    return Ok(None);
                }
                let at = if *at == 1 && self.machine.is(UNCOUNTED, object, 2)? { 0 } else { *at };
                self.machine.write(object, data(at), value)?;
            }
            Statement::WriteTop(at, object) => {
                let value = self.object(object)?;
                self.machine.write(self.root, link(*at), value)?;
            }
            Statement::WriteNext(local, at, object) => {
                let value = self.object(object)?;
                if self.avoids_class(self.objects[*local])? {
                    return Ok(None);
                }
                let node = self.machine.cast(self.objects[*local], 1)?;
                self.machine.write(node, link(*at), value)?;
            }
            Statement::WriteElement(field, index, number) => {
                let array = self.machine.read(self.root, link(*field))?;
                let (index, value) = (self.number(index)?, self.number(number)?);
                if self.avoids_index(array, index)? {
                    return Ok(None);
                }
                self.machine.set_element(array, index, false, value)?;
            }
            Statement::If(site, condition, then, otherwise) => {
                let holds = self.holds(*site, condition)?;
                return self.block(if holds { then } else { otherwise });
            }
            Statement::While(site, condition, most, body) => {
                for _ in 0..*most {
                    self.machine.step()?;
                    if !self.holds(*site, condition)? {
                        break;
                    }
                    let returned = self.block(body)?;
                    if returned.is_some() {
                        return Ok(returned);
                    }
                }
            }
            Statement::Return(number) => return self.number(number).map(Some),
            Statement::Fail => return Err(Reason::Failed.into()),
            Statement::Throw => return Err(Reason::Thrown.into()),
        }
        Ok(None)
    }
}

impl Code for Random {
    fn outline(&self) -> Outline {
        let (number, reference) = (Kind::Int, Kind::Reference);
        let pair = [("a", number), ("b", number), ("c", reference), ("d", reference)];
        let root = [&pair[..], &[("e", reference)]].concat();
        let calls =
            self.methods.iter().map(|_| Method::new("call", Role::Call).parameter("x", |n| (0, n)));
        let start = Method::new("start", Role::Start);
        let site = Site::new("call", "", true);
        Outline {
            name: "random".to_owned(),
            about: String::new(),
            classes: vec![
                Class::new("Root", &root),
                Class::new("Node", &pair),
                Class::new("Leaf", &[("a", number)]),
                Class::array("Array<Int>", number),
            ],
            methods: calls.chain([start]).collect(),
            sites: vec![site; self.sites],
        }
    }

    fn run<M: Machine>(
        &self,
        machine: &mut M,
        method: usize,
        root: M::Value,
        arguments: &[M::Value],
    ) -> Result<M::Value, Fault> {
        let zero = machine.constant(0);
        if method == self.methods.len() {
            let length = machine.constant(self.array);
            let array = machine.allocate_array(3, length)?;
            machine.write(root, link(ROOT_ARRAY), array)?;
            return Ok(zero);
        }
        let mut frame = Frame {
            machine,
            root,
            numbers: [zero; NUMBERS],
            objects: [zero; OBJECTS],
            is_reckless: self.is_reckless,
        };
        frame.numbers[0] = arguments[0];
        frame.objects[0] = frame.machine.read(root, link(2))?;
        frame.objects[1] = frame.machine.read(root, link(3))?;
        let node = frame.machine.allocate(1)?;
        frame.machine.write(node, data(0), arguments[0])?;
        frame.machine.write(node, link(2), frame.objects[0])?;
        frame.objects[2] = node;
        let returned = frame.block(&self.methods[method]);
        Ok(returned.map_err(|fault| fault.within(method as u16))?.unwrap_or(zero))
    }
}

const DEPTH: u32 = 3;

/// The ids of the states of each level, what they are, and how often each branch was taken.
type Explored = (Vec<Vec<StateId>>, Vec<Vec<Vec<i32>>>, Vec<(u64, u64)>);

fn explored(code: &Random, mode: Mode) -> Explored {
    let settings = Settings::new(2).mode(mode);
    let mut space = Subject::new(code.clone()).space(&settings).expect("it starts");
    let mut level = Vec::new();
    space.initial(&mut level);
    let mut seen: HashSet<StateId> = level.iter().copied().collect();
    let (mut levels, mut steps) = (vec![level], Vec::new());
    for _ in 0..DEPTH {
        steps.clear();
        space.expand(levels.last().expect("there is a level"), &mut steps);
        let mut next: Vec<StateId> =
            steps.iter().map(|step| step.target).filter(|&target| seen.insert(target)).collect();
        next.sort_unstable();
        levels.push(next);
    }
    let walks = levels.iter().map(|level| level.iter().map(|&it| space.linearised(it)).collect());
    let walks = walks.collect();
    let coverage = space.coverage();
    let counts = (0..code.sites).map(|site| coverage.of(site)).collect();
    (levels, walks, counts)
}

/// Checks a subject; returns how many states it has.
fn check(seed: u64) -> usize {
    let code = Random::new(seed);
    let expected = oracle::levels(&code, &Settings::new(2), DEPTH);
    let (ids, walks, coverage) = explored(&code, Mode::Tracked);
    for (level, walks) in walks.iter().enumerate() {
        let found: BTreeSet<Vec<i32>> = walks.iter().cloned().collect();
        assert_eq!(found, expected[level], "seed {seed}, level {level}: {:?}", code.methods);
    }
    for mode in Mode::ALL {
        let name = mode.name();
        let found = explored(&code, mode);
        assert_eq!(found.1, walks, "seed {seed}, {name}: {:?}", code.methods);
        assert_eq!(found.0, ids, "seed {seed}, {name}: {:?}", code.methods);
        assert_eq!(found.2, coverage, "seed {seed}, {name}: {:?}", code.methods);
    }
    walks.iter().map(Vec::len).sum()
}

fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

#[test]
fn random_subjects_have_the_same_states_in_all_modes() {
    let first = setting("EVERYPATH_HEAP_SEED", 1);
    let cases = setting("EVERYPATH_HEAP_CASES", 500);
    let states: usize = (first..first + cases).map(check).sum();
    assert!(states as u64 > 60 * cases, "{states} states are too few to tell much");
}
