extends GalleryScene
## An astronaut on the moon, who walks over hills, stairs, a hovering platform and a seesaw.
##
## All of it is ground of the physics server. Nothing here knows of his feet: the
## TendonFootPlacement2D finds the ground below them.

## Where the spark leads him while the mouse rests, and when: place by time. Then it goes back.
const ROUTE: Array[Vector2] = [
	Vector2(0.0, 250.0),
	Vector2(10.0, 1240.0),
	Vector2(14.5, 1240.0),
	Vector2(25.5, 2560.0),
	Vector2(27.0, 2560.0),
]

const TOP: float = 140.0
const GROUND: float = 420.0

## The angle at which an end of the plank is on the ground.
const TILT: float = 0.22
## How strongly he tips the plank, and what slows it down.
const TIPPING: float = 0.06
const FRICTION: float = 4.0

## How far the platform glides, and how far it tilts.
const GLIDE: float = 46.0
const ROCK: float = 0.02

var _tilt_speed: float = 0.0

@onready var _astronaut: Astronaut = %Astronaut
@onready var _plank: AnimatableBody2D = %Plank
@onready var _platform: AnimatableBody2D = %Platform
@onready var _platform_place: Vector2 = _platform.position
@onready var _camera: Camera2D = %Camera2D
@onready var _clock: float = 0.0


func _ready() -> void:
	super()
	_astronaut.look_at_node(target)


func _physics_process(delta: float) -> void:
	_clock += delta
	var glide: Vector2 = Vector2(GLIDE * sin(_clock * 0.9), 5.0 * sin(_clock * 1.7))
	_platform.position = _platform_place + glide
	_platform.rotation = ROCK * sin(_clock * 1.3)
	_tip_plank(delta)
	_astronaut.walk(target.global_position, delta)


func _play(delta: float) -> void:
	var place: float = _astronaut.position.x
	_camera.position.x = lerpf(_camera.position.x, place, 1.0 - exp(-3.0 * delta))


func _path(at_time: float) -> Vector2:
	var moment: float = pingpong(at_time, ROUTE[-1].x)
	var next: int = 1
	while ROUTE[next].x < moment:
		next += 1
	var place: float = remap(
		moment, ROUTE[next - 1].x, ROUTE[next].x, ROUTE[next - 1].y, ROUTE[next].y
	)
	return Vector2(place, 185.0 + 25.0 * sin(at_time * 1.3))


func _keep_inside(point: Vector2) -> Vector2:
	return point.clamp(Vector2(-400.0, TOP), Vector2(3000.0, GROUND))


## The plank tips to the side on which he stands.
func _tip_plank(delta: float) -> void:
	var place: Vector2 = _plank.to_local(_astronaut.global_position)
	var is_on_it: bool = _astronaut.is_on_floor() and absf(place.x) < 172.0 and absf(place.y) < 14.0
	var pull: float = TIPPING * place.x if is_on_it else 0.0
	_tilt_speed += (pull - FRICTION * _tilt_speed) * delta
	var tilt: float = _plank.rotation + _tilt_speed * delta
	if absf(tilt) > TILT:
		_tilt_speed = 0.0
	_plank.rotation = clampf(tilt, -TILT, TILT)
