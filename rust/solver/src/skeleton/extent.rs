//! How much a modifier consists of, for what it keeps from pass to pass.

/// How many joints, effectors and feet a modifier has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// The joints of its chain.
    pub(crate) joints: usize,
    /// Further tips. The joints of their branches are among those that it turns, not among the others.
    pub(crate) effectors: usize,
    pub(crate) feet: usize,
}

/// What may be kept. Whether its numbers are finite is known before.
pub(crate) trait Keepable {
    /// Whether a modifier of that extent could have left it: as many joints and feet, and no index of one
    /// that is not there.
    fn fits(&self, extent: Extent) -> bool;
}

impl<T: Keepable> Keepable for Option<T> {
    fn fits(&self, extent: Extent) -> bool {
        self.as_ref().is_none_or(|kept| kept.fits(extent))
    }
}

/// Whether a list is that of all of `count` things, or of none of them.
pub(crate) fn is_of_all<T>(list: &[T], count: usize) -> bool {
    list.is_empty() || list.len() == count
}
