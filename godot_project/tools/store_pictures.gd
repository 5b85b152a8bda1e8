extends SceneTree
## Takes the pictures for asset stores that show the gallery: see
## [code]scripts/screenshots --store[/code].
##
## [code]godot --path godot_project --script res://tools/store_pictures.gd -- FOLDER[/code]

const STEP: float = 1.0 / 60.0
const ICON_SIZE: int = 512
const WIDE_SIZE: Vector2i = Vector2i(1280, 640)
const ICON: String = "res://icon.svg"

## The screenshots: the scene, and the second at which it is taken.
const SCREENSHOTS: Dictionary[String, Array] = {
	"screenshot_1": ["walker", 1.84],
	"screenshot_2": ["torso", 2.0],
}


func _initialize() -> void:
	_run.call_deferred(OS.get_cmdline_user_args()[0])


func _run(folder: String) -> void:
	GalleryScene.fixed_step = STEP
	root.gui_disable_input = true
	var icon: Image = Image.new()
	icon.load_svg_from_string(FileAccess.get_file_as_string(ICON), ICON_SIZE / 128.0)
	icon.save_png(folder.path_join("icon.png"))
	for title: String in SCREENSHOTS:
		var image: Image = await _take(SCREENSHOTS[title][0], SCREENSHOTS[title][1], null)
		image.save_png(folder.path_join(title + ".png"))
	var wide: Image = await _take("walker", 8.9, _title())
	var height: int = roundi(WIDE_SIZE.x * wide.get_height() / float(wide.get_width()))
	wide.resize(WIDE_SIZE.x, height, Image.INTERPOLATE_LANCZOS)
	var top: int = (height - WIDE_SIZE.y) / 2
	wide.get_region(Rect2i(Vector2i(0, top), WIDE_SIZE)).save_png(folder.path_join("wide.png"))
	print("TAKEN %d" % (SCREENSHOTS.size() + 2))
	quit()


## A picture of the scene [param title], with [param over] in front of it.
func _take(title: String, second: float, over: CanvasLayer) -> Image:
	var path: String = "res://scenes/%s/%s.tscn" % [title, title]
	var scene: Node = (load(path) as PackedScene).instantiate()
	root.add_child(scene)
	if over != null:
		(scene.get_node("Caption") as CanvasLayer).hide()
		root.add_child(over)
	var frames: int = roundi(second / STEP)
	for frame: int in frames:
		RenderingServer.render_loop_enabled = frame > frames - 10
		await process_frame
	await RenderingServer.frame_post_draw
	var image: Image = root.get_texture().get_image()
	image.convert(Image.FORMAT_RGB8)
	scene.free()
	if over != null:
		over.free()
	return image


## The name and what it is, beside the figure.
func _title() -> CanvasLayer:
	var layer: CanvasLayer = CanvasLayer.new()
	layer.layer = 20
	var icon: TextureRect = TextureRect.new()
	icon.texture = load(ICON)
	icon.position = Vector2(680, 210)
	layer.add_child(icon)
	layer.add_child(_label("Tendon", 72, Vector2(824, 224)))
	layer.add_child(_label("2D inverse kinematics for Godot 4", 26, Vector2(684, 352)))
	return layer


func _label(text: String, size: int, place: Vector2) -> Label:
	var label: Label = Label.new()
	label.text = text
	label.position = place
	label.add_theme_font_size_override(&"font_size", size)
	label.add_theme_color_override(&"font_color", Color(0.98, 0.93, 0.84))
	label.add_theme_color_override(&"font_outline_color", Color(0.07, 0.1, 0.19))
	label.add_theme_constant_override(&"outline_size", 10)
	return label
