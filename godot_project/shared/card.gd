class_name Card
extends Button
## A scene of the gallery, live in a small frame. A click opens it.

## The picture is rendered larger than it is shown, which makes it smooth.
const FINENESS: float = 2.0
const GROWN: float = 1.025

@export_file("*.tscn") var scene: String = ""
@export var solver: String = ""
@export var title: String = ""
@export_multiline var about: String = ""

@onready var _viewport: SubViewport = %Viewport
@onready var _picture: TextureRect = %Picture
@onready var _solver: Label = %Solver
@onready var _title: Label = %Title
@onready var _about: Label = %About


func _ready() -> void:
	_solver.text = solver
	_title.text = title
	_about.text = about
	_about.visible = not about.is_empty()
	var live: Node = (load(scene) as PackedScene).instantiate()
	live.get_node("Caption").free()
	_viewport.add_child(live)
	_picture.resized.connect(_refine)
	_picture.texture = _viewport.get_texture()
	pressed.connect(_open)
	mouse_entered.connect(_grow.bind(GROWN))
	mouse_exited.connect(_grow.bind(1.0))


## The whole scene in its own proportions. What the frame has no room for is beyond its edges.
func _refine() -> void:
	var whole: Vector2 = _viewport.size_2d_override
	var part: Vector2 = _picture.size / whole
	_viewport.size = (whole * maxf(part.x, part.y) * FINENESS).max(Vector2.ONE * 2.0)


func _open() -> void:
	get_tree().change_scene_to_file(scene)


func _grow(to: float) -> void:
	pivot_offset = size / 2.0
	create_tween().tween_property(self, "scale", Vector2.ONE * to, 0.12)
