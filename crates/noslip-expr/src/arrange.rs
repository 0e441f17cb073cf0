//! Sorting lists that are short, or sorted seldom: one sort for all types.
//!
//! The standard library's sorts are compiled anew for every list they sort, some seven kilobytes each: together a twelfth of the code. These are
//! compiled once, for places alone; each list adds its comparison and its moves. They are stable. Where polynomials and terms are
//! put in order again and again, the standard library sorts.

use std::cmp::Ordering;

/// Sorting with little code.
pub trait Arrange<T> {
    /// By a comparison.
    fn arrange_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// By their own order.
    fn arrange(&mut self)
    where
        T: Ord,
    {
        self.arrange_by(T::cmp);
    }

    /// By a key, which is computed once for each.
    fn arrange_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);
}

impl<T> Arrange<T> for [T] {
    fn arrange_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        if self.len() > 1 {
            let order = order(self.len(), &|i, j| compare(&self[i], &self[j]).is_gt());
            bring(self, order);
        }
    }

    fn arrange_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K) {
        if self.len() > 1 {
            let keys: Vec<K> = self.iter().map(key).collect();
            let order = order(keys.len(), &|i, j| keys[i] > keys[j]);
            bring(self, order);
        }
    }
}

/// Runs of this length are sorted by insertion.
const RUN: usize = 12;

/// What comes first, second and so on: of two in the wrong order the second comes first, of others the first.
fn order(n: usize, wrong: &dyn Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut list: Vec<usize> = (0..n).collect();
    for run in list.chunks_mut(RUN) {
        for end in 1..run.len() {
            let new = run[end];
            let mut at = end;
            while at > 0 && wrong(run[at - 1], new) {
                run[at] = run[at - 1];
                at -= 1;
            }
            run[at] = new;
        }
    }
    let mut length = RUN;
    let mut left = Vec::new();
    while length < n {
        for pair in list.chunks_mut(2 * length) {
            if pair.len() <= length || !wrong(pair[length - 1], pair[length]) {
                continue;
            }
            left.clear();
            left.extend_from_slice(&pair[..length]);
            let (mut i, mut j) = (0, length);
            for to in 0..pair.len() {
                // What is left of the second run stands where it belongs.
                let Some(&first) = left.get(i) else { break };
                if j < pair.len() && wrong(first, pair[j]) {
                    pair[to] = pair[j];
                    j += 1;
                } else {
                    pair[to] = first;
                    i += 1;
                }
            }
        }
        length *= 2;
    }
    list
}

/// Brings what `order` names to its place.
fn bring<T>(list: &mut [T], mut order: Vec<usize>) {
    for start in 0..list.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start || from == at {
                break;
            }
            list.swap(at, from);
            at = from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Arrange;

    #[test]
    fn lists_are_sorted_as_the_standard_library_does() {
        let mut state = 3u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        for n in (0..60).chain([100, 191, 192, 193, 1000]) {
            for different in [1, 2, 10, 1000] {
                let mut list: Vec<(u64, usize)> = (0..n).map(|i| (below(different), i)).collect();
                let mut want = list.clone();
                want.sort_by_key(|x| x.0);
                let mut by_key = list.clone();
                by_key.arrange_by_key(|x| x.0);
                assert_eq!(by_key, want);
                list.arrange_by(|a, b| a.0.cmp(&b.0));
                assert_eq!(list, want);
                list.reverse();
                list.arrange();
                want.sort();
                assert_eq!(list, want);
            }
        }
    }
}
