class_name GalleryScene
extends Node2D
## What the scenes of the gallery share: a target that is always on the move.
##
## The node [code]Target[/code] follows the mouse. While the mouse rests, it
## follows a path of its own. A scene overrides the three methods at the end.

## Seconds that the mouse may rest before the target moves by itself again.
const PATIENCE: float = 4.0

## How eagerly the target follows.
const SPEED: float = 7.0

## If not zero, every frame counts as this many seconds, however long it took.
static var fixed_step: float = 0.0

## Seconds since the scene began.
var time: float = 0.0

var _mouse_moved_at: float = -PATIENCE

@onready var target: Node2D = $Target


func _ready() -> void:
	target.global_position = _keep_inside(_path(0.0))


func _input(event: InputEvent) -> void:
	if event is InputEventMouseMotion and is_zero_approx(fixed_step):
		_mouse_moved_at = time


func _process(delta: float) -> void:
	var step: float = step_of(delta)
	time += step
	var goal: Vector2 = get_global_mouse_position() if is_mouse_awake() else _path(time)
	var weight: float = 1.0 - exp(-SPEED * step)
	target.global_position = target.global_position.lerp(_keep_inside(goal), weight)
	_play(step)


## How many seconds a frame counts that took [param delta].
static func step_of(delta: float) -> float:
	return delta if is_zero_approx(fixed_step) else fixed_step


## Whether the target follows the mouse now.
func is_mouse_awake() -> bool:
	return time - _mouse_moved_at < PATIENCE


## The path of the target while the mouse rests.
func _path(_at_time: float) -> Vector2:
	return get_viewport_rect().get_center()


## The place nearest to [param point] where the target may be.
func _keep_inside(point: Vector2) -> Vector2:
	return point


## Whatever else the scene does in a frame, before the rig runs.
func _play(_delta: float) -> void:
	pass
