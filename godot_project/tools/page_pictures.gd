extends SceneTree
## Takes pictures for pages of the manual: see [code]scripts/screenshots[/code].
##
## [code]godot --path godot_project --fixed-fps 60 --script res://tools/page_pictures.gd --
## DOCS[/code] saves them in the folder DOCS, where the pages are.

const Figure := preload("res://tests/figure.gd")
const EngineStack := preload("res://tests/engine_stack.gd")

const PAPER: Color = Color("f4f1ea")
const INK: Color = Color("2b3145")
const BLUE: Color = Color("2f6fb2")
const ORANGE: Color = Color("d9822b")

## Frames of the hero of code, what is pressed until then, and where the mouse is from it.
const MOMENTS: Array[Array] = [
	[60, "", Vector2(50, -40)],
	[28, "ui_right", Vector2(55, 20)],
	[26, "ui_right", Vector2(40, -52)],
	[14, "ui_up", Vector2(60, -10)],
	[64, "ui_left", Vector2(-35, -30)],
]
const ZOOM: float = 1.5
const CELL: Vector2i = Vector2i(190, 190)
## Where the targets of the chains are, from their roots.
const PLACES: Array[Vector2] = [
	Vector2(-90, -40), Vector2(-70, 50), Vector2(-20, 85), Vector2(40, 70), Vector2(85, -10)
]
const LENGTHS: Array = [38.0, 36.0, 34.0]

## The part of the gallery's skin that is shown, and its size in the picture.
const FRAME: Rect2i = Rect2i(270, 40, 500, 600)
const SHOWN: Vector2i = Vector2i(350, 420)
## Its colors, and those of the other outfit.
const DYES: Dictionary[String, String] = {
	"#ffd27a": "#f4f7fb",
	"#f7b052": "#d5dfec",
	"#e08a3e": "#a9bbd3",
	"#d9863c": "#93a8c4",
	"#b5652f": "#2b3145",
	"#9a5a33": "#2b3145",
}


func _initialize() -> void:
	_run.call_deferred(OS.get_cmdline_user_args()[0])


func _run(folder: String) -> void:
	RenderingServer.set_default_clear_color(PAPER)
	await _build_hero(folder)
	await _mirror_chains(folder)
	await _change_clothes(folder)
	print("TAKEN 3")
	quit()


## The first script of a page, as it stands there.
func _script_of(page: String) -> GDScript:
	var text: String = FileAccess.get_file_as_string(page)
	var script: GDScript = GDScript.new()
	script.source_code = text.get_slice("```gdscript\n", 1).get_slice("```", 0)
	script.reload()
	return script


## The hero of rigs-in-code.md, who stands, walks, jumps and turns round.
func _build_hero(folder: String) -> void:
	var stage: Node2D = Node2D.new()
	root.add_child(stage)
	for step: Rect2 in [Rect2(-400, 60, 484, 90), Rect2(84, 50, 600, 100)]:
		stage.add_child(_ground(step))
	var hero: CharacterBody2D = CharacterBody2D.new()
	hero.set_script(_script_of(folder.path_join("rigs-in-code.md")))
	stage.add_child(hero)
	for bone: Line2D in hero.find_children("*", "Line2D", true, false):
		bone.default_color = INK if "Far" not in str(bone.get_path()) else Color("8d95a8")
		bone.width = 7.0
		bone.begin_cap_mode = Line2D.LINE_CAP_ROUND
		bone.end_cap_mode = Line2D.LINE_CAP_ROUND
	var mark: Line2D = _cross(stage)
	var strip: Image = Image.create(CELL.x * MOMENTS.size(), CELL.y, false, Image.FORMAT_RGB8)
	for index: int in MOMENTS.size():
		var key: String = MOMENTS[index][1]
		for frame: int in MOMENTS[index][0]:
			if key != "":
				Input.action_press(key)
			_look_at(hero, MOMENTS[index][2], mark)
			await physics_frame
			await process_frame
		if key != "":
			Input.action_release(key)
		await RenderingServer.frame_post_draw
		var image: Image = root.get_texture().get_image()
		image.convert(Image.FORMAT_RGB8)
		var part: Rect2i = Rect2i(Vector2i(root.size / 2) - CELL / 2, CELL)
		strip.blit_rect(image, part, Vector2i(CELL.x * index, 0))
	strip.save_png(folder.path_join("rigs-in-code.png"))
	stage.free()
	root.canvas_transform = Transform2D.IDENTITY


## Has the middle of the window show [param hero], and the mouse be beside it.
func _look_at(hero: Node2D, mouse: Vector2, mark: Node2D) -> void:
	var middle: Vector2 = hero.position + Vector2(10, 4)
	var corner: Vector2 = Vector2(root.size / 2) - ZOOM * middle
	root.canvas_transform = Transform2D(0.0, ZOOM * Vector2.ONE, 0.0, corner)
	mark.position = hero.position + mouse
	root.warp_mouse(root.canvas_transform * mark.position)


