//! Sharing parts of wide sums and products: the pair that occurs most often becomes a new member, again and again.
//!
//! The DAG shares whole sums and products only. `a+b+c` and `a+b+d` have nothing in common there; here `a+b` is
//! found. The method is that of pair-wise grammar compression (Larsson and Moffat's Re-Pair) on multisets.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hash;

/// Lists wider than this are cut into pieces: the number of pairs grows with the square.
const WIDEST: usize = 64;
/// Pairs looked at in all; lists beyond it are not shared (their cost is linear either way).
const PAIR_BUDGET: usize = 1_500_000;

/// How often a member occurs in a product, or with which coefficient in a sum.
pub(super) trait Weight: Copy {
    /// What two weights must have in common for the pair to be the same pair.
    type Relation: Copy + Eq + Hash + Ord;
    /// The relation of two members of one list.
    fn relation(a: Self, b: Self) -> Self::Relation;
    /// May a member pair with itself?
    fn self_pair(a: Self) -> Option<Self::Relation>;
    /// How many pairs there are in these weights.
    fn count(a: Self, b: Self, same: bool) -> u32;
    /// What remains of both when all these pairs are taken out, and the weight of the pair.
    fn take(a: Self, b: Self, same: bool) -> (Option<Self>, Option<Self>, Self);
    /// The weight of a member met twice.
    fn joined(a: Self, b: Self) -> Self;
}

/// Multiplicity in a product.
impl Weight for u32 {
    type Relation = ();
    fn relation(_: u32, _: u32) {}
    fn self_pair(a: u32) -> Option<()> {
        (a >= 2).then_some(())
    }
    fn count(a: u32, b: u32, same: bool) -> u32 {
        if same { a / 2 } else { a.min(b) }
    }
    fn take(a: u32, b: u32, same: bool) -> (Option<u32>, Option<u32>, u32) {
        let left = |n: u32| (n > 0).then_some(n);
        if same {
            return (left(a % 2), None, a / 2);
        }
        let n = a.min(b);
        (left(a - n), left(b - n), n)
    }
    fn joined(a: u32, b: u32) -> u32 {
        a + b
    }
}

/// Coefficient in a sum: the pair is a + (k_b/k_a)·b, its coefficient k_a.
impl Weight for f64 {
    type Relation = u64;
    fn relation(a: f64, b: f64) -> u64 {
        (b / a).to_bits()
    }
    fn self_pair(_: f64) -> Option<u64> {
        None
    }
    fn count(_: f64, _: f64, _: bool) -> u32 {
        1
    }
    fn take(a: f64, _: f64, _: bool) -> (Option<f64>, Option<f64>, f64) {
        (None, None, a)
    }
    fn joined(a: f64, b: f64) -> f64 {
        a + b
    }
}

/// A pair: two members, the first not greater than the second, and their relation.
pub(super) type Pair<W> = (u32, u32, <W as Weight>::Relation);

/// Replaces pairs that occur twice or more by new members, numbered from `first_new`. Returns them in order of creation:
/// a pair consists of older members only.
pub(super) fn share_pairs<W: Weight>(lists: &mut [Vec<(u32, W)>], first_new: u32) -> Vec<Pair<W>> {
    if lists.iter().all(|list| list.len() <= WIDEST) {
        return share_in_pieces(lists, first_new);
    }
    let owners = lists.iter().enumerate().flat_map(|(i, list)| list.chunks(WIDEST).map(move |_| i));
    let owners: Vec<usize> = owners.collect();
    let mut pieces: Vec<Vec<(u32, W)>> = lists.iter().flat_map(|list| list.chunks(WIDEST).map(<[_]>::to_vec)).collect();
    let pairs = share_in_pieces(&mut pieces, first_new);
    lists.iter_mut().for_each(Vec::clear);
    for (owner, piece) in owners.into_iter().zip(pieces) {
        for (member, weight) in piece {
            // Two pieces of one list may have come to the same pair.
            match lists[owner].iter_mut().find(|(m, _)| *m == member && member >= first_new) {
                Some((_, w)) => *w = W::joined(*w, weight),
                None => lists[owner].push((member, weight)),
            }
        }
    }
    pairs
}

