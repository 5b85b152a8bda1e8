class_name Mark
extends Node2D
## Something at a shooting gallery that a cork knocks over: a duck of tin, or a balloon.
##
## A duck folds down on its shelf, and a balloon pops. Some seconds later it is there again.

const AWAY: float = 3.4

@export var pops: bool = false
## Where it is hit: around this place beside its own, and so far.
@export var middle: Vector2 = Vector2(0, -28)
@export var radius: float = 28.0

var is_up: bool = true

@onready var _upright: Vector2 = scale


## The middle, in global coordinates.
func heart() -> Vector2:
	return to_global(middle)


## Whether a cork at [param place] hits it.
func is_hit_at(place: Vector2) -> bool:
	return is_up and heart().distance_to(place) < radius


func knock() -> void:
	is_up = false
	var tween: Tween = create_tween()
	if pops:
		tween.tween_property(self, "scale", 1.25 * _upright, 0.05)
		tween.tween_property(self, "scale", Vector2.ZERO, 0.01)
	else:
		var flat: Vector2 = Vector2(_upright.x, 0.05)
		tween.tween_property(self, "scale", flat, 0.22).set_ease(Tween.EASE_IN).set_trans(
			Tween.TRANS_QUAD
		)
	tween.tween_interval(AWAY)
	tween.tween_property(self, "scale", _upright, 0.6).set_ease(Tween.EASE_OUT).set_trans(
		Tween.TRANS_BACK
	)
	tween.tween_callback(func() -> void: is_up = true)
