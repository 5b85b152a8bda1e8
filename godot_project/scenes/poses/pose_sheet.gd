class_name PoseSheet
extends Button
## A sheet of paper with a drawing of a pose, or an empty one.

const PAPER: Color = Color("fbeed6")
const INK: Color = Color("43335f")
const PIN: Color = Color("ee6352")
const CHOSEN: Color = Color("ffb648")

## The size of the drawing, of that of the figure.
const SMALLNESS: float = 0.22
const HEAD: float = 7.0

## The name of the pose. Empty: none yet.
@export var pose: StringName = &""

var is_chosen: bool = false:
	set(value):
		is_chosen = value
		queue_redraw()

var _lines: PackedVector2Array = []
var _head: Vector2 = Vector2.ZERO


## Draws [param figure] as it is now: a line for each bone, and its head.
func sketch(figure: Skeleton2D) -> void:
	_lines.clear()
	for index: int in figure.get_bone_count():
		var bone: Bone2D = figure.get_bone(index)
		var length: float = bone.get_length()
		var end: Vector2 = bone.to_global(Vector2.from_angle(bone.get_bone_angle()) * length)
		if bone.name == &"Head":
			_head = figure.to_local(bone.to_global(Vector2(0.6 * length, 0)))
		else:
			_lines.append(figure.to_local(bone.global_position))
			_lines.append(figure.to_local(end))
	queue_redraw()


func _draw() -> void:
	draw_rect(Rect2(Vector2(4, 6), size), Color(0, 0, 0, 0.28))
	draw_rect(Rect2(Vector2.ZERO, size), PAPER.darkened(0.0 if is_hovered() else 0.06))
	if is_chosen:
		draw_rect(Rect2(Vector2.ZERO, size), CHOSEN, false, 4.0)
	if _lines.is_empty():
		_draw_invitation()
	else:
		_draw_figure()
	draw_circle(Vector2(size.x / 2.0, 9.0), 5.0, PIN, true, -1.0, true)


func _draw_figure() -> void:
	var around: Rect2 = Rect2(_head, Vector2.ZERO)
	for point: Vector2 in _lines:
		around = around.expand(point)
	var middle: Vector2 = size * Vector2(0.5, 0.48) - SMALLNESS * around.get_center()
	draw_set_transform(middle, 0.0, Vector2.ONE * SMALLNESS)
	for line: int in range(0, _lines.size(), 2):
		draw_line(_lines[line], _lines[line + 1], INK, 4.0 / SMALLNESS, true)
		draw_circle(_lines[line + 1], 2.0 / SMALLNESS, INK, true, -1.0, true)
	draw_circle(_head, HEAD / SMALLNESS, INK, true, -1.0, true)
	draw_set_transform(Vector2.ZERO)
	var font: Font = get_theme_default_font()
	draw_string(font, Vector2(0, size.y - 8), pose, HORIZONTAL_ALIGNMENT_CENTER, size.x, 14, INK)


func _draw_invitation() -> void:
	var middle: Vector2 = size / 2.0
	for arm: Vector2 in [Vector2(16, 0), Vector2(0, 16)]:
		draw_line(middle - arm, middle + arm, Color(INK, 0.5), 5.0, true)
