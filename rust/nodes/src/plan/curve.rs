//! Curves along a chain, which a plan holds the values of. The curve of a path is in
//! `nodes/spline_ik/path.rs`.

use godot::classes::Curve;
use godot::prelude::*;

use crate::plan::search::Search;

/// Identifies what a property is set to, without touching the curve.
pub(crate) fn id(curve: Option<&Gd<Curve>>) -> Option<InstanceId> {
    curve.map(Gd::instance_id_unchecked)
}

/// The values of `curve` at each of `joints` joints, from the first at `0.0` to the last at `1.0`.
/// Nothing without a curve. The plan is made again when it changes.
pub(crate) fn sample(
    curve: Option<&Gd<Curve>>,
    joints: usize,
    search: &mut Search<'_>,
) -> Vec<f32> {
    let Some(curve) = curve else {
        return Vec::new();
    };
    search.depend_on_resource(curve);
    let last = joints.saturating_sub(1).max(1) as f32;
    let along = (0..joints).map(|joint| joint as f32 / last);
    along.map(|part| curve.sample_baked(part)).collect()
}
