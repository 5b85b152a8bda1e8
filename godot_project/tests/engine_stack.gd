extends RefCounted
## The engine's own inverse kinematics on a figure's skeleton, for comparison. By name only: it is
## experimental, and a later engine may not have it.

const Figure := preload("res://tests/figure.gd")

const LOOK_AT: String = "SkeletonModification2DLookAt"
const TWO_BONE: String = "SkeletonModification2DTwoBoneIK"
const CCD: String = "SkeletonModification2DCCDIK"
const FABRIK: String = "SkeletonModification2DFABRIK"


static func exists() -> bool:
	return ClassDB.class_exists(&"SkeletonModificationStack2D")


## Gives the skeleton of [param figure], which is in the tree, a stack of one modification of the
## class [param kind] and returns that. The engine runs it in every frame.
static func give(figure: Figure, kind: String) -> Resource:
	var modification: Resource = ClassDB.instantiate(kind)
	match kind:
		LOOK_AT:
			modification.set("bone_index", 0)
			modification.set("bone2d_node", figure.skeleton.get_path_to(figure.bones[0]))
		TWO_BONE:
			modification.call("set_joint_one_bone_idx", 0)
			modification.call("set_joint_one_bone2d_node", _path(figure, 0))
			modification.call("set_joint_two_bone_idx", 1)
			modification.call("set_joint_two_bone2d_node", _path(figure, 1))
		CCD:
			_give_joints(figure, modification, "ccdik")
			var tip: Marker2D = Marker2D.new()
			tip.name = "EngineTip"
			tip.position = Vector2(figure.bones[-1].get_length(), 0)
			figure.bones[-1].add_child(tip)
			modification.set("tip_nodepath", figure.skeleton.get_path_to(tip))
		FABRIK:
			_give_joints(figure, modification, "fabrik")
	modification.set("target_nodepath", figure.skeleton.get_path_to(figure.target))
	give_stack(figure.skeleton, modification)
	return modification


static func give_stack(skeleton: Skeleton2D, modification: Resource, enabled: bool = true) -> void:
	var stack: Resource = ClassDB.instantiate(&"SkeletonModificationStack2D")
	stack.call("add_modification", modification)
	stack.set("enabled", enabled)
	skeleton.call("set_modification_stack", stack)


static func _give_joints(figure: Figure, modification: Resource, prefix: String) -> void:
	modification.set("%s_data_chain_length" % prefix, figure.bones.size())
	for index: int in figure.bones.size():
		modification.call("set_%s_joint_bone_index" % prefix, index, index)
		modification.call("set_%s_joint_bone2d_node" % prefix, index, _path(figure, index))


static func _path(figure: Figure, index: int) -> NodePath:
	return figure.skeleton.get_path_to(figure.bones[index])
