extends Bone2D
## A bone that counts how often anybody sets its transform.

var writes: int = 0


func _notification(what: int) -> void:
	if what == NOTIFICATION_LOCAL_TRANSFORM_CHANGED:
		writes += 1
