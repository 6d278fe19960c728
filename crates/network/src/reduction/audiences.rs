//! Larger audiences of broadcasts, each of which shows what a smaller one shows.

use everypath_model::NodeId;
use rustc_hash::FxHashMap;

/// By sender and number of an audience: the nodes that each larger audience has besides.
#[derive(Default)]
pub(crate) struct MaximalAudiences {
    larger: FxHashMap<(usize, u32), Vec<Vec<NodeId>>>,
}

impl MaximalAudiences {
    /// What each larger audience has besides one of a sender's audiences, of which the largest come
    /// first.
    pub(crate) fn larger_than(
        &mut self,
        sender: usize,
        number: u32,
        audiences: &[Vec<NodeId>],
    ) -> &[Vec<NodeId>] {
        self.larger.entry((sender, number)).or_insert_with(|| {
            let own = &audiences[number as usize];
            let includes = |set: &&Vec<NodeId>| {
                set.len() > own.len() && own.iter().all(|node| set.contains(node))
            };
            let extra = |set: &Vec<NodeId>| {
                set.iter().copied().filter(|node| !own.contains(node)).collect::<Vec<_>>()
            };
            let mut all: Vec<Vec<NodeId>> =
                audiences[..number as usize].iter().filter(includes).map(extra).collect();
            // One with fewer nodes is possible whenever one with more is.
            all.reverse();
            let mut fewest: Vec<Vec<NodeId>> = Vec::new();
            for extra in all {
                if !fewest.iter().any(|fewer| fewer.iter().all(|node| extra.contains(node))) {
                    fewest.push(extra);
                }
            }
            fewest
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn larger_audiences_have_fewest_nodes_more() {
        let nodes = |numbers: &[u32]| numbers.iter().copied().map(NodeId).collect::<Vec<_>>();
        let audiences = [&[1, 2, 3][..], &[1, 2], &[1, 4], &[1], &[]].map(nodes);
        let mut larger = MaximalAudiences::default();
        assert_eq!(larger.larger_than(0, 3, &audiences), [nodes(&[4]), nodes(&[2])]);
        assert_eq!(larger.larger_than(0, 1, &audiences), [nodes(&[3])]);
        assert!(larger.larger_than(0, 0, &audiences).is_empty());
        assert_eq!(larger.larger_than(0, 4, &audiences), [nodes(&[1])]);
    }
}
