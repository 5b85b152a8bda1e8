@tool
extends "editor_pictures.gd"
## Poses a manikin in pose mode, with the mouse, and takes pictures of it: see
## [code]scripts/screenshots[/code].
##
## [code]godot --editor --path godot_project --script res://tools/posing_picture.gd -- FOLDER
## FRAMES[/code] saves four pictures in FOLDER, the frames of a moving one in FRAMES, and quits.

const Manikin := preload("res://tools/manikin.gd")
const SCENE: String = "res://manikin.tscn"
const ZOOM: float = 0.97
const CENTRE: Vector2 = Vector2(0, -28)
const WINDOW: Vector2i = Vector2i(1280, 800)
## What is in the pictures, around the middle of the viewport.
const PICTURE: Vector2i = Vector2i(520, 580)
const FILM: Vector2i = Vector2i(416, 464)

## The drags, with pinned feet: what is taken at its end, where the mouse goes, and the key that is
## held. A root is taken at its joint.
const DRAGS: Array[Array] = [
	["Hips", Vector2(4, 24), 0],
	["Hand_L", Vector2(244, -96), 0],
	["Hand_R", Vector2(-62, -178), 0],
	["Head", Vector2(92, -214), KEY_SHIFT],
]
## The drag that is in the second picture.
const SHOWN: int = 1

var _folder: String
var _frames: String
var _count: int = 0
var _cursor: Control
var _mouse: Vector2


func _run() -> void:
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	_folder = arguments[0]
	_frames = arguments[1]
	await _settle()
	root.size = WINDOW
	(EditorInterface.get_editor_toaster() as Control).hide()
	EditorInterface.set_main_screen_editor("2D")
	_overlay = _find("CanvasItemEditorViewport")
	ResourceSaver.save(Manikin.pack(), SCENE)
	await _open(SCENE)
	DirAccess.remove_absolute(SCENE)
	EditorInterface.get_selection().clear()
	_pose_button().button_pressed = true
	# The first one changes how far the scroll bars go.
	for time: int in 3:
		await _wait(10)
		_look(CENTRE, ZOOM)
	await _wait(10)
	await _store("At rest")
	_make_cursor()
	_mouse = _on_screen(Vector2(160, 60))
	await _hold(6)
	_shot("posing_before")
	await _pin_feet()
	for index: int in DRAGS.size():
		await _drag(DRAGS[index], index == SHOWN)
	_go(_on_screen(Vector2(190, 100)))
	await _hold(14)
	_shot("posing_after")
	await _store("Dancer")
	_shot_of(_dock(), "posing_library")
	DirAccess.remove_absolute("res://poses.tres")
	print("TAKEN %d" % _count)
	quit()


## Stores the pose of the manikin in the dock of poses.
func _store(title: String) -> void:
	for button: Button in root.find_children("*", "Button", true, false):
		if button.text == "Poses" and button.toggle_mode:
			button.button_pressed = true
	await _wait(10)
	var scene: Node = EditorInterface.get_edited_scene_root()
	EditorInterface.get_selection().add_node(scene.find_children("*", "Skeleton2D")[0])
	await _wait(3)
	(_dock().find_children("*", "LineEdit", true, false)[-1] as LineEdit).text = title
	for button: Button in _dock().find_children("*", "Button", true, false):
		if button.text == "Store":
			button.pressed.emit()
	await _wait(10)
	EditorInterface.get_selection().clear()
	await _wait(10)


func _dock() -> Control:
	return root.find_children("Poses", "VBoxContainer", true, false)[0]


func _shot_of(control: Control, title: String) -> void:
	RenderingServer.force_draw()
	var image: Image = root.get_texture().get_image()
	image.convert(Image.FORMAT_RGB8)
	image = image.get_region(Rect2i(control.get_global_rect().grow(4)))
	image.save_png(_folder.path_join(title + ".png"))


func _pin_feet() -> void:
	for button: Button in root.find_children("*", "Button", true, false):
		if button.text == "Pin Feet":
			button.pressed.emit()
	await _hold(3)


