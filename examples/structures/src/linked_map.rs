//! `hashlink` 0.12.2: a map with an order that can be changed.

use everypath::{Driver, Parameters};
use hashlink::LinkedHashMap;

type Map = LinkedHashMap<u8, u8>;
type List = Vec<(u8, u8)>;

fn take(list: &mut List, key: u8) -> Option<u8> {
    let place = list.iter().position(|(other, _)| *other == key)?;
    Some(list.remove(place).1)
}

fn insert(list: &mut List, (key, value): (u8, u8)) -> Option<u8> {
    let before = take(list, key);
    list.push((key, value));
    before
}

fn replace(list: &mut List, (key, value): (u8, u8)) -> Option<u8> {
    match list.iter_mut().find(|(other, _)| *other == key) {
        Some(entry) => Some(std::mem::replace(&mut entry.1, value)),
        None => insert(list, (key, value)),
    }
}

/// A map of a few keys to two values.
pub fn linked_map(parameters: &mut Parameters) -> Driver<Map, List> {
    let keys = parameters.number("keys", 5, 1..=9, "how many keys there are") as u8;
    let entries = |map: &Map| map.iter().map(|(k, v)| (*k, *v)).collect::<List>();
    Driver::observed(Map::new, entries)
        .about("hashlink 0.12.2: a map with an order that can be changed")
        .against(List::new)
        .both("insert", (1..=keys, 0..=1), |map, (k, v)| map.insert(k, v), insert)
        .both("replace", (1..=keys, 0..=1), |map, (k, v)| map.replace(k, v), replace)
        .both(
            "to_front",
            1..=keys,
            |map, k| map.to_front(&k).copied(),
            |list, k| {
                let value = take(list, k)?;
                list.insert(0, (k, value));
                Some(value)
            },
        )
        .both("remove", 1..=keys, |map, k| map.remove(&k), take)
        .both(
            "pop_front",
            (),
            |map, ()| map.pop_front(),
            |list, ()| (!list.is_empty()).then(|| list.remove(0)),
        )
        .both("pop_back", (), |map, ()| map.pop_back(), |list, ()| list.pop())
        .agree("entries", entries, List::clone)
}
