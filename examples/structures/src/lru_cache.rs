//! `lru` 0.19.0: a map that forgets the least recently used entry.

use std::num::NonZeroUsize;

use everypath::{Driver, Parameters};
use lru::LruCache;

/// A list of entries, the most recent first, and how many there may be.
type Recent = (Vec<(u8, u8)>, usize);

fn take(list: &mut Vec<(u8, u8)>, key: u8) -> Option<u8> {
    let place = list.iter().position(|(other, _)| *other == key)?;
    Some(list.remove(place).1)
}

fn put((list, most): &mut Recent, (key, value): (u8, u8)) -> Option<u8> {
    let before = take(list, key);
    list.insert(0, (key, value));
    list.truncate(*most);
    before
}

/// A cache of at most two entries, which can be resized.
pub fn lru_cache(parameters: &mut Parameters) -> Driver<LruCache<u8, u8>, Recent> {
    let keys = parameters.number("keys", 5, 1..=9, "how many keys there are") as u8;
    let size = |most| NonZeroUsize::new(most).expect("it is not zero");
    let entries = |lru: &LruCache<u8, u8>| lru.iter().map(|(k, v)| (*k, *v)).collect::<Vec<_>>();
    Driver::observed(move || LruCache::new(size(2)), move |lru| (entries(lru), lru.cap()))
        .about("lru 0.19.0: a map that forgets the least recently used entry")
        .constructor("lru::LruCache::new(2.try_into().unwrap())")
        .against(|| (Vec::new(), 2))
        .both("put", (1..=keys, 0..=1), |lru, (k, v)| lru.put(k, v), put)
        .both(
            "get",
            1..=keys,
            |lru, k| lru.get(&k).copied(),
            |it, k| {
                let value = take(&mut it.0, k)?;
                it.0.insert(0, (k, value));
                Some(value)
            },
        )
        .both("pop", 1..=keys, |lru, k| lru.pop(&k), |it, k| take(&mut it.0, k))
        .both("pop_lru", (), |lru, ()| lru.pop_lru(), |it, ()| it.0.pop())
        .both(
            "resize",
            1..=3,
            move |lru, most| lru.resize(size(most)),
            |it, most| {
                it.0.truncate(most);
                it.1 = most;
            },
        )
        .agree("entries", entries, |it| it.0.clone())
}
