extends TendonCustomModifier2D
## The script of the custom modifier of a fault character: turns the bones below its skeleton a
## little further, and does what the character asks for meanwhile.

var callback: Callable


func _process_modification(_delta: float) -> void:
	var bones: Array[Node] = []
	_update_list()
	# A fault may have freed this, or given it another script, which lacks the functions below.
	if not is_instance_valid(self) or not has_method(&"_known"):
		return
	var rig: Node = get_parent()
	if rig != null and rig.get_parent() is Skeleton2D:
		bones = rig.get_parent().find_children("Bone*", "Bone2D", true, false)
	for node: Node in bones:
		var bone: Bone2D = node
		var is_whole: bool = bone.get_parent() is Bone2D or bone.get_parent() is Skeleton2D
		if is_whole and bone.is_inside_tree() and bone in _known():
			set_pose_rotation(bone, get_pose_rotation(bone) + 0.05)
	if callback.is_valid():
		callback.call()


## Has the engine update its list of bones. It then emits a signal, in which the fault may happen:
## not later, while this goes through bones.
func _update_list() -> void:
	var rig: Node = get_parent()
	if rig != null and rig.get_parent() is Skeleton2D:
		(rig.get_parent() as Skeleton2D).get_bone_count()


## The bones that the rig knew when the pass began: a fault may have added some since.
func _known() -> Array[Bone2D]:
	var known: Array[Bone2D] = []
	var skeleton: Skeleton2D = get_parent().get_parent()
	for index: int in skeleton.get_bone_count():
		known.append(skeleton.get_bone(index))
	return known
