//! What must hold for several effectors that share joints.

mod common;

use common::Scales;
use common::branching::{Sapling, bush, hand, spread, two_armed};
use proptest::prelude::*;
use tendon_solver::Status;
use tendon_solver::approach::Approach;
use tendon_solver::branches;

/// Targets that can all be reached at once may be missed by this part of the span.
const MISS: f32 = 1e-4;

fn all_are_reached(sapling: &Sapling) -> Result<(), TestCaseError> {
    let goals = sapling.goals();
    let mut tree = sapling.problem();
    let outcome = branches::solve(&mut tree, Approach::default());
    let miss = sapling.miss(&tree, &goals);
    prop_assert!(
        miss <= MISS,
        "misses by {miss:e} of its span after {} steps",
        outcome.iterations
    );
    prop_assert_eq!(outcome.status, Status::Reached);
    Ok(())
}

proptest! {
    #![proptest_config(common::config(10_000))]

    #[test]
    fn two_arms_on_one_spine_reach(sapling in spread().prop_flat_map(|spread| two_armed(spread, Scales::Uniform))) {
        all_are_reached(&sapling)?;
    }

    #[test]
    fn five_fingers_reach(sapling in spread().prop_flat_map(|spread| hand(spread, Scales::Uniform))) {
        all_are_reached(&sapling)?;
    }

    #[test]
    fn branches_of_branches_reach(sapling in spread().prop_flat_map(|spread| bush(spread, Scales::Uniform))) {
        all_are_reached(&sapling)?;
    }

    #[test]
    fn stretched_trees_reach(sapling in spread().prop_flat_map(|spread| two_armed(spread, Scales::Any))) {
        all_are_reached(&sapling)?;
    }
}
