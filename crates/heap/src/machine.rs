//! `Machine`: what a subject may do, and `Fault`: how a call can end other than by returning.

use std::fmt;

/// How two values are compared.
///
/// ```
/// use everypath_heap::Comparison;
///
/// assert!(Comparison::Less.holds(1, 2) && !Comparison::Equal.holds(1, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

impl Comparison {
    /// Whether it holds.
    #[inline(always)]
    #[must_use]
    pub fn holds(self, left: i32, right: i32) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Unequal => left != right,
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::Greater => left > right,
            Self::AtLeast => left >= right,
        }
    }
}

/// How two numbers are combined.
///
/// ```
/// use everypath_heap::Operator;
///
/// assert_eq!(Operator::Add.apply(1, 2), Some(3));
/// assert_eq!(Operator::Divide.apply(1, 0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}

impl Operator {
    /// The result, unless it is not a number of 32 bits.
    #[inline(always)]
    #[must_use]
    pub fn apply(self, left: i32, right: i32) -> Option<i32> {
        match self {
            Self::Add => left.checked_add(right),
            Self::Subtract => left.checked_sub(right),
            Self::Multiply => left.checked_mul(right),
            Self::Divide => left.checked_div(right),
            Self::Remainder => left.checked_rem(right),
        }
    }
}

/// A field of a class: its place among the fields, and whether it holds a reference.
///
/// ```
/// use everypath_heap::Member;
///
/// let next = Member { at: 1, is_reference: true };
/// assert_ne!(next, Member { at: 0, is_reference: false });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its place among the fields of its class.
    pub at: usize,
    /// Whether it holds a reference.
    pub is_reference: bool,
}

/// Why a call did not return.
///
/// ```
/// use everypath_heap::Reason;
///
/// assert!(Reason::Null.is_flaw() && !Reason::Failed.is_flaw());
/// assert_eq!(Reason::Null.to_string(), "a null reference is followed");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    /// The subject says `fail`: the run ends here, and nothing is wrong.
    Failed,
    /// The subject says `throw`: the call ends, and what it has written stays.
    Thrown,
    /// A null reference was followed.
    Null,
    /// An element outside an array was used.
    Index,
    /// A reference to an object of another class was cast.
    Cast,
    /// A number left the range of 32 bits, or was divided by zero.
    Overflow,
    /// A loop took too many rounds.
    Endless,
    /// Calls were nested too deep.
    Depth,
    /// There were too many objects.
    Memory,
}

impl Reason {
    /// All reasons, in the order of their numbers.
    pub(crate) const ALL: [Self; 9] = [
        Self::Failed,
        Self::Thrown,
        Self::Null,
        Self::Index,
        Self::Cast,
        Self::Overflow,
        Self::Endless,
        Self::Depth,
        Self::Memory,
    ];

    /// Whether it is an error of the subject, and thus a finding.
    #[must_use]
    pub fn is_flaw(self) -> bool {
        !matches!(self, Self::Failed | Self::Thrown)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Failed => "it fails",
            Self::Thrown => "it throws",
            Self::Null => "a null reference is followed",
            Self::Index => "an element outside an array is used",
            Self::Cast => "a reference is cast to a class that its object does not have",
            Self::Overflow => "a number leaves the range of 32 bits, or is divided by zero",
            Self::Endless => "a loop does not end",
            Self::Depth => "calls are nested without end",
            Self::Memory => "objects are allocated without end",
        })
    }
}

/// A call that did not return: why, and in which method.
///
/// ```
/// use everypath_heap::{Fault, Reason};
///
/// let fault = Fault::new(Reason::Null).within(3).within(1);
/// assert_eq!((fault.reason, fault.method()), (Reason::Null, Some(3)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Why.
    pub reason: Reason,
    method: u16,
}

/// No method yet.
const NOWHERE: u16 = u16::MAX;

impl Fault {
    /// A fault in a method that is not known yet.
    #[must_use]
    pub fn new(reason: Reason) -> Self {
        Self { reason, method: NOWHERE }
    }

    /// The fault in a method, unless it has one already.
    #[must_use]
    pub fn within(self, method: u16) -> Self {
        Self { method: if self.method == NOWHERE { method } else { self.method }, ..self }
    }

    /// The method, as its place in the outline.
    #[must_use]
    pub fn method(self) -> Option<usize> {
        (self.method != NOWHERE).then_some(self.method.into())
    }
}

impl From<Reason> for Fault {
    #[inline]
    fn from(reason: Reason) -> Self {
        Self::new(reason)
    }
}

/// Executes subjects. Each mode of execution is a machine; a subject is written once, for all.
///
/// A value is a number, a truth value (0 or 1) or a reference (0 is null), or many of them at once.
/// Subjects are written with [`subject`](macro@crate::subject), so most users never call these methods.
///
/// ```
/// use everypath_heap::{Comparison, Fault, Machine, Operator};
///
/// /// Doubles a number that is not negative.
/// fn doubled<M: Machine>(machine: &mut M, number: M::Value) -> Result<M::Value, Fault> {
///     let zero = machine.constant(0);
///     if machine.test(0, Comparison::Less, number, zero)? {
///         return Ok(zero);
///     }
///     machine.compute(Operator::Add, number, number)
/// }
/// ```
pub trait Machine {
    /// A value, or a handle of many.
    type Value: Copy;