func _ground(step: Rect2) -> StaticBody2D:
	var body: StaticBody2D = StaticBody2D.new()
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = step.size
	var drawn: ColorRect = ColorRect.new()
	drawn.color = Color("9aa889")
	drawn.position = -step.size / 2.0
	drawn.size = step.size
	body.position = step.get_center()
	body.add_child(shape)
	body.add_child(drawn)
	return body


func _cross(above: Node) -> Line2D:
	var mark: Line2D = Line2D.new()
	mark.points = [Vector2(-6, 0), Vector2(6, 0), Vector2.ZERO, Vector2(0, -6), Vector2(0, 6)]
	mark.width = 2.5
	mark.default_color = ORANGE
	above.add_child(mark)
	return mark


## Chains below a mirrored node, and their targets: FABRIK of the engine, and of Tendon below.
func _mirror_chains(folder: String) -> void:
	var stage: Node2D = Node2D.new()
	root.add_child(stage)
	var figures: Array[Figure] = []
	for row: int in 2:
		var label: Label = Label.new()
		label.text = ["Godot's FABRIK, mirrored", "TendonFABRIK2D, mirrored"][row]
		label.position = Vector2(10, 6 + row * CELL.y)
		label.add_theme_color_override("font_color", INK)
		stage.add_child(label)
		for column: int in PLACES.size():
			var above: Array = Figure.ANCESTORS["mirrored in y"]
			var figure: Figure = Figure.new(LENGTHS, [-0.5, 0.5, 0.4], above)
			stage.add_child(figure.stage)
			figure.stage.position = Vector2(CELL) * Vector2(column + 0.5, row + 0.5)
			figure.stage.position -= figure.bones[0].global_position - figure.stage.position
			figure.target.global_position = figure.bones[0].global_position + PLACES[column]
			_cross(figure.target)
			_draw_bones(figure)
			if row == 0:
				EngineStack.give(figure, EngineStack.FABRIK)
			else:
				figure.fabrik()
			figures.append(figure)
	for frame: int in 60:
		figures.slice(PLACES.size()).map(func(it: Figure) -> void: it.rig.advance(1.0 / 60.0))
		await process_frame
	await RenderingServer.frame_post_draw
	var image: Image = root.get_texture().get_image()
	image.convert(Image.FORMAT_RGB8)
	var size: Vector2i = CELL * Vector2i(PLACES.size(), 2)
	image.get_region(Rect2i(Vector2i.ZERO, size)).save_png(folder.path_join("upstream.png"))
	stage.free()


func _draw_bones(figure: Figure) -> void:
	for index: int in figure.bones.size():
		var drawn: Line2D = Line2D.new()
		drawn.points = [Vector2.ZERO, Vector2(LENGTHS[index], 0)]
		drawn.width = 8.0
		drawn.begin_cap_mode = Line2D.LINE_CAP_ROUND
		drawn.end_cap_mode = Line2D.LINE_CAP_ROUND
		drawn.default_color = BLUE.lightened(0.2 * index)
		figure.bones[index].add_child(drawn)


## The skin of the gallery in the pose of one frame: as it is drawn, and with another texture.
func _change_clothes(folder: String) -> void:
	var stage: Node2D = (load("res://scenes/skin/skin.tscn") as PackedScene).instantiate()
	stage.get_node("Caption").queue_free()
	root.add_child(stage)
	for frame: int in 8:
		await process_frame
	stage.process_mode = Node.PROCESS_MODE_DISABLED
	var skin: Polygon2D = stage.get_node("GiraffeSkin")
	var outfits: Array[Texture2D] = [skin.texture, _dye(skin.texture)]
	var pair: Image = Image.create(2 * SHOWN.x, SHOWN.y, false, Image.FORMAT_RGB8)
	for index: int in outfits.size():
		skin.texture = outfits[index]
		await process_frame
		await RenderingServer.frame_post_draw
		var image: Image = root.get_texture().get_image().get_region(FRAME)
		image.convert(Image.FORMAT_RGB8)
		image.resize(SHOWN.x, SHOWN.y, Image.INTERPOLATE_LANCZOS)
		pair.blit_rect(image, Rect2i(Vector2i.ZERO, SHOWN), Vector2i(SHOWN.x * index, 0))
	pair.save_png(folder.path_join("outfits.png"))
	stage.free()


## The same drawing in other colors.
func _dye(texture: Texture2D) -> Texture2D:
	var drawing: String = FileAccess.get_file_as_string(texture.resource_path)
	for color: String in DYES:
		drawing = drawing.replace(color, DYES[color])
	var image: Image = Image.new()
	image.load_svg_from_string(drawing)
	image.generate_mipmaps()
	return ImageTexture.create_from_image(image)
