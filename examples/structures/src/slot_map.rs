//! `slotmap` 1.1.1: values under keys that are never used again.

use everypath::{Driver, Parameters};
use slotmap::{DefaultKey, SlotMap};

/// A map, and all keys that it has given out, in their order.
#[derive(Clone, Default)]
pub struct Issued {
    map: SlotMap<DefaultKey, u8>,
    keys: Vec<DefaultKey>,
}

/// At most six keys in all. They are known by their number.
pub fn slot_map(parameters: &mut Parameters) -> Driver<Issued, Vec<Option<u8>>> {
    let most = parameters.number("keys", 6, 1..=9, "how many keys are given out");
    let values = |it: &Issued| it.keys.iter().map(|key| it.map.get(*key).copied()).collect();
    Driver::observed(Issued::default, |it| {
        let order: Vec<u8> = it.map.values().copied().collect();
        (it.keys.clone(), order, it.map.clone().insert(0))
    })
    .about("slotmap 1.1.1: values under keys that are never used again")
    .against(Vec::new)
    .both_if(
        "insert",
        1..=2,
        move |it, _| it.keys.len() < most,
        |it, value| {
            let key = it.map.insert(value);
            it.keys.push(key);
        },
        |list, value| list.push(Some(value)),
    )
    .both_if(
        "remove",
        0..most,
        |it, number| *number < it.keys.len(),
        |it, number| it.map.remove(it.keys[number]),
        |list, number| list[number].take(),
    )
    .both("len", (), |it, ()| it.map.len(), |list, ()| list.iter().flatten().count())
    .both("clear", (), |it, ()| it.map.clear(), |list, ()| list.fill(None))
    .agree("values", values, Vec::clone)
}
