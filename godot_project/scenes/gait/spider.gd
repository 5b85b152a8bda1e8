class_name Spider
extends Node2D
## A spider that walks where it is told to.
##
## Only its place changes. The TendonGait2D makes its legs step, and holds its body over them.

## How fast it walks, in pixels per second.
@export var speed: float = 170.0

var _velocity: float = 0.0

@onready var _face: Node2D = %Face
@onready var _eyes: Array[Node] = _face.get_children()
@onready var _rest: Array[Vector2] = [_eyes[0].position, _eyes[1].position]


## Walks towards [param goal], a global position, for [param delta] seconds, and looks there.
func walk(goal: Vector2, delta: float) -> void:
	var way: float = goal.x - global_position.x
	var wanted: float = clampf(way * 2.5, -speed, speed) if absf(way) > 6.0 else 0.0
	_velocity = move_toward(_velocity, wanted, 600.0 * delta)
	position.x += _velocity * delta
	for eye: int in _eyes.size():
		var gaze: Vector2 = _face.to_local(goal) - _rest[eye]
		_eyes[eye].position = _rest[eye] + gaze.limit_length(9.0)
