extends Bone2D
## A bone that frees its victim as soon as somebody moves it.

var victim: Node


func _notification(what: int) -> void:
	if what == NOTIFICATION_LOCAL_TRANSFORM_CHANGED and is_instance_valid(victim):
		victim.free()
