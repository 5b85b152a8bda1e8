//! Copies that reuse memory.

/// Implements `Clone` for a type whose `grown` fields have memory of their own; the others are copied. Where there is
/// room already, its `clone_from` allocates nothing, and copies nothing twice. The derived one drops what there was.
macro_rules! clone_in_place {
    ($type:ident: $($grown:ident),*; $($copied:ident),*) => {
        impl Clone for $type {
            fn clone(&self) -> Self {
                Self { $($grown: self.$grown.clone(),)* $($copied: self.$copied),* }
            }

            fn clone_from(&mut self, other: &Self) {
                $(self.$grown.clone_from(&other.$grown);)*
                $(self.$copied = other.$copied;)*
            }
        }
    };
}
pub(crate) use clone_in_place;
