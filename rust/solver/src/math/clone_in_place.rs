//! Copies that reuse memory.

/// Implements `Clone` for a type whose fields can be copied, but for those that are named. Where these have
/// room already, its `clone_from` allocates nothing. The derived one drops what they had.
macro_rules! clone_in_place {
    ($copied:ident: $($grown:ident),*) => {
        impl Clone for $copied {
            fn clone(&self) -> Self {
                Self { $($grown: self.$grown.clone(),)* ..*self }
            }

            fn clone_from(&mut self, other: &Self) {
                $(
                    let mut $grown = std::mem::take(&mut self.$grown);
                    $grown.clone_from(&other.$grown);
                )*
                *self = Self { $($grown,)* ..*other };
            }
        }
    };
}
pub(crate) use clone_in_place;
