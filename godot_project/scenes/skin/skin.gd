extends GalleryScene
## A giraffe that is one drawing.
##
## The skin was made of it with [b]Tendon → Skin to Bones…[/b]: a Polygon2D with a mesh and
## weights. The neck reaches for the spark, the legs stand, and tail and ear hang.

## Where the neck begins, in the scene, and how far it reaches with the head.
const SHOULDER: Vector2 = Vector2(506, 352)
const NEAREST: float = 165.0
const FURTHEST: float = 262.0

@onready var _hips: Bone2D = %Hips
@onready var _rest: Vector2 = _hips.position


func _path(at_time: float) -> Vector2:
	var angle: float = -1.02 + 0.62 * sin(at_time * 0.7)
	return SHOULDER + Vector2.from_angle(angle) * (226.0 + 28.0 * sin(at_time * 1.3))


func _keep_inside(point: Vector2) -> Vector2:
	var way: Vector2 = point - SHOULDER
	return (
		SHOULDER + way.limit_length(FURTHEST).normalized() * clampf(way.length(), NEAREST, FURTHEST)
	)


## Shifts its weight, and breathes.
func _play(_delta: float) -> void:
	_hips.position = _rest + Vector2(7.0 * sin(time * 0.9), 7.0 + 3.0 * sin(time * 2.1))
	_hips.rotation = 0.02 * sin(time * 0.9 + 0.6)
