//! Plain mathematics: rotations, angles, cubic segments, small dense systems, and numbers that
//! survive JSON.
//!
//! | file | what is in it |
//! |---|---|
//! | [`angle`], [`rotation`] | angles, and rotations as unit vectors |
//! | [`trigonometry`] | sines, arc tangents and powers with the same bits on every platform |
//! | [`clone_in_place`] | copies that reuse memory |
//! | [`interval`] | numbers that are kept in an interval |
//! | [`matrix`], [`cholesky`] | 2×2 matrices, and small dense systems |
//! | [`bounded`] | the least of a quadratic function within bounds |
//! | [`cubic`] | a cubic Bézier segment |
//! | [`oscillator`] | a damped oscillator in closed form |
//! | [`easing`] | easing curves by the names of Godot's `Tween` |
//! | [`pursuit`] | the law by which a place goes after a goal that leaps, without a leap |
//! | [`number`] | numbers that survive JSON |
//! | [`settings`] | settings, whose fields are declared once |

pub mod angle;
pub(crate) mod bounded;
pub(crate) mod cholesky;
pub(crate) mod clone_in_place;
pub(crate) mod cubic;
pub(crate) mod easing;
pub mod interval;
pub(crate) mod matrix;
pub(crate) mod number;
pub(crate) mod oscillator;
pub(crate) mod pursuit;
pub mod rotation;
pub(crate) mod settings;
pub(crate) mod trigonometry;
