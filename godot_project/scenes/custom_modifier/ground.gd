extends Node2D
## Hilly ground that passes by.

const WIDTH: float = 1152.0
const BOTTOM: float = 648.0
const STEP: float = 16.0
const SOIL := Color("0a1f27")
const RIM := Color("4fb3a0")
const BLADE := Color("2f8a7a")

## How far the world has passed by, in pixels.
var walked: float = 0.0:
	set(value):
		walked = value
		queue_redraw()


## The height of the ground at [param x] of the screen.
func height_at(x: float) -> float:
	var place: float = x + walked
	return 512.0 + 22.0 * sin(place * 0.0105) + 9.0 * sin(place * 0.027 + 1.0)


func _draw() -> void:
	var rim: PackedVector2Array = []
	var x: float = -STEP
	while x <= WIDTH + STEP:
		rim.append(Vector2(x, height_at(x)))
		x += STEP
	var outline: PackedVector2Array = rim.duplicate()
	outline.append(Vector2(WIDTH + STEP, BOTTOM))
	outline.append(Vector2(-STEP, BOTTOM))
	draw_colored_polygon(outline, SOIL)
	_draw_blades()
	draw_polyline(rim, RIM, 3.0, true)


## Grass and pebbles, each at a place of its own that passes by.
func _draw_blades() -> void:
	var first: int = floori((walked - 40) / 11.0)
	for number: int in range(first, first + ceili((WIDTH + 80) / 11.0)):
		var chance: float = fposmod(sin(number * 12.9898) * 43758.5453, 1.0)
		var foot: Vector2 = Vector2(number * 11.0 + 7.0 * chance - walked, 0)
		foot.y = height_at(foot.x)
		if chance < 0.07:
			draw_circle(foot + Vector2(0, 26 + 300 * chance), 5 + 40 * chance, Color(RIM, 0.16))
		var top: Vector2 = foot + Vector2(9 * (chance - 0.5), -5 - 13 * chance)
		draw_line(foot, top, Color(BLADE, 0.5 + 0.5 * chance), 2.0, true)
