extends SceneTree
## Takes the picture of the puppet that docs/guide.md builds, walking: see
## [code]scripts/screenshots[/code].
##
## [code]godot --path godot_project --script res://tools/walking_picture.gd -- FILE[/code]

## Frames of walking to the right, and then to the left, after which it is seen.
const MOMENTS: Array[int] = [24, 33, 42, -33]
const STRIP: Rect2i = Rect2i(0, 200, 300, 340)

const FRAME: float = 1.0 / 60.0


func _initialize() -> void:
	_run.call_deferred(OS.get_cmdline_user_args()[0])


func _run(file: String) -> void:
	var size: Vector2i = STRIP.size
	var picture: Image = Image.create(size.x * MOMENTS.size(), size.y, false, Image.FORMAT_RGB8)
	for index: int in MOMENTS.size():
		var strip: Image = await _walk(MOMENTS[index])
		picture.blit_rect(strip, Rect2i(Vector2i.ZERO, size), Vector2i(size.x * index, 0))
	picture.save_png(file)
	print("TAKEN 1")
	quit()


func _walk(moment: int) -> Image:
	var scene: Node = (
		(load("res://scenes/first_steps/first_steps.tscn") as PackedScene).instantiate()
	)
	root.add_child(scene)
	scene.set_process(false)
	var puppet: Node2D = scene.get_node("Puppet")
	var way: float = signf(moment)
	for frame: int in absi(moment):
		scene.call("walk", 1000.0 * way, FRAME)
	puppet.position.x = STRIP.get_center().x
	(scene.get_node("HeadTarget") as Node2D).position = (
		puppet.position + Vector2(400.0 * way, -250.0)
	)
	await process_frame
	await RenderingServer.frame_post_draw
	var image: Image = root.get_texture().get_image()
	image.convert(Image.FORMAT_RGB8)
	scene.free()
	return image.get_region(STRIP)
