extends Node2D
## Draws legs as lines, knees as dots, and the soles of planted feet.

const Legs := preload("res://tests/ground_legs.gd")

const COLORS: Array[Color] = [Color.ORANGE, Color.SKY_BLUE, Color.YELLOW_GREEN, Color.VIOLET]
const WIDTH: float = 2.0
const DOT: float = 2.5

var legs: Legs


func _draw() -> void:
	var pelvis: Vector2 = legs.pelvis.global_position
	draw_circle(pelvis, 2.0 * DOT, Color.WHITE)
	for leg: int in legs.feet.size():
		var color: Color = COLORS[leg % COLORS.size()]
		var knee: Vector2 = legs.lowers[leg].global_position
		var joints: PackedVector2Array = [pelvis, legs.hip(leg), knee, legs.tip(leg)]
		draw_polyline(joints, color, WIDTH)
		draw_circle(knee, DOT, color)
		if legs.feet[leg].is_planted():
			draw_circle(legs.sole(leg), DOT, Color.RED)
