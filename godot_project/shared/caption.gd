@tool
class_name Caption
extends CanvasLayer
## The words on top of a scene, and the way back to the menu.

const MENU: String = "res://menu.tscn"

## Seconds after which the hint fades, and how long that takes: it has been read, and is in the way.
const READ_AFTER: float = 9.0
const FADE: float = 1.5

## The solver that the scene shows.
@export var solver: String = "":
	set(value):
		solver = value
		_show()

@export var title: String = "":
	set(value):
		title = value
		_show()

## What to try.
@export_multiline var hint: String = "":
	set(value):
		hint = value
		_show()


func _ready() -> void:
	_show()
	(%Back as Button).pressed.connect(go_back)
	if not Engine.is_editor_hint():
		var fading: Tween = create_tween()
		fading.tween_property(%Hint, "modulate:a", 0.0, FADE).set_delay(READ_AFTER)
		fading.parallel().tween_property($Shade, "modulate:a", 0.4, FADE).set_delay(READ_AFTER)


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed("ui_cancel"):
		get_viewport().set_input_as_handled()
		go_back()


func go_back() -> void:
	get_tree().change_scene_to_file(MENU)


func _show() -> void:
	if is_node_ready():
		(%Solver as Label).text = solver
		(%Title as Label).text = title
		(%Hint as Label).text = hint
