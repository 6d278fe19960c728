//! `slab` 0.4.12: values under numbers that are used again.

use std::collections::BTreeMap;

use everypath::{Driver, Parameters};
use slab::Slab;

/// The values, and the numbers that were given back, the last one at the end.
type Reference = (BTreeMap<usize, u8>, Vec<usize>);

fn calls(driver: Driver<Slab<u8>>) -> Driver<Slab<u8>, Reference> {
    let most = 3;
    driver
        .against(Reference::default)
        .both_if("insert", 1..=2, move |slab, _| slab.len() < most, |slab, it| slab.insert(it), {
            |(values, free), it| {
                let key = free.pop().unwrap_or(values.len());
                values.insert(key, it);
                key
            }
        })
        .both(
            "try_remove",
            0..most,
            |slab, key| slab.try_remove(key),
            |(values, free), key| {
                let removed = values.remove(&key);
                free.extend(removed.map(|_| key));
                removed
            },
        )
        .both("get", 0..most, |slab, key| slab.get(key).copied(), |it, key| it.0.get(&key).copied())
        .agree("values", |slab| slab.iter().map(|(k, v)| (k, *v)).collect(), |it| it.0.clone())
}

/// At most three values. Which numbers come next is observed by asking for them.
pub fn slab(_: &mut Parameters) -> Driver<Slab<u8>, Reference> {
    calls(Driver::observed(Slab::new, |slab| {
        let mut copy = slab.clone();
        let next: Vec<usize> = (0..4).map(|_| copy.insert(0)).collect();
        (slab.iter().map(|(key, value)| (key, *value)).collect::<Vec<_>>(), next)
    }))
    .about("slab 0.4.12: values under numbers that are used again")
}

/// The same, but only the values are observed: that misses the order of the numbers to come.
pub fn slab_by_content(_: &mut Parameters) -> Driver<Slab<u8>> {
    let content = |slab: &Slab<u8>| slab.iter().map(|(key, it)| (key, *it)).collect::<Vec<_>>();
    Driver::observed(Slab::new, content)
        .about("slab 0.4.12, observed by its values alone: --verify-determinism finds what that misses")
        .call_if("insert", 1..=2, |slab, _| slab.len() < 3, |slab, value| slab.insert(value))
        .call("try_remove", 0..3, |slab, key| slab.try_remove(key))
}
