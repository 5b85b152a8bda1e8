//! `TendonWave2D`.

use std::hash::Hash;

use godot::classes::Curve;
use tendon_solver::{Wave, WaveSettings};

use crate::engine::held::Held;
use crate::engine::space::InSolver;
use crate::nodes::chain::LineNodes;
use crate::nodes::modifier::{EditedModifier, modifier_node};
use crate::plan::change::set;
use crate::plan::class::{Gathered, ModifierClass};
use crate::plan::locate::{Gather, Stale};
use crate::plan::search::Search;
use crate::warnings::problem::Problem;

modifier_node! {
    /// Sends a wave along a chain of bones: swimming, breathing, flags, tentacles at rest.
    ///
    /// Each joint turns to and fro, a little later than the one before it. The wave is added to the
    /// pose that animations and the modifiers above this one give. It needs no target and no
    /// animation.
    ///
    /// The motion depends on time, not on frames: it is the same at every frame rate. Mirrored
    /// characters wave like a mirror image. A [TendonJointLimit2D] below a bone limits how far it
    /// turns. Add it below a [TendonRig2D].
    ///
    /// This script makes a fish swim faster when it flees:
    ///
    /// ```gdscript
    /// func flee() -> void:
    ///     var tail: TendonWave2D = $Skeleton2D/TendonRig2D/TailWave
    ///     tail.speed = 3.0
    /// ```
    ///
    /// Tutorial: the chapter *Waves* of the manual, `addons/tendon/manual/waves.html`.
    TendonWave2D line {
    } {
        /// How far each joint turns to either side, in radians. The default, about 17 degrees, suits a
        /// chain of a few bones; longer chains need less.
        #[export_group(name = "Wave")]
        #[export(range = (0.0, 90.0, 0.1, or_greater, radians_as_degrees))]
        #[init(val = WaveSettings::default().amplitude)]
        amplitude: f32,
        /// What [member amplitude] is multiplied by along the chain: from the first joint at `0.0`
        /// to the last one at `1.0`. A curve that rises lets the end swing more than the root. By
        /// default it is empty, and all joints turn alike.
        #[export]
        amplitude_curve: Held<Curve>,
        /// The length of one wave, as a part of the length of the chain. With the default, `1.0`, the
        /// chain has the shape of a whole wave, with `2.0` that of half a wave. Large values bend
        /// all joints at the same time. With a negative value the wave runs from the tip to the
        /// root. At `0.0` the status is invalid.
        #[export(range = (-4.0, 4.0, 0.01, or_less, or_greater))]
        #[init(val = WaveSettings::default().wave_length)]
        wave_length: f32,
        /// How many waves pass in a second. The default is `1.0`. With `0.0` the wave stands still:
        /// change [member phase] to move it by a script or an animation.
        #[export(range = (0.0, 10.0, 0.01, or_less, or_greater, suffix = "Hz"))]
        #[init(val = WaveSettings::default().speed)]
        speed: f32,
        /// Where the wave begins, in waves: `0.5` is the opposite of `0.0`, the default, and `1.0`
        /// is the same. Give the members of a group different values, so that they do not move in
        /// step.
        #[export(range = (0.0, 1.0, 0.001, or_less, or_greater))]
        phase: f32,
    }
}

impl ModifierClass for TendonWave2D {
    type Nodes = LineNodes;
    type Solver = Wave;

    fn references(&self) -> impl Hash {
        (self.line(), &self.amplitude_curve)
    }

    fn find(&self, search: &mut Search<'_>) -> Result<(LineNodes, Wave), Problem> {
        let mut chain = self.line().find(search.bones)?;
        chain.report(search);
        let mut solver = Wave::new(chain.for_solver());
        let joints = solver.chain.joints.len();
        solver.factors = search.sample(self.amplitude_curve.as_ref(), joints);
        Ok((chain.tip.into(), solver))
    }

    fn set(&self, into: &mut Wave) -> bool {
        let settings = WaveSettings!(self, InSolver::in_solver);
        set(&mut into.settings, settings)
    }
}

impl Gathered<Wave> for LineNodes {
    fn gather(&self, from: &Gather<'_>, into: &mut Wave) -> Result<bool, Stale> {
        Ok(set(&mut into.chain.end, self.tip.locate(from)?))
    }
}

impl EditedModifier for TendonWave2D {}
