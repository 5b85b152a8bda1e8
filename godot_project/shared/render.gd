extends Node
## Plays the gallery by itself and saves a picture of every scene.
##
## It does so only when asked to, with
## [code]godot --path godot_project --fixed-fps 60 -- --render-to FOLDER[/code], and then quits.
## One more argument, [code]--only NAME[/code], renders that picture or film alone, and
## [code]--at SECOND[/code] takes it at another moment. With
## [code]--film-to FOLDER[/code] it saves the frames of the films, each in a folder of its own.
## Frames are counted, and all take the same time: the pictures are always the same.

const STEP: float = 1.0 / 60.0

## How many frames are really drawn, at the end.
const DRAWN_FRAMES: int = 10

const LOOK_AT: String = "res://scenes/look_at/look_at.tscn"
const TWO_BONE: String = "res://scenes/two_bone/two_bone.tscn"
const CCD: String = "res://scenes/ccd/ccd.tscn"
const FABRIK: String = "res://scenes/fabrik/fabrik.tscn"
const WALKER: String = "res://scenes/walker/walker.tscn"
const LIMITS: String = "res://scenes/limits/limits.tscn"
const TORSO: String = "res://scenes/torso/torso.tscn"
const OBSTACLES: String = "res://scenes/obstacles/obstacles.tscn"
const SPRING: String = "res://scenes/spring/spring.tscn"
const STRETCH: String = "res://scenes/stretch/stretch.tscn"
const SPLINE: String = "res://scenes/spline/spline.tscn"
const COPY_TRANSFORM: String = "res://scenes/copy_transform/copy_transform.tscn"
const CUSTOM_MODIFIER: String = "res://scenes/custom_modifier/custom_modifier.tscn"
const TRAIL: String = "res://scenes/trail/trail.tscn"
const HANDOVER: String = "res://scenes/handover/handover.tscn"
const SLIDER: String = "res://scenes/slider/slider.tscn"
const HANGING: String = "res://scenes/hanging/hanging.tscn"
const GAIT: String = "res://scenes/gait/gait.tscn"
const FEET: String = "res://scenes/feet/feet.tscn"
const RAGDOLL: String = "res://scenes/ragdoll/ragdoll.tscn"
const LOCKSTEP: String = "res://scenes/lockstep/lockstep.tscn"
const POSES: String = "res://scenes/poses/poses.tscn"
const AIM: String = "res://scenes/aim/aim.tscn"
const CLIMBER: String = "res://scenes/climber/climber.tscn"

## The name of each picture, its scene, and the second at which it is taken.
const PICTURES: Array[Array] = [
	["menu", Caption.MENU, 1.0],
	["look_at", LOOK_AT, 1.5],
	["two_bone", TWO_BONE, 4.4],
	["ccd", CCD, 2.6],
	["fabrik", FABRIK, 2.8],
	["walker", WALKER, 1.84],
	["walker_mirrored", WALKER, 8.9],
	["limits", LIMITS, 2.7],
	["torso", TORSO, 2.0],
	["obstacles", OBSTACLES, 2.6],
	["stretch", STRETCH, 2.2],
	["spring", SPRING, 3.1],
	["spline", SPLINE, 2.3],
	["copy_transform", COPY_TRANSFORM, 4.3],
	["custom_modifier", CUSTOM_MODIFIER, 2.6],
	["trail", TRAIL, 5.6],
	["handover", HANDOVER, 4.6],
	["slider", SLIDER, 4.4],
	["hanging", HANGING, 4.0],
	["gait", GAIT, 3.4],
	["feet", FEET, 6.6],
	["lockstep", LOCKSTEP, 39.0],
	["ragdoll", RAGDOLL, 2.65],
	["aim", AIM, 1.55],
	["climber", CLIMBER, 7.0],
	["poses", POSES, 3.4],
]

## The picture of the whole menu, all cards, and when it is taken.
const GALLERY: String = "gallery"
const GALLERY_AT: float = 2.6

## The name of each film, its scene, and the seconds in which it begins and ends.
const FILMS: Array[Array] = [
	["walker", WALKER, 1.0, 9.0],
	["feet", FEET, 5.5, 11.5],
	["ragdoll", RAGDOLL, 0.3, 13.4],
]

