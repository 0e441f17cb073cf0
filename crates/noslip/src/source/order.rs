//! The order in which things that refer to each other can be worked out.

/// Everything after what it refers to, and the circles that make this impossible (each starting at its smallest member).
/// Members of a circle are in the order too, in no particular place.
pub(crate) fn dependencies_first(refers_to: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; refers_to.len()];
    let (mut order, mut circles) = (Vec::new(), Vec::new());
    for start in 0..refers_to.len() {
        if marks[start] != Mark::New {
            continue;
        }
        marks[start] = Mark::Open;
        let mut path = vec![(start, 0)];
        while let Some((at, next)) = path.last_mut() {
            let Some(&to) = refers_to[*at].get(*next) else {
                marks[*at] = Mark::Done;
                order.push(*at);
                path.pop();
                continue;
            };
            *next += 1;
            match marks[to] {
                Mark::New => {
                    marks[to] = Mark::Open;
                    path.push((to, 0));
                }
                Mark::Open => {
                    let from = path.iter().position(|(x, _)| *x == to).unwrap_or(0);
                    let mut circle: Vec<usize> = path[from..].iter().map(|(x, _)| *x).collect();
                    let smallest = (0..circle.len()).min_by_key(|&i| circle[i]).unwrap_or(0);
                    circle.rotate_left(smallest);
                    circles.push(circle);
                }
                Mark::Done => {}
            }
        }
    }
    (order, circles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_referred_to_comes_first_and_circles_are_named() {
        let (order, circles) = dependencies_first(&[vec![1, 2], vec![2], vec![], vec![0]]);
        assert_eq!((order, circles.len()), (vec![2, 1, 0, 3], 0));
        let (_, circles) = dependencies_first(&[vec![], vec![2], vec![3, 0], vec![1], vec![4]]);
        assert_eq!(circles, [vec![1, 2, 3], vec![4]]);
        // A chain too long for recursion.
        let chain: Vec<Vec<usize>> = (0..1_000_000).map(|i| if i < 999_999 { vec![i + 1] } else { vec![] }).collect();
        assert_eq!(dependencies_first(&chain).0[0], 999_999);
    }
}
