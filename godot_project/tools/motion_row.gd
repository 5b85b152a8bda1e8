extends SceneTree
## Saves a row of pictures of a gallery scene whose target roams, and says how far joints move in a
## frame at most. Two builds that are given the same arguments can be laid one above the other.
##
## [code]godot --path godot_project --fixed-fps 60 --script res://tools/motion_row.gd --
## FILE SCENE [FIRST [EVERY]][/code] takes every EVERY-th frame from FIRST on.

const COUNT: int = 10
const FRAMES: int = 1800
const STEP: float = 1.0 / 60.0
const WIDTH: int = 320

## As a part of half the view.
const ROAM: Vector2 = Vector2(0.75, 0.8)

## Frames at the beginning that are left to the start.
const START: int = 30

## Pixels in a frame that are seen as a jump.
const JUMP: float = 40.0


func _initialize() -> void:
	_run.call_deferred(OS.get_cmdline_user_args())


func _run(arguments: PackedStringArray) -> void:
	GalleryScene.fixed_step = STEP
	var path: String = "res://scenes/%s/%s.tscn" % [arguments[1], arguments[1]]
	var scene: GalleryScene = (load(path) as PackedScene).instantiate()
	root.add_child(scene)
	(scene.get_node("Caption") as CanvasLayer).hide()
	scene.set_process(false)
	var first: int = arguments[2].to_int() if arguments.size() > 2 else FRAMES
	var every: int = arguments[3].to_int() if arguments.size() > 3 else 1
	var pictures: Array[Image] = []
	var before: PackedVector2Array = []
	var farthest: float = 0.0
	var jumps: PackedInt32Array = []
	for frame: int in FRAMES:
		scene.time = frame * STEP
		scene.target.global_position = scene.call("_keep_inside", _roam(frame * STEP))
		scene.call("_play", STEP)
		var is_taken: bool = frame >= first and (frame - first) % every == 0
		RenderingServer.render_loop_enabled = is_taken and pictures.size() < COUNT
		if RenderingServer.render_loop_enabled:
			await RenderingServer.frame_post_draw
			pictures.append(_picture())
		else:
			await process_frame
		var joints: PackedVector2Array = _joints(scene)
		if frame > START:
			var moved: float = 0.0
			for index: int in joints.size():
				moved = maxf(moved, joints[index].distance_to(before[index]))
			farthest = maxf(farthest, moved)
			if moved > JUMP:
				jumps.append(frame)
		before = joints
	print("%s: at most %.1f px in a frame; above %.0f: %s" % [arguments[1], farthest, JUMP, jumps])
	if not pictures.is_empty():
		_save(pictures, arguments[0])
	quit()


func _roam(time: float) -> Vector2:
	var place: Vector2 = Vector2(
		sin(time * 0.9) * 0.8 + sin(time * 0.37) * 0.15,
		cos(time * 0.71) * 0.75 + sin(time * 0.23) * 0.2
	)
	var half: Vector2 = root.get_visible_rect().size / 2.0
	return half + ROAM * half * place


func _joints(scene: Node) -> PackedVector2Array:
	var places: PackedVector2Array = []
	for bone: Bone2D in scene.find_children("*", "Bone2D", true, false):
		places.append(bone.global_position)
	return places


func _picture() -> Image:
	var image: Image = root.get_texture().get_image()
	image.convert(Image.FORMAT_RGB8)
	image.resize(WIDTH, WIDTH * image.get_height() / image.get_width(), Image.INTERPOLATE_LANCZOS)
	return image


func _save(pictures: Array[Image], file: String) -> void:
	var size: Vector2i = pictures[0].get_size()
	var row: Image = Image.create(size.x * pictures.size(), size.y, false, Image.FORMAT_RGB8)
	for index: int in pictures.size():
		row.blit_rect(pictures[index], Rect2i(Vector2i.ZERO, size), Vector2i(size.x * index, 0))
	row.save_png(file)
