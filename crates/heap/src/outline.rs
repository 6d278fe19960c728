//! `Outline`: the classes, methods and branches of a subject, and `Code`: the subject itself.

use crate::{Fault, Machine};

/// What a field or a parameter holds.
///
/// ```
/// use everypath_heap::Kind;
///
/// assert!(Kind::Reference.is_reference() && !Kind::Bool.is_reference());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Int,
    /// A truth value.
    Bool,
    /// A reference to an object, or null.
    Reference,
}

impl Kind {
    /// Whether it is a reference.
    #[must_use]
    pub fn is_reference(self) -> bool {
        self == Self::Reference
    }

    /// A value in words, if it is not a reference.
    pub(crate) fn text(self, value: i32) -> String {
        match self {
            Self::Bool => (value != 0).to_string(),
            Self::Int => value.to_string(),
            Self::Reference => if value == 0 { "null" } else { "an object" }.to_owned(),
        }
    }
}

/// A class of objects, or of arrays.
///
/// ```
/// use everypath_heap::{Class, Kind};
///
/// let node = Class::new("Node", &[("value", Kind::Int), ("next", Kind::Reference)]);
/// assert_eq!(node.fields.len(), 2);
/// assert_eq!(Class::array("Array<Int>", Kind::Int).element, Some(Kind::Int));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its name.
    pub name: String,
    /// Names and kinds of the fields; none of an array.
    pub fields: Vec<(String, Kind)>,
    /// What the elements are, if it is a class of arrays.
    pub element: Option<Kind>,
}

impl Class {
    /// A class of objects.
    #[must_use]
    pub fn new(name: &str, fields: &[(&str, Kind)]) -> Self {
        let fields = fields.iter().map(|&(name, kind)| (name.to_owned(), kind)).collect();
        Self { name: name.to_owned(), fields, element: None }
    }

    /// A class of arrays.
    #[must_use]
    pub fn array(name: &str, element: Kind) -> Self {
        Self { name: name.to_owned(), fields: Vec::new(), element: Some(element) }
    }
}

/// What a method is for.
///
/// ```
/// use everypath_heap::Role;
///
/// assert_ne!(Role::Helper, Role::Invariant);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It builds the initial state from a fresh root object. Its parameter is the bound.
    Start,
    /// It is called by the exploration.
    Call,
    /// It must return true in every state.
    Invariant,
    /// Other methods call it.
    Helper,
}

/// The smallest and the largest value of a parameter, for a bound.
pub type ArgumentRange = fn(i32) -> (i32, i32);

/// A method of a subject.
///
/// ```
/// use everypath_heap::{Method, Role};
///
/// let push = Method::new("push", Role::Call).parameter("value", |n| (1, n));
/// assert_eq!((push.parameters[0].1)(5), (1, 5));
/// ```
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// Names and ranges of the parameters of a call.
    pub parameters: Vec<(String, ArgumentRange)>,
    /// The method that says whether it may be called, with the same arguments.
    pub guard: Option<usize>,
    /// What it returns, if anything.
    pub returns: Option<Kind>,
    /// The first line of its documentation.
    pub about: String,
}

impl Method {
    /// A method without parameters that returns nothing.
    #[must_use]
    pub fn new(name: &str, role: Role) -> Self {
        let (name, about) = (name.to_owned(), String::new());
        Self { name, role, parameters: Vec::new(), guard: None, returns: None, about }
    }

    /// Adds a parameter.
    #[must_use]
    pub fn parameter(mut self, name: &str, range: ArgumentRange) -> Self {
        self.parameters.push((name.to_owned(), range));
        self
    }

    /// How many combinations of arguments it has for a bound.
    pub(crate) fn argument_count(&self, values: i32) -> u64 {
        let size = |(low, high): (i32, i32)| (i64::from(high) - i64::from(low) + 1).max(0) as u64;
        self.parameters.iter().map(|(_, range)| size(range(values))).fold(1, u64::saturating_mul)
    }

    /// All combinations of its arguments for a bound.
    pub(crate) fn arguments(&self, values: i32) -> Vec<Vec<i32>> {
        self.parameters.iter().fold(vec![Vec::new()], |all, (_, range)| {
            let (low, high) = range(values);
            let longer = |start: Vec<i32>| {
                (low..=high).map(move |value| start.iter().copied().chain([value]).collect())
            };
            all.into_iter().flat_map(longer).collect()
        })
    }

    /// Sets the method that says whether it may be called.
    #[must_use]
    pub fn guard(mut self, guard: usize) -> Self {
        self.guard = Some(guard);
        self
    }

