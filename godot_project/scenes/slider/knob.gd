class_name Knob
extends Node2D
## A knob that is dragged over a pad or along a track, or turned if it is a dial.
##
## It knows of no animation: the TendonSlider2D modifiers read where it is.

## How far it can be moved each way, in pixels. A dial stays where it is.
@export var reach: Vector2 = Vector2.ZERO

## Where a dial is held, in its own pixels.
@export var grip: Vector2 = Vector2.ZERO

@onready var _holder: Node2D = get_parent()


## Comes nearer to [param place], a global position, for [param delta] seconds.
func drag(place: Vector2, delta: float) -> void:
	var weight: float = 1.0 - exp(-14.0 * delta)
	var way: Vector2 = _holder.to_local(place)
	if is_dial():
		rotation = lerp_angle(rotation, way.angle(), weight)
	else:
		position = position.lerp(way.clamp(-reach, reach), weight)


func is_dial() -> bool:
	return reach.is_zero_approx()


## Where it is held, as a global position.
func held_at() -> Vector2:
	return to_global(grip)


## A place to drag it to: once to and fro, or round, while [param angle] makes a turn.
func place_at(angle: float) -> Vector2:
	if is_dial():
		return _holder.to_global(grip.rotated(rotation + 0.5))
	return _holder.to_global(reach * Vector2.from_angle(angle))
