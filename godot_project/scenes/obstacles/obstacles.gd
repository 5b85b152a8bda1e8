extends GalleryScene
## A vine that finds its way through the things that hang in a greenhouse.
##
## The circle, the capsule, the rectangle and the segment are CollisionShape2D, named
## in [code]obstacles[/code] of the TendonFABRIK2D. They are a little larger than their
## pictures: bones have no width, and the vine has. They may move: the crate swings.
## A TendonJointLimit2D at every bone keeps the stem from folding. The vine continues from
## its last pose, and so stays on its side of each shape.

const CRATE_SWAY: float = 10.0

## How near to the middle of the crate the target may come.
const ROUND_CRATE: float = 136.0

@onready var _crate: Node2D = %Crate
@onready var _crate_home: Vector2 = _crate.position
@onready var _reach: TendonFABRIK2D = %Reach
@onready var _flower: Node2D = %Flower


func _ready() -> void:
	super()
	_flower.scale = Vector2.ZERO


func _path(at_time: float) -> Vector2:
	var angle: float = 0.5 - 0.95 * cos(at_time * 0.8)
	return Vector2(716, 338) + 144 * Vector2.from_angle(angle)


## Above the bench, not in the crate, and not so near that the vine leaves the picture.
func _keep_inside(point: Vector2) -> Vector2:
	var inside: Vector2 = point.clamp(Vector2(740, 285), Vector2(1070, 484))
	var from_crate: Vector2 = inside - _crate.position
	return _crate.position + from_crate.normalized() * maxf(from_crate.length(), ROUND_CRATE)


func _play(delta: float) -> void:
	_crate.position.x = _crate_home.x + CRATE_SWAY * sin(time * 1.6)
	var opened: float = 0.5 if _reach.get_status() == TendonFABRIK2D.STATUS_REACHED else 0.0
	_flower.scale = _flower.scale.move_toward(Vector2.ONE * opened, delta * 1.2)
