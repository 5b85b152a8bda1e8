extends Node2D
## A dashed circle: how far the bones reach without stretching.

const DASHES: int = 60
const COLOUR: Color = Color(0.98, 0.93, 0.84, 0.28)

@export var radius: float = 200.0


func _draw() -> void:
	for dash: int in DASHES:
		var angle: float = TAU * dash / DASHES
		draw_arc(Vector2.ZERO, radius, angle, angle + 0.5 * TAU / DASHES, 4, COLOUR, 2.0, true)
