//! `bimap` 0.6.3: pairs in which each side is unique.

use std::collections::BTreeSet;

use bimap::{BiHashMap, Overwritten};
use everypath::{Driver, Parameters};

type Map = BiHashMap<u8, u8>;
type Pairs = BTreeSet<(u8, u8)>;

fn insert(pairs: &mut Pairs, (left, right): (u8, u8)) -> Overwritten<u8, u8> {
    let on_left = pairs.iter().find(|it| it.0 == left).copied();
    let on_right = pairs.iter().find(|it| it.1 == right).copied();
    pairs.retain(|it| it.0 != left && it.1 != right);
    pairs.insert((left, right));
    match (on_left, on_right) {
        (None, None) => Overwritten::Neither,
        (Some(it), Some(other)) if it == other => Overwritten::Pair(it.0, it.1),
        (Some(it), None) => Overwritten::Left(it.0, it.1),
        (None, Some(it)) => Overwritten::Right(it.0, it.1),
        (Some(it), Some(other)) => Overwritten::Both(it, other),
    }
}

/// Pairs of four numbers with four others.
pub fn bi_map(_: &mut Parameters) -> Driver<Map, Pairs> {
    let pairs = |map: &Map| map.iter().map(|(left, right)| (*left, *right)).collect::<Pairs>();
    Driver::observed(Map::new, pairs)
        .about("bimap 0.6.3: pairs in which each side is unique")
        .against(Pairs::new)
        .both("insert", (1..=4, 1..=4), |map, (left, right)| map.insert(left, right), insert)
        .both(
            "remove_by_left",
            1..=4,
            |map, left| map.remove_by_left(&left),
            |pairs, left| {
                let found = pairs.iter().find(|it| it.0 == left).copied();
                found.filter(|found| pairs.remove(found))
            },
        )
        .both(
            "get_by_right",
            1..=4,
            |map, right| map.get_by_right(&right).copied(),
            |it, right| it.iter().find(|it| it.1 == right).map(|it| it.0),
        )
        .both("len", (), |map, ()| map.len(), |pairs, ()| pairs.len())
        .agree("pairs", pairs, Pairs::clone)
}