## How many frames are between two that a film keeps, and their size.
const FILM_EVERY: int = 5
const FILM_SIZE: Vector2i = Vector2i(640, 360)


func _ready() -> void:
	var folder: String = _argument("--render-to") + _argument("--film-to")
	if folder.is_empty():
		queue_free()
		return
	GalleryScene.fixed_step = STEP
	get_viewport().gui_disable_input = true
	DirAccess.make_dir_recursive_absolute(folder)
	if _argument("--film-to").is_empty():
		_render_all.call_deferred(folder, _argument("--only"))
	else:
		_film_all.call_deferred(folder, _argument("--only"))


func _render_all(folder: String, only: String) -> void:
	var at: String = _argument("--at")
	var count: int = 0
	for picture: Array in PICTURES:
		if only in ["", picture[0]]:
			var second: float = picture[2] if at.is_empty() else at.to_float()
			await _render(picture[1], second, folder.path_join(picture[0] + ".png"))
			count += 1
	if only in ["", GALLERY]:
		await _render_gallery(folder.path_join(GALLERY + ".png"))
		count += 1
	print("RENDERED %d scenes" % count)
	get_tree().quit()


func _film_all(folder: String, only: String) -> void:
	var count: int = 0
	for film: Array in FILMS:
		if only in ["", film[0]]:
			var place: String = folder.path_join(film[0])
			DirAccess.make_dir_recursive_absolute(place)
			count += await _film(place, film[1], roundi(film[2] / STEP), roundi(film[3] / STEP))
	print("FILMED %d frames" % count)
	get_tree().quit()


## Returns how many frames are kept.
func _film(folder: String, scene: String, first: int, end: int) -> int:
	await _open(scene)
	(get_tree().current_scene.get_node("Caption") as CanvasLayer).hide()
	var count: int = 0
	for frame: int in end:
		var is_kept: bool = frame >= first and frame % FILM_EVERY == 0
		RenderingServer.render_loop_enabled = frame % FILM_EVERY in [0, FILM_EVERY - 1]
		await get_tree().process_frame
		if is_kept:
			await RenderingServer.frame_post_draw
			var image: Image = get_viewport().get_texture().get_image()
			image.resize(FILM_SIZE.x, FILM_SIZE.y, Image.INTERPOLATE_LANCZOS)
			image.save_png(folder.path_join("%04d.png" % count))
			count += 1
	return count


func _open(scene: String) -> void:
	get_tree().unload_current_scene()
	get_tree().change_scene_to_file(scene)
	while get_tree().current_scene == null:
		await get_tree().process_frame


func _render(scene: String, second: float, file: String) -> void:
	await _open(scene)
	var frames: int = roundi(second / STEP)
	for frame: int in frames:
		RenderingServer.render_loop_enabled = frame > frames - DRAWN_FRAMES
		await get_tree().process_frame
	await RenderingServer.frame_post_draw
	get_viewport().get_texture().get_image().save_png(file)
	print(file)


## The menu as high as all its cards, in a viewport of its own.
func _render_gallery(file: String) -> void:
	get_tree().unload_current_scene()
	var viewport: SubViewport = SubViewport.new()
	var menu: Control = (load(Caption.MENU) as PackedScene).instantiate()
	var cards: Control = menu.get_node("%Cards")
	viewport.size = Vector2i(cards.custom_minimum_size)
	viewport.render_target_update_mode = SubViewport.UPDATE_ALWAYS
	(menu.get_node("%Scroll") as ScrollContainer).vertical_scroll_mode = (
		ScrollContainer.SCROLL_MODE_DISABLED
	)
	viewport.add_child(menu)
	add_child(viewport)
	var frames: int = roundi(GALLERY_AT / STEP)
	for frame: int in frames:
		RenderingServer.render_loop_enabled = frame > frames - DRAWN_FRAMES
		await get_tree().process_frame
	await RenderingServer.frame_post_draw
	viewport.get_texture().get_image().save_png(file)
	viewport.free()
	print(file)


## The value that follows [param option] on the command line, after the two dashes.
func _argument(option: String) -> String:
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	var at: int = arguments.find(option)
	return arguments[at + 1] if at >= 0 and at + 1 < arguments.size() else ""
