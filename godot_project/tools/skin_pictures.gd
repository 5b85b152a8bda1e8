@tool
extends "editor_pictures.gd"
## Skins a drawing as a user does, with the mouse, and takes pictures of it: see
## [code]scripts/screenshots[/code].
##
## [code]godot --editor --path godot_project --script res://tools/skin_pictures.gd -- FOLDER[/code]
## saves them in FOLDER and quits. It says how many clicks it took, and by how much the skin differs
## from the sprite at rest, of 255, in any channel of any pixel.

const SCENE: String = "res://skin_pictures.tscn"
const WINDOW: Vector2i = Vector2i(1440, 860)
const CENTRE: Vector2 = Vector2(230, 285)
const ZOOM: float = 1.0
## Beside the panel with the brush and the bones.
const SMALL_ZOOM: float = 0.9
## The toolbar, the panel and the viewport.
const VIEW: Rect2i = Rect2i(284, 76, 872, 740)
## Each of the pictures of the row, around the drawing.
const PART: Vector2i = Vector2i(480, 580)
const SMALL: Vector2i = Vector2i(336, 406)
## Joints in the drawing, and the bone above. A bone without a child ends at the second place.
const BONES: Dictionary[String, Array] = {
	"Hips": ["", Vector2(190, 326)],
	"Tail": ["Hips", Vector2(150, 322)],
	"TailEnd": ["Hips/Tail", Vector2(116, 372), Vector2(104, 460)],
	"BackThigh": ["Hips", Vector2(164, 350)],
	"BackShin": ["Hips/BackThigh", Vector2(157, 438), Vector2(162, 528)],
	"FarBackThigh": ["Hips", Vector2(198, 352)],
	"FarBackShin": ["Hips/FarBackThigh", Vector2(206, 440), Vector2(204, 528)],
	"Chest": ["Hips", Vector2(290, 310)],
	"FrontThigh": ["Hips/Chest", Vector2(288, 352)],
	"FrontShin": ["Hips/Chest/FrontThigh", Vector2(290, 442), Vector2(288, 528)],
	"FarFrontThigh": ["Hips/Chest", Vector2(326, 350)],
	"FarFrontShin": ["Hips/Chest/FarFrontThigh", Vector2(332, 440), Vector2(330, 528)],
	"Neck": ["Hips/Chest", Vector2(318, 282)],
	"NeckEnd": ["Hips/Chest/Neck", Vector2(356, 186)],
	"Head": ["Hips/Chest/Neck/NeckEnd", Vector2(396, 92), Vector2(446, 108)],
}
## By how many degrees they are bent in the last picture.
const BENDS: Dictionary[String, float] = {
	"Neck": -25.0,
	"NeckEnd": 90.0,
	"Head": -20.0,
	"FrontThigh": -50.0,
	"FrontShin": 90.0,
	"BackShin": 30.0,
	"TailEnd": 60.0,
}

var _clicks: int = 0
var _zoom: float = ZOOM


func _run() -> void:
	var folder: String = OS.get_cmdline_user_args()[0]
	await _settle()
	root.size = WINDOW
	(EditorInterface.get_editor_toaster() as Control).hide()
	EditorInterface.set_main_screen_editor("2D")
	_overlay = _find("CanvasItemEditorViewport")
	_save_scene()
	await _open(SCENE)
	for time: int in 3:
		await _wait(10)
		_look(CENTRE, ZOOM)
	await _show()
	var row: Array[Image] = [await _part()]
	await _skin(folder)
	await _show()
	var skinned: Image = await _part()
	print("DIFFERENCE %s" % [_difference(row[0], skinned)])
	row.append(await _see_weights(folder))
	row.append(await _bend())
	_row(row).save_png(folder.path_join("skins_row.png"))
	DirAccess.remove_absolute(SCENE)
	print("CLICKS %d" % _clicks)
	print("TAKEN 3")
	quit()


func _save_scene() -> void:
	var scene: Node2D = Node2D.new()
	scene.name = "Giraffe"
	var sprite: Sprite2D = Sprite2D.new()
	sprite.name = "Sprite"
	sprite.texture = load("res://art/skin/giraffe.svg")
	sprite.centered = false
	sprite.scale = Vector2(460, 560) / sprite.texture.get_size()
	scene.add_child(sprite)
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton"
	scene.add_child(skeleton)
	for title: String in BONES:
		var bone: Bone2D = Bone2D.new()
		bone.name = title
		var above: String = BONES[title][0]
		skeleton.get_node(above if above != "" else ".").add_child(bone)
		var origin: Vector2 = BONES[above.get_file()][1] if above != "" else Vector2.ZERO
		bone.position = BONES[title][1] - origin
		bone.rest = bone.transform
		if BONES[title].size() > 2:
			var way: Vector2 = BONES[title][2] - BONES[title][1]
			bone.set_autocalculate_length_and_angle(false)
			bone.set_length(way.length())
			bone.set_bone_angle(way.angle())
	for node: Node in scene.find_children("*", "", true, false):
		node.owner = scene
	var packed: PackedScene = PackedScene.new()
	packed.pack(scene)
	ResourceSaver.save(packed, SCENE)
	scene.free()


