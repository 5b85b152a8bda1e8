//! Ragdolls: how they fall, lie, stand and get up.

mod bodies;
mod breaks;
mod falls;
mod puppet;
mod standing;
mod states;
mod statics;
mod wall;
mod world;
