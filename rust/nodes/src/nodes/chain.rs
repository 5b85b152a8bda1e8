//! What the two chain modifiers, CCD and FABRIK, share beyond what all modifiers do.

use godot::classes::CollisionShape2D;
use godot::prelude::*;
use tendon_solver::glam::Affine2;
use tendon_solver::{Algorithm, ChainIk, Modifier, Point, Rig};

use crate::engine::link::{Link, Links};
use crate::nodes::effector::{Effectors, TendonEffector2D};
use crate::plan::chain::{ChainProperties, FoundChain};
use crate::plan::change::set;
use crate::plan::class::{Gathered, PlannedNodes};
use crate::plan::locate::{Gather, Place, Stale};
use crate::plan::node_reference::NodeReference;
use crate::plan::obstacles::Obstacles;
use crate::plan::search::Search;
use crate::plan::target::Target;
use crate::plan::tip::BoneTip;
use crate::warnings::problem::Problem;

/// The nodes of a modifier of one line of bones, as a plan knows them.
pub(crate) struct LineNodes {
    pub(super) tip: BoneTip,
    /// What it reaches for.
    pub(super) target: Option<Target>,
    /// What else holds or leads it.
    pub(super) guide: Option<Target>,
    pub(super) obstacles: Obstacles,
}

impl From<BoneTip> for LineNodes {
    fn from(tip: BoneTip) -> Self {
        Self {
            tip,
            target: None,
            guide: None,
            obstacles: Obstacles::default(),
        }
    }
}

impl PlannedNodes for LineNodes {
    fn node_references(&self) -> Vec<NodeReference<'_>> {
        let targets = self.target.iter().chain(&self.guide);
        let targets = targets.filter_map(Target::node_reference);
        let ends = [NodeReference::Tip(&self.tip)].into_iter().chain(targets);
        ends.chain(self.obstacles.node_references()).collect()
    }

    fn target(&self) -> Option<&Target> {
        self.target.as_ref()
    }
}

/// The nodes of a chain modifier, as a plan knows them. Without a target, its tip is free to follow those of effectors.
pub(crate) struct ChainNodes {
    line: LineNodes,
    matches_rotation: bool,
    effectors: Effectors,
}

/// Finds what a chain modifier refers to: its `chain`, a target, whose rotation the last bone may take over, and its
/// obstacles. `effectors` are the nodes below it that add tips, and `algorithm` finds the first pose.
///
/// # Errors
/// Why it cannot be solved.
pub(super) fn find(
    search: &mut Search<'_>,
    chain: ChainProperties<'_>,
    (target, matches_rotation): (&Link<Node2D>, bool),
    obstacles: &Links<CollisionShape2D>,
    algorithm: Algorithm,
    effectors: impl IntoIterator<Item = Gd<TendonEffector2D>>,
) -> Result<(ChainNodes, ChainIk), Problem> {
    let root = chain.root(search.bones);
    let effectors = Effectors::find(search, effectors, root, chain.moves_tip_bone);
    let ends = find_ends(search, chain, target, effectors.is_any());
    let obstacles = Obstacles::find(search, obstacles, root);
    let (mut chain, target) = ends?;
    let mut solver = ChainIk::new(algorithm, chain.for_solver(), Point::default());
    effectors.add_joints(search.bones, &mut solver.chain.joints);
    let nodes = ChainNodes {
        matches_rotation: matches_rotation && target.is_some(),
        line: LineNodes {
            target,
            obstacles,
            ..chain.tip.into()
        },
        effectors,
    };
    Ok((nodes, solver))
}

/// Finds the chain and the target, without which it works if it `has_effectors`.
fn find_ends(
    search: &mut Search<'_>,
    chain: ChainProperties<'_>,
    target: &Link<Node2D>,
    has_effectors: bool,
) -> Result<(FoundChain, Option<Target>), Problem> {
    let mut chain = chain.find(search.bones)?;
    let target = match has_effectors {
        true => Target::find_own(search, target, Some(chain.root)),
        false => Target::find_or_let_go(search, target, Some(chain.root)),
    };
    let (target, flaw) = match target {
        Ok(target) => (Some(target), None),
        Err(Problem::Missing { .. }) if has_effectors => (None, None),
        Err(flaw @ Problem::Outside { .. }) if has_effectors => (None, Some(flaw)),
        Err(problem) => return Err(problem),
    };
    chain.report(search);
    search.flaws.extend(flaw);
    Ok((chain, target))
}

