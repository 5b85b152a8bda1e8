extends GalleryScene
## An owl that keeps an eye on the target.
##
## Six TendonLookAt2D modifiers in one rig look at the same target. What tells
## them apart is [code]influence[/code]: 1 for the eyes, a quarter for the head
## and next to nothing for the body. They run from top to bottom in the tree,
## so the eyes look from where the head has already turned to.

## Seconds from one blink to the next.
const BLINK_EVERY: float = 3.7
const BLINK_LENGTH: float = 0.22

@onready var _lids: Array[Node2D] = [%LeftLid, %RightLid]


func _path(at_time: float) -> Vector2:
	return Vector2(576 + 420 * sin(at_time * 0.9 + 0.9), 262 - 190 * sin(at_time * 1.3))


## The branch is the floor: the neck would have to snap round below it.
func _keep_inside(point: Vector2) -> Vector2:
	return point.min(Vector2(INF, 500))


func _play(_delta: float) -> void:
	var blink: float = fmod(time, BLINK_EVERY) / BLINK_LENGTH
	for lid: Node2D in _lids:
		lid.scale.y = 0.5 * sin(PI * minf(blink, 1.0))
