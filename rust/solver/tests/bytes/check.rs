//! What must hold of any solved rig.

use std::f32::consts::TAU;

use tendon_solver::capture::{Answer, Difference};
use tendon_solver::{
    Capture, Channel, Limit, LimitSpace, Modifier, Rig, Solver, Status, Workspace,
};

/// How far a joint may be past its limit, in radians.
const SLACK: f32 = 1e-3;

/// Bones that nothing turns keep their rotations, and what does not stretch keeps its lengths.
pub fn keeps_what_is_not_its_own(rig: &Rig, answer: &Answer) {
    for (index, bone) in rig.bones.iter().enumerate() {
        if !rig.modifiers.iter().any(|modifier| turns(modifier, index)) {
            let kept = answer.rotations[index].to_bits() == bone.rotation.to_bits();
            assert!(
                kept,
                "bone {index} belongs to no modifier, and has been turned"
            );
        }
    }
    let maps = |modifier: &Modifier| {
        matches!(
            modifier.solver,
            Solver::CopyTransform(_) | Solver::Slider(_)
        )
    };
    let is_elastic = |modifier: &Modifier| match &modifier.solver {
        Solver::TwoBone(two_bone) => two_bone.elasticity.stretch > 1.0,
        Solver::ChainIk(chain) => chain.elasticity.stretch > 1.0,
        Solver::FullBody(_) => true,
        Solver::Spline(spline) => spline.settings.move_root || spline.stretch > 1.0,
        Solver::Spring(spring) => !spring.pin.is_nowhere() && spring.slack != 1.0,
        Solver::Trail(trail) => trail.leader.is_some(),
        // It falls.
        Solver::Ragdoll(_) => true,
        _ => maps(modifier),
    };
    assert!(
        answer.positions.is_empty() || rig.modifiers.iter().any(is_elastic),
        "bones have been moved where nothing stretches"
    );
    assert!(
        answer.scales.is_empty() || rig.modifiers.iter().any(maps),
        "bones have been scaled, and no modifier does that"
    );
}

fn turns(modifier: &Modifier, bone: usize) -> bool {
    match &modifier.solver {
        Solver::CopyTransform(copy) => {
            // What has no source is turned whatever its channel.
            let is_turned = copy.settings.bone_channel == Channel::Rotation;
            copy.bone == bone && (is_turned || copy.mapping.source.is_none())
        }
        Solver::Slider(slider) => {
            let mut samples = slider.samples.iter();
            samples.any(|sample| sample.bone == bone && sample.channel == Channel::Rotation)
        }
        Solver::Custom(custom) => custom.scripted.iter().any(|set| set.bone == bone),
        _ => modifier.parts().turns(bone),
    }
}

/// What is not finite does not spread to bones that were, whatever it is.
pub fn is_finite(rig: &Rig, answer: &Answer) {
    for (index, bone) in rig.bones.iter().enumerate() {
        let rotation = answer.rotations[index];
        assert!(
            rotation.is_finite() || !bone.rotation.is_finite(),
            "bone {index} has been turned to {rotation}"
        );
        let position = answer
            .positions
            .get(index)
            .copied()
            .unwrap_or(bone.position);
        assert!(
            position.is_finite() || !bone.position.is_finite(),
            "bone {index} has been moved to {position}"
        );
    }
}

/// Every joint that was turned all the way is within its limit. Those that are fixed in the
/// skeleton can be told only while nothing else has moved. What goes over, or is held back, may still
/// come from a pose past the limit.
pub fn obeys_limits(solved: &Rig) {
    for (index, bone) in solved.bones.iter().enumerate() {
        let mut modifiers = solved.modifiers.iter().rev();
        // What feet have placed, or what goes over, lets go in several passes when it is switched off.
        let is_seen = |modifier: &Modifier| {
            modifier.active || modifier.placed.is_some() || modifier.handover.is_some()
        };
        let last = modifiers.find(|modifier| is_seen(modifier) && turns(modifier, index));
        let (Some(limit), Some(modifier)) = (&bone.limit, last) else {
            continue;
        };
        if matches!(modifier.solver, Solver::Ragdoll(_) | Solver::Stance(_)) {
            // Limits hold a ragdoll by impulses: see tests/ragdoll. A pelvis has none.
            continue;
        }
        let solves = matches!(modifier.report.status, Status::Reached | Status::OutOfReach)
            && modifier.handover.is_none()
            && modifier.placed.is_none();
        if solves && modifier.influence >= 1.0 && limit.space == LimitSpace::Parent {
            let past = excess(limit, solved.rotation(index));
            let name = modifier.solver.name();
            assert!(
                past < SLACK,
                "{name}: bone {index} is {past} rad past its limit"
            );
        }
    }
}

/// How far `rotation` is outside of `limit`, as an angle.
fn excess(limit: &Limit, rotation: f32) -> f32 {
    let middle = limit.rest + 0.5 * (limit.min + limit.max);
    let off = (rotation - middle + 0.5 * TAU).rem_euclid(TAU) - 0.5 * TAU;
    off.abs() - 0.5 * (limit.max - limit.min)
}

/// Once more, after something else, and after a journey through text: always the same bits.
pub fn is_the_same_again(rig: &Rig, mut solved: Rig) {
    let mut capture = Capture::of(&solved);
    assert_same("again", capture.replay());
    for modifier in &mut solved.modifiers {
        if let Some(target) = modifier.solver.parts_mut().own_target_mut() {
            target.position = 0.5 * target.position.perp();
        }
    }
    for bone in &mut solved.bones {
        bone.rotation = -bone.rotation;
    }
    solved.solve(&mut Workspace::default());
    solved.bones.clone_from(&rig.bones);
    for (modifier, given) in solved.modifiers.iter_mut().zip(&rig.modifiers) {
        let targets = (
            modifier.solver.parts_mut().own_target_mut(),
            given.parts().target(),
        );
        if let (Some(target), Some(given)) = targets {
            *target = given;
        }
    }
    capture.rig = solved;
    assert_same("after something else", capture.replay());
    capture.rig = rig.clone();
    is_the_same_from(&capture);
}

/// The last solve of `rig` gives the same bits again after a journey through text.
pub fn is_the_same_from_its_text(rig: &Rig) {
    is_the_same_from(&Capture::of(rig));
}

fn is_the_same_from(capture: &Capture) {
    let text = capture.to_json();
    let mut read = Capture::read_all(&text).expect("what was written can be read");
    assert_same("from its text", read[0].replay());
    assert_eq!(read[0].to_json(), text, "the text changes");
}

fn assert_same(when: &str, differences: Vec<Difference>) {
    if let Some(first) = differences.first() {
        panic!(
            "not the same {when}: {first}, and {} in all",
            differences.len()
        );
    }
}
