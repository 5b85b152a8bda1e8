extends GalleryScene
## A cat that flies after the spark, with a tail, ears and a scarf that swing.
##
## The script moves the cat as a whole, tilts it and turns it round. It does not
## touch what hangs on it: seven TendonSpring2D modifiers feel how the cat moves.
## When it turns round, its [code]scale.x[/code] changes its sign, and nothing whips.

## How eagerly the cat flies after the spark.
const HASTE: float = 3.4
## How far it stays behind the spark.
const DISTANCE: float = 150.0
## Radians that it tilts for each pixel per second.
const TILT: float = 0.0011
## Pixels per second at which it turns round.
const TURN_SPEED: float = 60.0
## How far ahead of the cat it looks at least. Nobody can look at what is right behind.
const AHEAD: float = 120.0

var _velocity: Vector2 = Vector2.ZERO

@onready var _cat: Node2D = %Cat
@onready var _gaze: Node2D = %Gaze
@onready var _lids: Array[Node2D] = [%LeftLid, %RightLid]


## It waits and dashes on, in turns.
func _path(at_time: float) -> Vector2:
	var way: float = 0.85 * at_time - 0.5 * sin(1.7 * at_time)
	return Vector2(650 + 380 * sin(way), 350 - 105 * sin(2.0 * way + 0.4))


func _keep_inside(point: Vector2) -> Vector2:
	return point.clamp(Vector2(40, 40), Vector2(1112, 520))


func _play(delta: float) -> void:
	var way: Vector2 = target.global_position - _cat.position
	var goal: Vector2 = way - way.limit_length(DISTANCE)
	_velocity = _velocity.lerp(goal * HASTE, 1.0 - exp(-9.0 * delta))
	_cat.position += _velocity * delta + Vector2(0, 60.0 * cos(4.6 * time) * delta)
	if absf(_velocity.x) > TURN_SPEED:
		_cat.scale.x = signf(_velocity.x) * absf(_cat.scale.y)
	_cat.rotation = TILT * _velocity.x
	var seen: Vector2 = _cat.to_local(target.global_position)
	seen.x = maxf(seen.x, AHEAD)
	_gaze.position = _gaze.position.lerp(seen, 1.0 - exp(-8.0 * delta))
	var blink: float = fmod(time, 3.3) / 0.2
	for lid: Node2D in _lids:
		lid.scale.y = 0.5 * sin(PI * minf(blink, 1.0))