fn share_in_pieces<W: Weight>(lists: &mut [Vec<(u32, W)>], first_new: u32) -> Vec<Pair<W>> {
    let mut pairs: Vec<Pair<W>> = Vec::new();
    let mut where_found: FxHashMap<Pair<W>, Vec<u32>> = FxHashMap::default();
    let mut seen = 0;
    for (i, list) in lists.iter().enumerate() {
        seen += list.len() * (list.len() + 1) / 2;
        if seen > PAIR_BUDGET {
            break;
        }
        for (j, &(a, x)) in list.iter().enumerate() {
            if let Some(relation) = W::self_pair(x) {
                where_found.entry((a, a, relation)).or_default().push(i as u32);
            }
            for &(b, y) in &list[j + 1..] {
                where_found.entry(ordered((a, x), (b, y))).or_default().push(i as u32);
            }
        }
    }
    let count = |lists: &[Vec<(u32, W)>], pair: Pair<W>, found: &[u32]| -> u32 {
        found.iter().map(|&i| occurrences(&lists[i as usize], pair)).sum()
    };
    // A pair of old members never becomes more frequent.
    where_found.retain(|&pair, found| count(lists, pair, found) >= 2);
    let mut queue: BinaryHeap<(u32, Reverse<Pair<W>>)> =
        where_found.iter().map(|(&pair, found)| (count(lists, pair, found), Reverse(pair))).collect();
    while let Some((promised, Reverse(pair))) = queue.pop() {
        let Some(found) = where_found.get(&pair) else { continue };
        // Lists have changed since the pair was queued: what was promised is an upper bound.
        let now = count(lists, pair, found);
        if now < promised {
            if now >= 2 {
                queue.push((now, Reverse(pair)));
            }
            continue;
        }
        let Some(found) = where_found.remove(&pair) else { continue };
        let new = first_new + pairs.len() as u32;
        pairs.push(pair);
        let mut touched: Vec<Pair<W>> = Vec::new();
        for i in found {
            let list = &mut lists[i as usize];
            if occurrences(list, pair) == 0 {
                continue;
            }
            replace(list, pair, new);
            let Some(&(_, weight)) = list.last() else { continue };
            if let Some(relation) = W::self_pair(weight) {
                let key = (new, new, relation);
                where_found.entry(key).or_default().push(i);
                touched.push(key);
            }
            let others = list.len() - 1;
            for &(b, y) in &list[..others] {
                let key = ordered((b, y), (new, weight));
                where_found.entry(key).or_default().push(i);
                touched.push(key);
            }
        }
        touched.sort_unstable();
        touched.dedup();
        for key in touched {
            let n = count(lists, key, &where_found[&key]);
            if n >= 2 {
                queue.push((n, Reverse(key)));
            }
        }
    }
    pairs
}

fn ordered<W: Weight>((a, x): (u32, W), (b, y): (u32, W)) -> Pair<W> {
    if a <= b { (a, b, W::relation(x, y)) } else { (b, a, W::relation(y, x)) }
}

fn occurrences<W: Weight>(list: &[(u32, W)], (a, b, relation): Pair<W>) -> u32 {
    let weight = |m: u32| list.iter().find(|(member, _)| *member == m).map(|(_, w)| *w);
    match (weight(a), weight(b)) {
        (Some(x), Some(y)) if a == b && W::self_pair(x).is_some() => W::count(x, y, true),
        _ if a == b => 0,
        (Some(x), Some(y)) if W::relation(x, y) == relation => W::count(x, y, false),
        _ => 0,
    }
}

/// Takes the pair out and puts the new member at the end.
fn replace<W: Weight>(list: &mut Vec<(u32, W)>, (a, b, _): Pair<W>, new: u32) {
    let find = |list: &[(u32, W)], m: u32| list.iter().position(|(member, _)| *member == m);
    let (Some(i), Some(j)) = (find(list, a), find(list, b)) else { return };
    let (left_a, left_b, weight) = W::take(list[i].1, list[j].1, i == j);
    if i == j {
        match left_a {
            Some(w) => list[i].1 = w,
            None => {
                list.remove(i);
            }
        }
    } else {
        let mut gone: Vec<usize> = Vec::new();
        for (at, left) in [(i, left_a), (j, left_b)] {
            match left {
                Some(w) => list[at].1 = w,
                None => gone.push(at),
            }
        }
        gone.sort_unstable();
        for at in gone.into_iter().rev() {
            list.remove(at);
        }
    }
    list.push((new, weight));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_pair_of_a_sum_becomes_a_member() {
        // a+b+c, a+b+d, 2a+2b: all contain a+b.
        let mut lists =
            vec![vec![(0, 1.0), (1, 1.0), (2, 1.0)], vec![(0, 1.0), (1, 1.0), (3, 1.0)], vec![(0, 2.0), (1, 2.0)]];
        let pairs = share_pairs(&mut lists, 10);
        assert_eq!(pairs, [(0, 1, 1.0f64.to_bits())]);
        assert_eq!(lists, [vec![(2, 1.0), (10, 1.0)], vec![(3, 1.0), (10, 1.0)], vec![(10, 2.0)]]);
    }

    #[test]
    fn powers_are_built_by_squaring_and_shared() {
        // x⁸ and x⁵·y: x² and x⁴ are shared.
        let mut lists = vec![vec![(0, 8u32)], vec![(0, 5), (1, 1)]];
        let pairs = share_pairs(&mut lists, 10);
        assert_eq!(pairs, [(0, 0, ()), (10, 10, ())]);
        assert_eq!(lists, [vec![(11, 2)], vec![(0, 1), (1, 1), (11, 1)]]);
    }
}
