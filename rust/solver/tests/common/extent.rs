//! How much the tests try.

/// What fits the run: a short one, for emulators, which take twenty times as long (`TENDON_SHORT`), and for
/// Miri; an ordinary one; or a long one (`TENDON_LONG`).
pub fn extent<T>(short: T, ordinary: T, long: T) -> T {
    let is_set = |name| std::env::var_os(name).is_some();
    if is_set("TENDON_LONG") {
        long
    } else if is_set("TENDON_SHORT") || cfg!(miri) {
        short
    } else {
        ordinary
    }
}