impl Gathered<ChainIk> for ChainNodes {
    fn gather(&self, from: &Gather<'_>, into: &mut ChainIk) -> Result<bool, Stale> {
        let LineNodes {
            tip,
            target,
            obstacles,
            ..
        } = &self.line;
        let target = target.as_ref();
        let target = target.map(|target| target.locate(from)).transpose()?;
        let heading = target.filter(|_| self.matches_rotation);
        let mut changes = into.target.set(target.map(Place::point));
        changes |= into.heading.set(heading.map(Place::direction));
        changes |= set(&mut into.chain.end, tip.locate(from)?);
        changes |= self.effectors.gather(from, &mut into.effectors)?;
        Ok(obstacles.gather(from, &mut into.obstacles)? | changes)
    }
}

impl PlannedNodes for ChainNodes {
    fn node_references(&self) -> Vec<NodeReference<'_>> {
        let line = self.line.node_references().into_iter();
        line.chain(self.effectors.node_references()).collect()
    }

    fn target(&self) -> Option<&Target> {
        self.line.target()
    }

    fn goals(&self) -> Vec<[Option<InstanceId>; 2]> {
        self.effectors.goals()
    }

    fn takes_directions(&self) -> bool {
        self.matches_rotation || self.effectors.takes_directions()
    }

    fn publish(&self, solved: &Modifier, rig: &Rig, to_global: Affine2) {
        self.effectors.publish(solved, rig, to_global);
    }
}

