//! Growing lists with little spare capacity.

/// Puts an item at the end of a list that may become very large. If there is no room, it grows by
/// an eighth instead of doubling: 23 bytes per state are left of 32 on ARQ to depth 45. The
/// allocator moves a large list by changing the page table, not by copying: it costs 1 % of time.
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
