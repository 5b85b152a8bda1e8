extends Node2D
## A skeleton of one chain, and the target that it reaches for: the same for every contestant.

enum Solver { LOOK_AT, TWO_BONE, CCD, FABRIK }

const ScriptFabrik := preload("res://bench/script_fabrik.gd")

const SOLVER_NAMES: Array[String] = ["look-at", "two-bone", "CCD", "FABRIK"]

## Pixels.
const BONE_LENGTH: float = 20.0
## How far the whole chain is bent at rest, radians.
const CURL: float = 1.2
## Positions of the target on its way round.
const PATH_SIZE: int = 128

var skeleton: Skeleton2D = Skeleton2D.new()
var bones: Array[Bone2D] = []
var tip: Node2D = Node2D.new()
var target: Node2D = Node2D.new()
## The length of the chain when it is straight.
var reach: float = 0.0
## Where the target goes, step by step.
var path: PackedVector2Array = PackedVector2Array()


func _init(bone_count: int) -> void:
	reach = bone_count * BONE_LENGTH
	path = path_within(reach)
	skeleton.name = "Skeleton"
	add_child(skeleton)
	var parent: Node2D = skeleton
	for index: int in bone_count:
		var bone: Bone2D = Bone2D.new()
		bone.name = "Bone"
		bone.position.x = 0.0 if index == 0 else BONE_LENGTH
		bone.rotation = CURL / bone_count
		bone.set_autocalculate_length_and_angle(false)
		bone.set_length(BONE_LENGTH)
		bone.set_bone_angle(0.0)
		bone.rest = bone.transform
		parent.add_child(bone)
		bones.append(bone)
		parent = bone
	tip.name = "Tip"
	tip.position.x = BONE_LENGTH
	parent.add_child(tip)
	target.name = "Target"
	target.position = path[0]
	add_child(target)


## A smooth way round, all of it within reach, on which no position is twice in a row.
static func path_within(distance: float) -> PackedVector2Array:
	var points: PackedVector2Array = PackedVector2Array()
	for step: int in PATH_SIZE:
		var phase: float = TAU * step / PATH_SIZE
		var radius: float = distance * (0.65 + 0.2 * sin(2.0 * phase))
		points.append(Vector2.from_angle(0.6 + 0.9 * sin(phase)) * radius)
	return points


func add_tendon(solver: Solver, mode: int) -> TendonRig2D:
	var modifier: Node = _tendon_modifier(solver)
	var rig: TendonRig2D = TendonRig2D.new()
	rig.callback_mode_process = mode
	rig.add_child(modifier)
	skeleton.add_child(rig)
	return rig


## Gives the skeleton the engine's own solver. The character has to be in the tree.
func add_engine(solver: Solver) -> void:
	var stack: SkeletonModificationStack2D = SkeletonModificationStack2D.new()
	stack.add_modification(_engine_modification(solver))
	stack.enabled = true
	skeleton.set_modification_stack(stack)


## The engine's springs: Jiggle.
func add_engine_jiggle() -> void:
	var jiggle: SkeletonModification2DJiggle = SkeletonModification2DJiggle.new()
	jiggle.jiggle_data_chain_length = bones.size()
	for index: int in bones.size():
		jiggle.set_jiggle_joint_bone_index(index, index)
		jiggle.set_jiggle_joint_bone2d_node(index, skeleton.get_path_to(bones[index]))
	jiggle.target_nodepath = skeleton.get_path_to(target)
	var stack: SkeletonModificationStack2D = SkeletonModificationStack2D.new()
	stack.add_modification(jiggle)
	stack.enabled = true
	skeleton.set_modification_stack(stack)


func make_fabrik() -> TendonFABRIK2D:
	return _tendon_modifier(Solver.FABRIK)


func add_script() -> ScriptFabrik:
	var script: ScriptFabrik = ScriptFabrik.new()
	script.set_up(skeleton, bones, target, BONE_LENGTH)
	skeleton.add_child(script)
	return script


## What the last solve has left between the tip and the target, in skeleton units. A bone that
## looks at the target has no tip: there it is the target's distance from the bone's line.
func distance_left(solver: Solver) -> float:
	if solver != Solver.LOOK_AT:
		return tip.global_position.distance_to(target.global_position)
	var axis: Vector2 = bones[0].global_transform.x.normalized()
	var offset: Vector2 = target.global_position - bones[0].global_position
	return absf(axis.cross(offset)) if axis.dot(offset) > 0.0 else offset.length()


func _tendon_modifier(solver: Solver) -> Node:
	match solver:
		Solver.LOOK_AT:
			var look_at_target: TendonLookAt2D = TendonLookAt2D.new()
			look_at_target.bone = bones[0]
			look_at_target.target = target
			return look_at_target
		Solver.TWO_BONE:
			var two_bone: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
			two_bone.bone_one = bones[0]
			two_bone.bone_two = bones[1]
			two_bone.target = target
			return two_bone
		Solver.CCD:
			var ccd: TendonCCDIK2D = TendonCCDIK2D.new()
			ccd.root_bone = bones[0]
			ccd.tip_bone = bones[-1]
			ccd.target = target
			return ccd
		_:
			var fabrik: TendonFABRIK2D = TendonFABRIK2D.new()
			fabrik.root_bone = bones[0]
			fabrik.tip_bone = bones[-1]
			fabrik.target = target
			return fabrik


func _engine_modification(solver: Solver) -> SkeletonModification2D:
	var target_path: NodePath = skeleton.get_path_to(target)
	match solver:
		Solver.LOOK_AT:
			var look_at_target: SkeletonModification2DLookAt = SkeletonModification2DLookAt.new()
			look_at_target.bone_index = 0
			look_at_target.bone2d_node = skeleton.get_path_to(bones[0])
			look_at_target.target_nodepath = target_path
			return look_at_target
		Solver.TWO_BONE:
			var two_bone: SkeletonModification2DTwoBoneIK = SkeletonModification2DTwoBoneIK.new()
			two_bone.set_joint_one_bone_idx(0)
			two_bone.set_joint_one_bone2d_node(skeleton.get_path_to(bones[0]))
			two_bone.set_joint_two_bone_idx(1)
			two_bone.set_joint_two_bone2d_node(skeleton.get_path_to(bones[1]))
			two_bone.target_nodepath = target_path
			return two_bone
		Solver.CCD:
			var ccd: SkeletonModification2DCCDIK = SkeletonModification2DCCDIK.new()
			ccd.ccdik_data_chain_length = bones.size()
			for index: int in bones.size():
				ccd.set_ccdik_joint_bone_index(index, index)
				ccd.set_ccdik_joint_bone2d_node(index, skeleton.get_path_to(bones[index]))
			ccd.tip_nodepath = skeleton.get_path_to(tip)
			ccd.target_nodepath = target_path
			return ccd
		_:
			var fabrik: SkeletonModification2DFABRIK = SkeletonModification2DFABRIK.new()
			fabrik.fabrik_data_chain_length = bones.size()
			for index: int in bones.size():
				fabrik.set_fabrik_joint_bone_index(index, index)
				fabrik.set_fabrik_joint_bone2d_node(index, skeleton.get_path_to(bones[index]))
			fabrik.target_nodepath = target_path
			return fabrik
