@tool
class_name Caption
extends CanvasLayer
## The words on top of a scene, and the way back to the menu.

const MENU: String = "res://menu.tscn"

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
