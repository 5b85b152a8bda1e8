extends RefCounted
## An arm with the engine's own modifications, as scenes of real projects have it.

const Figure := preload("res://tests/figure.gd")
const PHYSICS_FRAMES: int = 1


## An arm of two bones with a hand, far from the skeleton's origin, and a target that it can reach.
static func make(
	modifications: Array, in_physics_frames: bool = false, is_on: bool = true
) -> Node2D:
	var root: Node2D = Node2D.new()
	root.name = "Root"
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton"
	root.add_child(skeleton)
	var bones: Array[Bone2D] = Figure.branch(skeleton, Vector2(-90, 5), [30, 25, 10])
	for index: int in 3:
		bones[index].name = ["Arm", "Forearm", "Hand"][index]
		bones[index].rotation = [0.3, 0.4, 0.2][index]
	var target: Marker2D = Marker2D.new()
	target.name = "Target"
	target.position = Vector2(-60, 35)
	root.add_child(target)
	var tip: Marker2D = Marker2D.new()
	tip.name = "Tip"
	bones[2].add_child(tip)
	if modifications.is_empty():
		return root
	var stack: SkeletonModificationStack2D = SkeletonModificationStack2D.new()
	for modification: SkeletonModification2D in modifications:
		stack.add_modification(modification)
		if in_physics_frames:
			modification.execution_mode = PHYSICS_FRAMES
	stack.enabled = is_on
	skeleton.set_modification_stack(stack)
	return root


static func modification(kind: String, joints: int = 2) -> SkeletonModification2D:
	var modification: SkeletonModification2D = ClassDB.instantiate("SkeletonModification2D" + kind)
	modification.set("target_nodepath", NodePath("../Target"))
	var paths: Array[NodePath] = [^"Arm", ^"Arm/Forearm", ^"Arm/Forearm/Hand"]
	match kind:
		"LookAt":
			modification.set("bone2d_node", paths[0])
		"TwoBoneIK":
			modification.call("set_joint_one_bone2d_node", paths[0])
			modification.call("set_joint_two_bone2d_node", paths[1])
		_:
			var prefix: String = kind.to_lower()
			modification.set(prefix + "_data_chain_length", joints)
			for joint: int in joints:
				modification.call("set_%s_joint_bone2d_node" % prefix, joint, paths[joint])
			if kind == "Jiggle":
				# Comes to rest within a second.
				modification.set("stiffness", 20.0)
				modification.set("damping", 0.25)
			if kind == "CCDIK":
				modification.set("tip_nodepath", ^"Arm/Forearm/Hand/Tip")
	return modification
