//! Growing lists with little spare capacity.

/// Appends an item to a list that may become very large. A full list grows by an eighth instead of
/// doubling: ARQ to depth 45 then takes 23 bytes per state instead of 32. The allocator moves a
/// large list by changing the page table, not by copying, so this costs 1 % of time.
#[inline]
pub fn push<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        grow(list);
    }
    list.push(item);
}

#[cold]
fn grow<T>(list: &mut Vec<T>) {
    list.reserve_exact(list.len() / 8 + 16);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_is_spare() {
        let mut list = Vec::new();
        for item in 0..100_000 {
            push(&mut list, item);
            assert!(list.capacity() <= list.len() + list.len() / 8 + 16);
        }
        assert!(list.into_iter().eq(0..100_000));
    }
}
