//! `indexmap` 2: a map that keeps the order of insertion.

use everypath::{Driver, Parameters};
use indexmap::IndexMap;

type Map = IndexMap<u8, u8>;
type List = Vec<(u8, u8)>;

fn place(list: &List, key: u8) -> Option<usize> {
    list.iter().position(|(other, _)| *other == key)
}

fn insert(list: &mut List, (key, value): (u8, u8)) -> (usize, Option<u8>) {
    let found = place(list, key);
    let place = found.unwrap_or(list.len());
    let before = found.map(|place| list.remove(place).1);
    list.insert(place, (key, value));
    (place, before)
}

/// A map of a few keys to two values.
pub fn index_map(parameters: &mut Parameters) -> Driver<Map, List> {
    let keys = parameters.number("keys", 5, 1..=9, "how many keys there are") as u8;
    let entries = |map: &Map| map.iter().map(|(k, v)| (*k, *v)).collect::<List>();
    let places = 0..usize::from(keys);
    Driver::observed(Map::new, entries)
        .about("indexmap 2: a map that keeps the order of insertion")
        .against(List::new)
        .both("insert_full", (1..=keys, 0..=1), |map, (k, v)| map.insert_full(k, v), insert)
        .both(
            "swap_remove",
            1..=keys,
            |map, k| map.swap_remove(&k),
            |list, k| Some(list.swap_remove(place(list, k)?).1),
        )
        .both(
            "shift_remove",
            1..=keys,
            |map, k| map.shift_remove(&k),
            |list, k| Some(list.remove(place(list, k)?).1),
        )
        .both("pop", (), |map, ()| map.pop(), |list, ()| list.pop())
        .both("get_index_of", 1..=keys, |map, k| map.get_index_of(&k), |list, k| place(list, k))
        .both_if(
            "move_index",
            (places.clone(), places),
            |map, &(from, to)| from.max(to) < map.len(),
            |map, (from, to)| map.move_index(from, to),
            |list, (from, to)| {
                let moved = list.remove(from);
                list.insert(to, moved);
            },
        )
        .both("sort_keys", (), |map, ()| map.sort_keys(), |list, ()| list.sort())
        .agree("entries", entries, List::clone)
}