## Moves the mouse to the end of a bone, or to the joint of a root.
func _go_to_end(title: String, key: int = 0) -> void:
	var bone: Bone2D = EditorInterface.get_edited_scene_root().find_child(title)
	var is_root: bool = bone.get_parent() is Skeleton2D
	var length: float = 0.0 if is_root else bone.get_length()
	var end: Vector2 = bone.global_transform * Vector2(length, 0)
	var from: Vector2 = _mouse
	for step: int in 4:
		_go(from.lerp(_on_screen(end), smoothstep(0, 1, (step + 1) / 4.0)), key)
		await _film()


## Moves the mouse to the end of a bone, takes it, and pulls it to its place.
func _drag(drag: Array, is_shown: bool) -> void:
	await _go_to_end(drag[0])
	_press(true)
	var from: Vector2 = _mouse
	var goal: Vector2 = _on_screen(drag[1])
	for step: int in 8:
		_go(from.lerp(goal, smoothstep(0, 1, (step + 1) / 8.0)), drag[2])
		await _film()
		if is_shown and step == 5:
			_shot("posing_during")
	_press(false)
	await _hold(2)


func _hold(count: int) -> void:
	for frame: int in count:
		await _film()


func _on_screen(place: Vector2) -> Vector2:
	return EditorInterface.get_editor_viewport_2d().global_canvas_transform * place


func _go(place: Vector2, key: int = 0) -> void:
	_mouse = place
	var event: InputEventMouseMotion = InputEventMouseMotion.new()
	event.position = place
	event.shift_pressed = key == KEY_SHIFT
	event.alt_pressed = key == KEY_ALT
	_overlay.gui_input.emit(event)
	_cursor.position = place
	_cursor.get_node("Key").set("text", {KEY_SHIFT: "Shift", KEY_ALT: "Alt"}.get(key, ""))


func _press(is_pressed: bool, is_alt: bool = false) -> void:
	var event: InputEventMouseButton = InputEventMouseButton.new()
	event.button_index = MOUSE_BUTTON_LEFT
	event.pressed = is_pressed
	event.alt_pressed = is_alt
	event.position = _mouse
	_overlay.gui_input.emit(event)


## The screen off screen has no pointer.
func _make_cursor() -> void:
	_cursor = Control.new()
	_cursor.mouse_filter = Control.MOUSE_FILTER_IGNORE
	for part: Array in [[Color.BLACK, 1.35], [Color.WHITE, 1.0]]:
		var arrow: Polygon2D = Polygon2D.new()
		arrow.polygon = [
			Vector2(0, 0),
			Vector2(0, 20),
			Vector2(5, 15.5),
			Vector2(8, 23),
			Vector2(11, 21.5),
			Vector2(8, 14.5),
			Vector2(14, 14)
		]
		arrow.color = part[0]
		arrow.scale = 0.8 * Vector2.ONE * part[1]
		arrow.position = Vector2.ONE * -2.2 * (part[1] - 1.0) / 0.35
		arrow.antialiased = true
		_cursor.add_child(arrow)
	var label: Label = Label.new()
	label.name = "Key"
	label.position = Vector2(18, 12)
	label.add_theme_constant_override("outline_size", 6)
	label.add_theme_color_override("font_outline_color", Color.BLACK)
	_cursor.add_child(label)
	_overlay.add_child(_cursor)


func _film() -> void:
	await _wait(1)
	RenderingServer.force_draw()
	var image: Image = _view()
	image.resize(FILM.x, FILM.y, Image.INTERPOLATE_LANCZOS)
	image.save_png(_frames.path_join("%04d.png" % _count))
	_count += 1


func _shot(title: String) -> void:
	RenderingServer.force_draw()
	_view().save_png(_folder.path_join(title + ".png"))


## What the viewport shows, in the middle.
func _view() -> Image:
	var middle: Vector2i = Vector2i(_overlay.get_global_rect().get_center())
	var image: Image = root.get_texture().get_image()
	image.convert(Image.FORMAT_RGB8)
	return image.get_region(Rect2i(middle - PICTURE / 2, PICTURE))
