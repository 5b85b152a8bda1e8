extends Bone2D
## A bone that counts how often its transform is set.

var writes: int = 0


## How often the transforms of [param bones], which are all of this kind, were set.
static func count(bones: Array) -> int:
	var total: int = 0
	for bone: Bone2D in bones:
		total += bone.get("writes")
	return total


func _notification(what: int) -> void:
	if what == NOTIFICATION_LOCAL_TRANSFORM_CHANGED:
		writes += 1
