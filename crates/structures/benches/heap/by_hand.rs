//! Searches as one writes them by hand: plain Rust values, cloned, changed, and kept in a `HashSet`.

use std::{collections::HashSet, hash::Hash};

/// The subjects that are written by hand.
pub const SUBJECTS: [&str; 5] = ["stack", "deque", "bst", "heaparray", "ubstack"];

/// How many states a subject has within a bound.
pub fn search(subject: &str, bound: u32) -> Option<u64> {
    let n = bound as u8;
    Some(match subject {
        "stack" => count(Vec::new(), bound, |stack: &Vec<u8>, next| {
            (1..=n).for_each(|value| next(changed(stack, |stack| stack.push(value))));
            next(changed(stack, |stack| _ = stack.pop()));
        }),
        "deque" => count(Vec::new(), bound, |list: &Vec<u8>, next| {
            for value in 1..=n {
                next(changed(list, |list| {
                    if !list.contains(&value) {
                        list.push(value);
                    }
                }));
                next(changed(list, |list| {
                    if let Some(at) = list.iter().position(|&it| it == value) {
                        list.remove(at);
                    }
                }));
            }
        }),
        "bst" => count(Tree::default(), bound, |tree: &Tree, next| {
            for info in 1..=n {
                next(changed(tree, |tree| tree.add(info)));
                next(changed(tree, |tree| tree.remove(info)));
            }
        }),
        "heaparray" => count(Heap::default(), bound, |heap: &Heap, next| {
            (1..=n).for_each(|value| next(changed(heap, |heap| heap.insert(value))));
            next(changed(heap, Heap::extract_max));
        }),
        "ubstack" => count((0, vec![0; n.into()]), bound, |stack: &(usize, Vec<u8>), next| {
            (1..=n).for_each(|value| next(changed(stack, |stack| push_distinct(stack, value))));
            next(changed(stack, |stack| stack.0 = stack.0.saturating_sub(1)));
        }),
        _ => return None,
    })
}

/// Searches breadth-first.
fn count<S: Clone + Eq + Hash>(
    initial: S,
    depth: u32,
    expand: impl Fn(&S, &mut dyn FnMut(S)),
) -> u64 {
    let mut seen = HashSet::from([initial.clone()]);
    let mut level = vec![initial];
    for _ in 0..depth {
        let mut next = Vec::new();
        for state in &level {
            expand(state, &mut |target| {
                if !seen.contains(&target) {
                    seen.insert(target.clone());
                    next.push(target);
                }
            });
        }
        level = next;
    }
    seen.len() as u64
}

fn changed<S: Clone>(state: &S, change: impl FnOnce(&mut S)) -> S {
    let mut state = state.clone();
    change(&mut state);
    state
}

fn push_distinct((count, slots): &mut (usize, Vec<u8>), value: u8) {
    if let Some(at) = slots[..*count].iter().position(|&it| it == value) {
        slots[at..*count].rotate_left(1);
    } else if *count < slots.len() {
        slots[*count] = value;
        *count += 1;
    }
}

#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Tree {
    size: u8,
    root: Link,
}

type Link = Option<Box<Node>>;

#[derive(Clone, PartialEq, Eq, Hash)]
struct Node {
    info: u8,
    left: Link,
    right: Link,
}

impl Tree {
    fn add(&mut self, info: u8) {
        let mut link = &mut self.root;
        while let Some(node) = link {
            if node.info == info {
                return;
            }
            link = if info < node.info { &mut node.left } else { &mut node.right };
        }
        *link = Some(Box::new(Node { info, left: None, right: None }));
        self.size += 1;
    }

    fn remove(&mut self, info: u8) {
        let mut link = &mut self.root;
        while link.as_ref().is_some_and(|node| node.info != info) {
            let node = link.as_mut().expect("just seen");
            link = if info < node.info { &mut node.left } else { &mut node.right };
        }
        let Some(mut node) = link.take() else { return };
        self.size -= 1;
        *link = match (node.left.take(), node.right.take()) {
            (None, rest) | (rest, None) => rest,
            (left, right) => {
                let mut left = left;
                node.info = take_last(&mut left);
                (node.left, node.right) = (left, right);
                Some(node)
            }
        };
    }
}

/// Removes the largest value of a tree that is not empty.
fn take_last(mut link: &mut Link) -> u8 {
    while link.as_ref().is_some_and(|node| node.right.is_some()) {
        link = &mut link.as_mut().expect("just seen").right;
    }
    let node = link.take().expect("the tree is not empty");
    *link = node.left;
    node.info
}

/// A heap whose array grows by one: free slots are zero.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
struct Heap {
    size: usize,
    slots: Vec<u8>,
}

impl Heap {
    fn insert(&mut self, value: u8) {
        if self.size == self.slots.len() {
            self.slots.push(0);
        }
        let mut at = self.size;
        self.size += 1;
        self.slots[at] = value;
        while at > 0 && self.slots[(at - 1) / 2] < self.slots[at] {
            self.slots.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn extract_max(&mut self) {
        if self.size == 0 {
            return;
        }
        self.size -= 1;
        self.slots[0] = self.slots[self.size];
        self.slots[self.size] = 0;
        let mut at = 0;
        loop {
            let mut son = 2 * at + 1;
            if son >= self.size {
                return;
            }
            if son + 1 < self.size && self.slots[son] < self.slots[son + 1] {
                son += 1;
            }
            if self.slots[at] >= self.slots[son] {
                return;
            }
            self.slots.swap(at, son);
            at = son;
        }
    }
}
