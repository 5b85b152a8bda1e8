extends GalleryScene
## A centipede whose walk is a modifier written in GDScript.
##
## TendonCustomModifier2D has one method to override: see gait.gd. The script
## reads the pose and sets rotations. Order, influence and putting the pose back
## are the rig's business.

const Ground := preload("res://scenes/custom_modifier/ground.gd")

## Pixels per second at most.
const SPEED_LIMIT: float = 190.0
## How high the head is above the ground.
const HEAD_HEIGHT: float = 52.0

var _speed: float = 0.0

@onready var _ground: Ground = %Ground
@onready var _skeleton: Skeleton2D = $Skeleton2D


func _path(at_time: float) -> Vector2:
	return Vector2(860 + 250 * sin(at_time * 0.5 + 0.6), 230 + 60 * sin(at_time * 1.7))


func _keep_inside(point: Vector2) -> Vector2:
	return point.min(Vector2(INF, 430))


## The world passes below the centipede, which stays in view.
func _play(delta: float) -> void:
	var way: float = target.global_position.x - _skeleton.global_position.x
	var wanted: float = clampf(way * 1.6, -SPEED_LIMIT, SPEED_LIMIT)
	_speed = lerpf(_speed, wanted, 1.0 - exp(-4.0 * delta))
	_ground.walked += _speed * delta
	_skeleton.position.y = _ground.height_at(_skeleton.position.x) - HEAD_HEIGHT