## Selects in the scene tree with the mouse, and chooses from the menu.
func _skin(folder: String) -> void:
	await _pick("Sprite", false)
	await _pick("Skeleton", true)
	await _click(_menu().get_global_rect().get_center())
	var popup: PopupMenu = _menu().get_popup()
	while popup.get_item_text(maxi(popup.get_focused_item(), 0)) != "Skin to Bones…":
		await _key(KEY_UP)
	await _key(KEY_ENTER)
	_clicks += 1
	await _wait(30)
	var dialog: AcceptDialog
	for window: AcceptDialog in root.find_children("*", "AcceptDialog", true, false):
		if window.title == "Skin to Bones":
			dialog = window
	while dialog.get_ok_button().disabled:
		await _wait(1)
	await _wait(10)
	RenderingServer.force_draw()
	var place: Rect2i = Rect2i(dialog.position, dialog.size).grow(4).grow_side(SIDE_TOP, 30)
	_saved(root.get_texture().get_image().get_region(place), folder.path_join("skins_dialog.png"))
	var ok: Control = dialog.get_ok_button()
	await _click(Vector2(dialog.position) + ok.get_global_rect().get_center())
	await _wait(20)


func _see_weights(folder: String) -> Image:
	await _pick("SpriteSkin", false)
	await _switch("Weights")
	_zoom = SMALL_ZOOM
	for time: int in 3:
		await _wait(10)
		_look(CENTRE, _zoom)
	await _go(_on_screen(Vector2(200, 392)))
	await _wait(20)
	RenderingServer.force_draw()
	var image: Image = root.get_texture().get_image().get_region(VIEW)
	_saved(image, folder.path_join("skins_weights.png"))
	var part: Image = await _part()
	await _switch("Weights")
	_zoom = ZOOM
	return part


func _switch(title: String) -> void:
	for button: Button in root.find_children("*", "Button", true, false):
		if button.text == title and button.toggle_mode and button.is_visible_in_tree():
			await _click(button.get_global_rect().get_center())
			return


func _bend() -> Image:
	var scene: Node = EditorInterface.get_edited_scene_root()
	for title: String in BENDS:
		(scene.find_child(title) as Bone2D).rotation_degrees = BENDS[title]
	await _show()
	return await _part()


## Shows the drawing with nothing selected.
func _show() -> void:
	EditorInterface.get_selection().clear()
	await _wait(5)
	_look(CENTRE, ZOOM)
	await _wait(20)


func _on_screen(place: Vector2) -> Vector2:
	var canvas: Transform2D = EditorInterface.get_editor_viewport_2d().global_canvas_transform
	return _overlay.get_global_position() + canvas * place


## What the viewport shows around the drawing.
func _part() -> Image:
	await _wait(5)
	RenderingServer.force_draw()
	var image: Image = root.get_texture().get_image()
	image.convert(Image.FORMAT_RGB8)
	var size: Vector2i = Vector2i(PART * _zoom)
	return image.get_region(Rect2i(Vector2i(_on_screen(CENTRE)) - size / 2, size))


func _row(parts: Array[Image]) -> Image:
	var row: Image = Image.create_empty(SMALL.x * parts.size(), SMALL.y, false, Image.FORMAT_RGB8)
	for index: int in parts.size():
		parts[index].resize(SMALL.x, SMALL.y, Image.INTERPOLATE_LANCZOS)
		row.blit_rect(parts[index], Rect2i(Vector2i.ZERO, SMALL), Vector2i(SMALL.x * index, 0))
	return row


func _saved(image: Image, file: String) -> void:
	image.convert(Image.FORMAT_RGB8)
	image.save_png(file)


func _difference(first: Image, second: Image) -> int:
	var most: int = 0
	var bytes: PackedByteArray = second.get_data()
	var others: PackedByteArray = first.get_data()
	for index: int in bytes.size():
		most = maxi(most, absi(bytes[index] - others[index]))
	return most


## Clicks a node in the scene tree.
func _pick(title: String, adds: bool) -> void:
	var tree: Tree = _find("SceneTreeEditor").find_children("*", "Tree", true, false)[0]
	var item: TreeItem = tree.get_root()
	while item != null and item.get_text(0) != title:
		item = item.get_next_visible()
	var place: Rect2 = tree.get_item_area_rect(item, 0)
	var left: Vector2 = Vector2(place.position.x + 60, place.get_center().y)
	await _click(tree.get_global_position() + left, adds)


func _go(place: Vector2) -> void:
	var motion: InputEventMouseMotion = InputEventMouseMotion.new()
	motion.position = place
	motion.global_position = place
	Input.parse_input_event(motion)
	await _wait(2)


func _key(code: Key) -> void:
	for is_pressed: bool in [true, false]:
		var event: InputEventKey = InputEventKey.new()
		event.keycode = code
		event.pressed = is_pressed
		Input.parse_input_event(event)
	await _wait(2)


func _click(place: Vector2, is_ctrl: bool = false) -> void:
	await _go(place)
	_clicks += 1
	for is_pressed: bool in [true, false]:
		var event: InputEventMouseButton = InputEventMouseButton.new()
		event.button_index = MOUSE_BUTTON_LEFT
		event.pressed = is_pressed
		event.ctrl_pressed = is_ctrl
		event.position = place
		event.global_position = place
		Input.parse_input_event(event)
		await _wait(3)
