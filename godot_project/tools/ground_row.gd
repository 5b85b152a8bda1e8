extends "res://tools/motion_row.gd"
## Saves a row of pictures of a character on ground: how feet leave it, find it and get over it.
##
## [code]godot --path godot_project --fixed-fps 60 --script res://tools/ground_row.gd --
## FILE FILM [EVERY][/code] takes every EVERY-th tick. The films are drop, landing, platform, flip,
## stairs, run, spider, wall and crest: methods [code]_film_*[/code], which return what a tick does.

const GroundSuite := preload("res://tests/ground_suite.gd")
const Legs := preload("res://tests/ground_legs.gd")
const Hero := preload("res://tests/ground_hero.gd")
const GroundDrawing := preload("res://tools/ground_drawing.gd")

const EVERY: int = 4
## Of the view, for a pair of legs; more legs are wider.
const ZOOM: float = 6.0

var _ground: GroundSuite = GroundSuite.new()
var _legs: Legs


func _run(arguments: PackedStringArray) -> void:
	debug_collisions_hint = true
	root.add_child(_ground)
	_ground.begin()
	var camera: Camera2D = Camera2D.new()
	root.add_child(camera)
	camera.make_current()
	var act: Callable = await call("_film_" + arguments[1])
	camera.zoom = Vector2(ZOOM, ZOOM) / (1.0 if _legs.feet.size() == 2 else 1.6)
	var drawing: GroundDrawing = GroundDrawing.new()
	drawing.legs = _legs
	_ground.world.add_child(drawing)
	var every: int = arguments[2].to_int() if arguments.size() > 2 else EVERY
	var pictures: Array[Image] = []
	for tick: int in COUNT * every:
		act.call(tick)
		camera.position = _legs.global_position - Vector2(0, 0.5 * _legs.hip_height)
		drawing.queue_redraw()
		if tick % every == 0:
			await RenderingServer.frame_post_draw
			pictures.append(_picture())
		await physics_frame
	_save(pictures, arguments[0])
	quit()


## The middle of the view, as high as wide.
func _picture() -> Image:
	var image: Image = root.get_texture().get_image()
	var side: int = image.get_height()
	image = image.get_region(Rect2i((image.get_width() - side) >> 1, 0, side, side))
	image.convert(Image.FORMAT_RGB8)
	image.resize(WIDTH, WIDTH, Image.INTERPOLATE_LANCZOS)
	return image


## Through a one-way platform, to the floor below.
func _film_drop() -> Callable:
	_ground.box(Vector2(0, 60), Vector2(2000, 20))
	_ground.one_way(Vector2.ZERO, Vector2(80, 10))
	var hero: Hero = await _hero(Vector2(0, -0.1), "idle", 0.0)
	return func(tick: int) -> void: hero.position.y += 2.0 if tick == 2 else 0.0


## From above, onto a slope.
func _film_landing() -> Callable:
	_ground.box(Vector2.ZERO, Vector2(2000, 400), StaticBody2D.new(), 0.25)
	var hero: Hero = await _hero(Vector2(0, -4), "idle", 0.0)
	hero.jump = 300.0
	await _ground.seconds(0.3)
	return func(_tick: int) -> void: pass


## Up through a one-way platform, and down onto it.
func _film_platform() -> Callable:
	_ground.box(Vector2.ZERO, Vector2(2000, 20))
	_ground.one_way(Vector2(0, -70), Vector2(120, 10))
	var hero: Hero = await _hero(Vector2(0, -4), "idle", 0.0)
	hero.jump = 480.0
	return func(_tick: int) -> void: pass


## Turns round while it walks.
func _film_flip() -> Callable:
	_ground.box(Vector2.ZERO, Vector2(4000, 40))
	var hero: Hero = await _hero(Vector2(0, -0.1), "walk", 100.0)
	return func(tick: int) -> void:
		if tick == 6:
			hero.legs.scale.x = -1.0
			hero.speed = -100.0


## Up stairs of 24 on legs of 64.
func _film_stairs() -> Callable:
	return await _over_stairs("walk", 100.0, 24.0)


## Over stairs of 8, at a run.
func _film_run() -> Callable:
	return await _over_stairs("run", 400.0, 8.0)


## Six legs over blocks of 16.
func _film_spider() -> Callable:
	_ground.box(Vector2(2000, 0), Vector2(6000, 40))
	for index: int in 12:
		_ground.box(Vector2(200.0 + 110.0 * index, -16), Vector2(32, 16))
	return await _walker(6, func(_x: float) -> float: return 0.0, 130.0)


## Six legs up to a wall, and on against it.
func _film_wall() -> Callable:
	_ground.box(Vector2(2000, 0), Vector2(6000, 40))
	_ground.box(Vector2(90, -200), Vector2(40, 240))
	return await _walker(6, func(_x: float) -> float: return 0.0, 0.0, 50.0)


## Eight legs over a crest of 25 degrees.
func _film_crest() -> Callable:
	var slope: float = tan(deg_to_rad(25.0))
	_ground.polygon([Vector2(-600, 600 * slope), Vector2.ZERO, Vector2(600, 600 * slope)])
	return await _walker(8, func(x: float) -> float: return absf(x) * slope, -40.0)


func _hero(at: Vector2, animation: String, speed: float) -> Hero:
	var hero: Hero = _ground.hero(at)
	hero.floor_snap_length = 10.0
	hero.speed = speed
	hero.play(animation)
	_legs = hero.legs
	await _ground.seconds(0.8)
	return hero


func _over_stairs(animation: String, speed: float, rise: float) -> Callable:
	_ground.box(Vector2(2000, 0), Vector2(12000, 200)).collision_layer = 1 | 2
	_ground.stairs(300.0, 36.0, rise, 6)
	var hero: Hero = _ground.hero(Vector2(150, -0.1))
	hero.collision_mask = 2
	hero.floor_snap_length = 20.0
	hero.speed = speed
	hero.play(animation)
	_legs = hero.legs
	await _ground.seconds(180.0 / speed)
	return func(_tick: int) -> void: pass


## Walks at 100 pixels a second from there.
func _walker(count: int, height: Callable, from: float, to: float = INF) -> Callable:
	_legs = _ground.put(Legs.spider(count, 20.0), Vector2(from, height.call(from)))
	var holder: Node2D = _ground.holder_of(_legs)
	await _ground.seconds(0.5)
	return func(_tick: int) -> void:
		holder.position.x = minf(holder.position.x + 100.0 * STEP, to)
		holder.position.y = height.call(holder.position.x)
