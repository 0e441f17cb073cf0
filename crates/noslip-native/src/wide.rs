//! Ordinary code for wider registers than the build asks for, where the machine has them.

/// A piece of work, in which loops over lanes become vector instructions.
pub trait Wide {
    /// What comes out.
    type Output;

    /// Does it. Mark it and what it calls `#[inline(always)]`: only what is inlined is compiled for wider registers. No operations are
    /// fused, so the numbers are the same for all of them.
    fn run(self) -> Self::Output;
}

/// Does the work by the widest registers that this machine has.
#[inline]
pub fn widest<W: Wide>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512dq")
            && std::arch::is_x86_feature_detected!("avx512vl")
        {
            // SAFETY: the machine has these instructions.
            return unsafe { eight(work) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the machine has these instructions.
            return unsafe { four(work) };
        }
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
fn eight<W: Wide>(work: W) -> W::Output {
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn four<W: Wide>(work: W) -> W::Output {
    work.run()
}
