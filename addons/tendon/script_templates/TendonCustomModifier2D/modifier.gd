# meta-name: Tendon modifier
# meta-description: Turns bones in each pass of the rig
# meta-default: true
@tool  # Only needed to see it in the editor.
extends TendonCustomModifier2D

@export var bones: Array[Bone2D]


# Called in each pass of the rig. "_delta" is the time since the last pass, in seconds.
func _process_modification(_delta: float) -> void:
	for bone: Bone2D in bones:
		var angle: float = get_pose_rotation(bone)
		set_pose_rotation(bone, angle)