    /// Sets what it returns.
    #[must_use]
    pub fn returns(mut self, kind: Kind) -> Self {
        self.returns = Some(kind);
        self
    }

    /// Sets the first line of its documentation.
    #[must_use]
    pub fn about(mut self, about: &str) -> Self {
        about.trim().clone_into(&mut self.about);
        self
    }
}

/// A place in a subject where its control flow branches.
///
/// ```
/// use everypath_heap::Site;
///
/// let site = Site::new("add", "info < at.info", true);
/// assert_eq!(site.method, "add");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The method.
    pub method: String,
    /// The condition, as it is written.
    pub condition: String,
    /// Whether calls evaluate it. Others are evaluated by invariants alone, or at the start.
    pub is_called: bool,
}

impl Site {
    /// A place in a method.
    #[must_use]
    pub fn new(method: &str, condition: &str, is_called: bool) -> Self {
        Self { method: method.to_owned(), condition: condition.to_owned(), is_called }
    }
}

/// The classes, methods and branches of a subject. The first class is that of the root object.
///
/// ```
/// # mod stack { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/stack.rs")); }
/// use everypath_heap::Code;
///
/// let outline = stack::stack::Code.outline();
/// assert_eq!((&outline.classes[0].name[..], outline.methods.len()), ("Stack", 3));
/// ```
#[derive(Clone, Debug)]
pub struct Outline {
    /// The name of the subject.
    pub name: String,
    /// The first line of its documentation.
    pub about: String,
    /// The classes; the first one is that of the root.
    pub classes: Vec<Class>,
    /// The methods.
    pub methods: Vec<Method>,
    /// The branches.
    pub sites: Vec<Site>,
}

impl Outline {
    /// The methods with a role, by their places.
    pub(crate) fn with_role(&self, role: Role) -> impl Iterator<Item = usize> + '_ {
        (0..self.methods.len()).filter(move |&at| self.methods[at].role == role)
    }
}

/// A subject: its outline, and its methods for every machine.
///
/// [`subject`](macro@crate::subject) writes it. It can be written by hand as well, for instance to
/// interpret programs that are made at run time.
///
/// ```
/// use everypath_heap::{Class, Code, Fault, Kind, Machine, Member, Method, Operator, Outline, Role};
/// use everypath_heap::{Settings, SubjectSpace};
/// use everypath_explore::{Options, explore};
///
/// /// A counter.
/// struct Counter;
///
/// impl Code for Counter {
///     fn outline(&self) -> Outline {
///         Outline {
///             name: "counter".to_owned(),
///             about: String::new(),
///             classes: vec![Class::new("Counter", &[("value", Kind::Int)])],
///             methods: vec![Method::new("add", Role::Call).parameter("by", |n| (1, n))],
///             sites: Vec::new(),
///         }
///     }
///
///     fn run<M: Machine>(
///         &self,
///         machine: &mut M,
///         _: usize,
///         root: M::Value,
///         arguments: &[M::Value],
///     ) -> Result<M::Value, Fault> {
///         let value = Member { at: 0, is_reference: false };
///         let old = machine.read(root, value)?;
///         let new = machine.compute(Operator::Add, old, arguments[0])?;
///         machine.write(root, value, new)?;
///         Ok(new)
///     }
/// }
///
/// let mut space = SubjectSpace::new(Counter, &Settings::new(3)).unwrap();
/// let found = explore(&mut space, &Options::default().max_depth(3), &mut ()).unwrap();
/// assert_eq!(found.states_visited, 10);
/// ```
pub trait Code {
    /// The classes, methods and branches.
    fn outline(&self) -> Outline;

    /// Runs a method on the root object. A method that returns nothing returns 0.
    ///
    /// # Errors
    /// If the call does not return.
    fn run<M: Machine>(
        &self,
        machine: &mut M,
        method: usize,
        root: M::Value,
        arguments: &[M::Value],
    ) -> Result<M::Value, Fault>;
}

/// [`Code`] on one machine.
pub(crate) trait Runs<M: Machine> {
    fn run_on(
        &self,
        machine: &mut M,
        method: usize,
        root: M::Value,
        arguments: &[M::Value],
    ) -> Result<M::Value, Fault>;
}

impl<C: Code, M: Machine> Runs<M> for C {
    fn run_on(
        &self,
        machine: &mut M,
        method: usize,
        root: M::Value,
        arguments: &[M::Value],
    ) -> Result<M::Value, Fault> {
        self.run(machine, method, root, arguments)
    }
}
