//! How fast a pose comes nearer to the base pose.

use crate::descent::memoryless::NEAREST;

/// Seconds in which a pose comes nearer to the base pose by a factor of e.
const SETTLING_TIME: f64 = 0.1;

/// Radians per second that a joint settles by at most.
const SETTLING_SPEED: f64 = 6.0;

/// A joint that would settle by less than this, in radians, is at rest. More than what is left of
/// the pose without memory, which so stays as it is.
const AT_REST: f64 = 5.0 * NEAREST;

/// The largest turn of a joint that settles for `delta` seconds, in radians, where `left` is the
/// largest that is left of the way: 0 at rest.
pub(in crate::descent) fn settling(left: f64, delta: f64) -> f64 {
    if left < AT_REST {
        return 0.0;
    }
    let share = -libm::expm1(-delta / SETTLING_TIME);
    (share * left).min(SETTLING_SPEED * delta)
}