    /// A value that is written in the subject.
    fn constant(&mut self, value: i32) -> Self::Value;

    /// The content of a field.
    ///
    /// # Errors
    /// If the object is null.
    fn read(&mut self, object: Self::Value, member: Member) -> Result<Self::Value, Fault>;

    /// Changes a field.
    ///
    /// # Errors
    /// If the object is null.
    fn write(
        &mut self,
        object: Self::Value,
        member: Member,
        value: Self::Value,
    ) -> Result<(), Fault>;

    /// The length of an array.
    ///
    /// # Errors
    /// If the array is null.
    fn length(&mut self, array: Self::Value) -> Result<Self::Value, Fault>;

    /// An element of an array.
    ///
    /// # Errors
    /// If the array is null, or has no such element.
    fn element(
        &mut self,
        array: Self::Value,
        index: Self::Value,
        is_reference: bool,
    ) -> Result<Self::Value, Fault>;

    /// Changes an element of an array.
    ///
    /// # Errors
    /// If the array is null, or has no such element.
    fn set_element(
        &mut self,
        array: Self::Value,
        index: Self::Value,
        is_reference: bool,
        value: Self::Value,
    ) -> Result<(), Fault>;

    /// A new object whose fields are zero, false and null.
    ///
    /// # Errors
    /// If there are too many objects.
    fn allocate(&mut self, class: usize) -> Result<Self::Value, Fault>;

    /// A new array of zeros or nulls.
    ///
    /// # Errors
    /// If the length is negative, or there is too much.
    fn allocate_array(&mut self, class: usize, length: Self::Value) -> Result<Self::Value, Fault>;

    /// Combines two numbers.
    ///
    /// # Errors
    /// If the result is not a number of 32 bits.
    fn compute(
        &mut self,
        operator: Operator,
        left: Self::Value,
        right: Self::Value,
    ) -> Result<Self::Value, Fault>;

    /// Compares two values: the result is a value as well.
    fn compare(
        &mut self,
        comparison: Comparison,
        left: Self::Value,
        right: Self::Value,
    ) -> Self::Value;

    /// Branches by a comparison.
    ///
    /// # Errors
    /// None of the subject; a machine may give up.
    fn test(
        &mut self,
        site: usize,
        comparison: Comparison,
        left: Self::Value,
        right: Self::Value,
    ) -> Result<bool, Fault>;

    /// Branches by the class of an object. Null has no class.
    ///
    /// # Errors
    /// None of the subject; a machine may give up.
    fn is(&mut self, site: usize, object: Self::Value, class: usize) -> Result<bool, Fault>;

    /// A reference to an object of a class, or null.
    ///
    /// # Errors
    /// If the object has another class.
    fn cast(&mut self, object: Self::Value, class: usize) -> Result<Self::Value, Fault>;

    /// Counts a round of a loop.
    ///
    /// # Errors
    /// If there were too many.
    fn step(&mut self) -> Result<(), Fault>;

    /// Enters a method.
    ///
    /// # Errors
    /// If calls are nested too deep.
    fn enter(&mut self) -> Result<(), Fault>;

    /// Leaves a method.
    fn leave(&mut self);

    /// Keeps what `fail` or `throw` says.
    fn say(&mut self, text: &'static str) {
        let _ = text;
    }
}

/// How many rounds the loops of a call may take together.
pub(crate) const ROUNDS_MAX: u32 = 10_000;
/// How deep calls may be nested.
pub(crate) const DEPTH_MAX: u32 = 400;
/// How many cells the objects may take that a call allocates, with one cell for each header.
pub(crate) const CELLS_MAX: usize = 20_000;

/// Counts rounds and nested calls, so that a call that does not end is a finding.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fuel {
    rounds: u32,
    depth: u32,
    cells: usize,
}

impl Fuel {
    #[inline(always)]
    pub(crate) fn step(&mut self) -> Result<(), Fault> {
        self.rounds += 1;
        if self.rounds > ROUNDS_MAX { Err(Reason::Endless.into()) } else { Ok(()) }
    }

    #[inline(always)]
    pub(crate) fn enter(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > DEPTH_MAX { Err(Reason::Depth.into()) } else { Ok(()) }
    }

    /// Counts the cells of a new object.
    #[inline(always)]
    pub(crate) fn allocate(&mut self, size: usize) -> Result<(), Fault> {
        self.cells += size.min(CELLS_MAX) + 1;
        if self.cells > CELLS_MAX { Err(Reason::Memory.into()) } else { Ok(()) }
    }

    #[inline(always)]
    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }
}