/// Declares the class of a modifier that bends a chain of any length: the chain's own
/// properties, those of [`modifier_node!`](crate::nodes::modifier::modifier_node), and how a plan reads
/// them. The class itself says by which `algorithm` it finds the first pose, and whether effectors add tips.
macro_rules! chain_node {
    (
        $(# $attribute:tt)*
        $name:ident { $($own:tt)* }
    ) => {
        $crate::nodes::modifier::modifier_node! {
            $(# $attribute)*
            $name line {} target {
                /// If `true`, [member tip_bone] takes over the rotation of the target: their X axes
                /// point in the same direction. The other bones of the chain bring its end to the
                /// target. [member tip_bone] is then not stretched. Use it for a hand that holds
                /// something, or for a foot on a slope. The default is `false`.
                #[export]
                match_target_rotation: bool,
                /// How many sweeps along the chain may lead to its first pose. That pose decides to
                /// which side the chain bends. From then on it follows its target and makes no
                /// sweeps, unless it has to change to a different pose. The default, `16`, suits
                /// most chains; if there are joint limits or several tips, more than `8` change
                /// nothing. A target within reach is reached with any value. Lower values save time
                /// in long chains, but their poses may be less even.
                #[export_group(name = "Solver")]
                #[export(range = (0.0, 64.0, 1.0, or_greater))]
                #[init(val = tendon_solver::Approach::default().max_iterations.into())]
                max_iterations: i64,
                /// The distance to the target that counts as reached, in the units of the skeleton.
                /// The default, `0.01`, is too small to be seen. Increase it if the status should
                /// change to reached earlier.
                #[export(range = (0.001, 10.0, 0.001, or_greater, suffix = "px"))]
                #[init(val = tendon_solver::Approach::default().tolerance)]
                tolerance: f32,
                /// If `false`, the default, the chain continues from its last pose. It moves
                /// smoothly, shows the animation, and returns to it as far as the target allows.
                /// If limits or obstacles allow only a different way to the target, the chain
                /// swings to that pose in a fraction of a second. Its speed does not depend on the
                /// frame rate: at a low one it moves farther in each frame.
                ///
                /// If `true`, the chain has no memory: the same base pose and the same target
                /// always give the same pose. The chain may then jump from one frame to the next. With an [member
                /// influence] below `1.0` it does once in a round of the target, where that passes behind the
                /// base pose: only with a memory can a part of the way follow it all round.
                /// Use it for still poses, and where a pose must not depend on earlier frames.
                #[export]
                #[init(val = false)]
                deterministic: bool,
                $($own)*
                /// The part of its reach over which the chain slows down before it is fully
                /// extended, from `0.0` to `1.0`. It prevents the chain from snapping straight when
                /// the target leaves its reach. The tip then stays a little behind a target near
                /// full reach. The default, `0.0`, turns it off.
                #[export_group(name = "Constraints")]
                #[export(range = (0.0, 1.0, 0.001))]
                #[var(set = set_softness)]
                softness: f32,
                /// The greatest factor by which the chain is lengthened to reach a target that is
                /// too far away. Bones are moved apart by their `position`; they are not scaled.
                /// The last bone can only be lengthened if it ends at a child bone: the one in
                /// [member tip], or its first child bone. The default, `1.0`, turns it off.
                #[export(range = (1.0, 4.0, 0.001, or_greater))]
                #[init(val = tendon_solver::Elasticity::default().stretch)]
                stretch: f32,
                /// Shapes that the bones and joints of the chain stay out of. Circles, capsules,
                /// rectangles and segments are supported, under any transform. The shapes can move
                /// and change. They can be below other bones of the skeleton, but not below bones
                /// of this chain. Disabled shapes are ignored. A chain that swings over to another side
                /// goes around them if that takes less than half a second, and through them otherwise.
                /// By default there are none.
                #[export]
                #[var(get = get_obstacles)]
                obstacles: $crate::engine::link::Links<godot::classes::CollisionShape2D>,
            } impl {
                #[func]
                fn set_softness(&mut self, softness: f32) {
                    self.softness = tendon_solver::math::interval::clamp01(softness);
                }

                // With its type, for the help: what the property can be set to has none.
                #[func]
                fn get_obstacles(
                    &self,
                ) -> $crate::engine::link::NodeArray<godot::classes::CollisionShape2D> {
                    self.obstacles.share()
                }
            }
        }

        #[godot::prelude::godot_api(secondary)]
        impl $name {
            /// Returns how deep the chain is inside one of the [member obstacles], at its deepest,
            /// in the units of the skeleton. Returns `0.0` if all bones and joints are outside. It
            /// describes the full result, even if [member influence] applies only a part of it.
            #[func]
            fn get_penetration(&self) -> f32 {
                self.result.get().penetration
            }
        }

        impl $crate::plan::class::ModifierClass for $name {
            type Nodes = $crate::nodes::chain::ChainNodes;
            type Solver = tendon_solver::ChainIk;
            const TAKES_EFFECTORS: bool = Self::ADDS_TIPS;

            fn references(&self) -> impl std::hash::Hash {
                (self.line(), &self.target, self.match_target_rotation)
            }

            fn find(
                &self,
                search: &mut $crate::plan::search::Search<'_>,
            ) -> Result<(Self::Nodes, Self::Solver), $crate::warnings::problem::Problem> {
                use godot::obj::WithBaseField;
                let chain = $crate::plan::chain::ChainProperties {
                    moves_tip_bone: self.stretch > 1.0,
                    ..self.line()
                };
                let effectors = Self::ADDS_TIPS.then(|| $crate::engine::children::children(&self.to_gd()));
                $crate::nodes::chain::find(
                    search,
                    chain,
                    (&self.target, self.match_target_rotation),
                    &self.obstacles,
                    self.algorithm(),
                    effectors.into_iter().flatten(),
                )
            }

            fn set(&self, into: &mut Self::Solver) -> bool {
                use $crate::engine::space::InSolver;
                let approach = tendon_solver::Approach!(self, InSolver::in_solver);
                let elasticity = tendon_solver::Elasticity!(self, InSolver::in_solver);
                let mut changes = $crate::plan::change::set(&mut into.algorithm, self.algorithm());
                changes |= $crate::plan::change::set(&mut into.approach, approach);
                changes |= $crate::plan::change::set(&mut into.elasticity, elasticity);
                changes | $crate::plan::change::set(&mut into.deterministic, self.deterministic)
            }
        }

        impl $crate::nodes::modifier::EditedModifier for $name {}
    };
}
pub(crate) use chain_node;
