extends TendonCustomModifier2D
## A custom modifier whose script remembers a time.

var bone: Bone2D
var time: float = 0.0


func _process_modification(delta: float) -> void:
	time += delta
	set_pose_rotation(bone, sin(3.0 * time))


func _get_state() -> Variant:
	return {"time": time}


func _set_state(state: Variant) -> void:
	time = state["time"]
