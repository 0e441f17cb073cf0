//! The shortest way through a saddle system that is comfortably regular, for one state or for several side by side.

/// Smallest pivot, relative to what it was before elimination, that the shortest way accepts: it loses at most three digits.
const GOOD_PIVOT: f64 = 1e-3;

/// One number, or one for each of several states that are computed side by side.
pub(super) trait Lane: Copy {
    const ZERO: Self;
    const ONE: Self;
    fn times(self, other: Self) -> Self;
    fn reciprocal(self) -> Self;
    /// self + a b
    fn plus(self, a: Self, b: Self) -> Self;
    /// self − a b
    fn minus(self, a: Self, b: Self) -> Self;
    /// self where the pivot is positive and not small against what it was, 0 elsewhere.
    fn unless_small(self, pivot: Self, before: Self) -> Self;
}

impl Lane for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    #[inline(always)]
    fn times(self, other: f64) -> f64 {
        self * other
    }

    #[inline(always)]
    fn reciprocal(self) -> f64 {
        1.0 / self
    }

    #[inline(always)]
    fn plus(self, a: f64, b: f64) -> f64 {
        self + a * b
    }

    #[inline(always)]
    fn minus(self, a: f64, b: f64) -> f64 {
        self - a * b
    }

    #[inline(always)]
    fn unless_small(self, pivot: f64, before: f64) -> f64 {
        if pivot > GOOD_PIVOT * before && pivot > 0.0 { self } else { 0.0 }
    }
}

impl<const W: usize> Lane for [f64; W] {
    const ZERO: Self = [0.0; W];
    const ONE: Self = [1.0; W];

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        std::array::from_fn(|w| self[w] * other[w])
    }

    #[inline(always)]
    fn reciprocal(self) -> Self {
        self.map(|x| 1.0 / x)
    }

    #[inline(always)]
    fn plus(self, a: Self, b: Self) -> Self {
        std::array::from_fn(|w| self[w] + a[w] * b[w])
    }

    #[inline(always)]
    fn minus(self, a: Self, b: Self) -> Self {
        std::array::from_fn(|w| self[w] - a[w] * b[w])
    }

    #[inline(always)]
    fn unless_small(self, pivot: Self, before: Self) -> Self {
        std::array::from_fn(|w| self[w].unless_small(pivot[w], before[w]))
    }
}

/// Numbers of work space that [`complement`] needs.
pub(super) const fn work_size(n: usize, k: usize) -> usize {
    n * n + n * k + k * k + 2 * (n + k)
}

/// The shortest way, for M well inside the positive definite matrices and constraints well independent: M = L D Lᵀ, then the
/// Schur complement (A M⁻¹ Aᵀ) λ = b − A M⁻¹ f, without pivoting. Returns 1 where all went well and 0 where a
/// pivot was small and the results are worthless.
#[inline(always)]
pub(super) fn complement<T: Lane>(
    n: usize,
    k: usize,
    [m, a, f, b]: [&[T]; 4],
    work: &mut [T],
    x: &mut [T],
    lambda: &mut [T],
) -> T {
    let (m, a, f, b) = (&m[..n * n], &a[..k * n], &f[..n], &b[..k]);
    let (x, lambda) = (&mut x[..n], &mut lambda[..k]);
    let (l, work) = work.split_at_mut(n * n);
    // L⁻¹ Aᵀ, one row per coordinate, and L⁻¹ f.
    let (wa, work) = work.split_at_mut(n * k);
    let (wf, work) = work.split_at_mut(n);
    let (inverse, work) = work.split_at_mut(n);
    let (s, work) = work.split_at_mut(k * k);
    let (inverse_s, work) = work.split_at_mut(k);
    let diagonal = &mut work[..k];
    let mut good = T::ONE;
    for i in 0..n {
        l[i * n..=i * n + i].copy_from_slice(&m[i * n..=i * n + i]);
        wf[i] = f[i];
        for r in 0..k {
            wa[i * k + r] = a[r * n + i];
        }
    }
    for c in 0..n {
        let pivot = l[c * n + c];
        good = good.unless_small(pivot, m[c * n + c]);
        inverse[c] = pivot.reciprocal();
        for i in c + 1..n {
            let factor = l[i * n + c].times(inverse[c]);
            for j in c + 1..=i {
                l[i * n + j] = l[i * n + j].minus(factor, l[j * n + c]);
            }
            wf[i] = wf[i].minus(factor, wf[c]);
            for r in 0..k {
                wa[i * k + r] = wa[i * k + r].minus(factor, wa[c * k + r]);
            }
        }
    }
    for r in 0..k {
        let mut sum = b[r];
        for q in 0..=r {
            s[r * k + q] = T::ZERO;
        }
        for i in 0..n {
            let y = wa[i * k + r].times(inverse[i]);
            sum = sum.minus(y, wf[i]);
            for q in 0..=r {
                s[r * k + q] = s[r * k + q].plus(y, wa[i * k + q]);
            }
        }
        lambda[r] = sum;
        diagonal[r] = s[r * k + r];
    }
    for c in 0..k {
        let pivot = s[c * k + c];
        good = good.unless_small(pivot, diagonal[c]);
        inverse_s[c] = pivot.reciprocal();
        for r in c + 1..k {
            let factor = s[r * k + c].times(inverse_s[c]);
            for q in c + 1..=r {
                s[r * k + q] = s[r * k + q].minus(factor, s[q * k + c]);
            }
            lambda[r] = lambda[r].minus(factor, lambda[c]);
        }
    }
    for r in (0..k).rev() {
        let mut sum = lambda[r];
        for q in r + 1..k {
            sum = sum.minus(s[q * k + r], lambda[q]);
        }
        lambda[r] = sum.times(inverse_s[r]);
    }
    for i in (0..n).rev() {
        let mut sum = wf[i];
        for r in 0..k {
            sum = sum.plus(wa[i * k + r], lambda[r]);
        }
        for j in i + 1..n {
            sum = sum.minus(l[j * n + i], x[j]);
        }
        x[i] = sum.times(inverse[i]);
    }
    good
}

/// The shortest way for one size: M, A, f, b; accelerations; multipliers. Returns 1 or 0.
pub(super) type Fast = fn([&[f64]; 4], &mut [f64], &mut [f64]) -> f64;

/// The shortest way for n coordinates and k constraints with the sizes built in, if there is one: loops of constant length
/// over local variables.
pub(super) fn unrolled(n: usize, k: usize) -> Option<Fast> {
    macro_rules! table {
        ($($n:literal $k:literal),+ $(,)?) => {
            match (n, k) {
                $(($n, $k) => Some(|input, x, lambda| {
                    complement($n, $k, input, &mut [0.0; work_size($n, $k)], x, lambda)
                }),)+
                _ => None,
            }
        };
    }
    table!(
        1 0, 2 0, 3 0, 4 0, 5 0, 6 0, 7 0, 8 0, 2 1, 3 1, 4 1, 5 1, 6 1, 7 1, 8 1, 3 2, 4 2, 5 2, 6 2, 7 2, 8 2, 4 3, 5 3, 6 3,
        7 3, 8 3, 5 4, 6 4, 7 4, 8 4,
    )
}
