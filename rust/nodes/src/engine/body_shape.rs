//! The shapes of bodies, as the physics server has them.

use godot::prelude::*;

use crate::engine::frame_calls::Live;

/// Shape `index` of `body`, if there is one.
///
/// The engine ends the process when it is asked for a shape that a body does not have. What a query has found may be
/// gone by now: with physics on a thread of its own, the server does what was asked of it before, such as to remove a
/// shape, when it is asked the next time.
pub(crate) fn shape_of(body: Rid, index: i32) -> Option<Rid> {
    let server = Live::server();
    let is_there = (0..server.body_get_shape_count(body)?).contains(&index);
    is_there.then(|| server.body_get_shape(body, index))?
}
