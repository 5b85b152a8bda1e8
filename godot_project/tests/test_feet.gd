extends "res://tests/suite.gd"
## TendonFootPlacement2D on ground of the engine's own physics.

const Tiles := preload("res://tests/tiles.gd")
const ASTRONAUT: String = "res://scenes/feet/astronaut.tscn"
## Level tiles, a hill, and stairs of 16 pixels up and down.
const COURSE: String = "______////___\\\\____+__+__+____-__-__-_____"

const THIGH: float = 40.0
## How far the hip is above the feet in the rest pose.
const HIP: float = 70.0


func test_flat_ground_leaves_the_animation_to_the_last_bit() -> void:
	for mode: int in _modes():
		var walker: Walker = _walker(mode)
		walker.feet[0].lock = TendonFoot2D.LOCK_NONE
		walker.add_ground(Vector2(0, 20), 0.0)
		for step: int in 20:
			walker.thighs[0].rotation = walker.rest + 0.2 * sin(0.3 * step)
			var given: float = walker.thighs[0].rotation
			await physics_frames()
			await frames()
			equal(walker.thighs[0].rotation, given, "the thigh")
			equal(walker.pelvis.position, Vector2(0, -HIP), "the pelvis")
		walker.free_all()


func test_feet_reach_a_slope_and_turn_to_it() -> void:
	for mode: int in _modes():
		for mirror: int in [1, -1]:
			var walker: Walker = _walker(mode)
			walker.body.scale.x = mirror
			walker.thighs[0].rotation -= 0.2
			walker.thighs[1].rotation += 0.2
			walker.add_ground(Vector2(0, 24), 0.3)
			await _wait(1.5)
			for leg: int in 2:
				var foot: Vector2 = walker.tip(leg)
				# The animation has lifted it a little.
				var lift: float = HIP * (1.0 - cos(0.2))
				var ground: float = 24.0 + foot.x * tan(0.3) - 20.0 / cos(0.3) - lift
				near(foot.y, ground, 0.12, "foot %d, mirror %d" % [leg, mirror])
				near(
					absf(walker.feet[leg].get_ground_normal().angle_to(Vector2.UP)), 0.3, 1e-3, "n"
				)
			check(walker.pelvis.position.y >= -HIP, "the pelvis is no higher")
			walker.free_all()


func test_a_planted_foot_goes_with_a_platform() -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS)
	var platform: AnimatableBody2D = AnimatableBody2D.new()
	platform.sync_to_physics = false
	walker.add_ground(Vector2(0, 24), 0.0, platform)
	await _wait(0.3)
	check(walker.feet[0].is_planted(), "planted")
	equal(walker.feet[0].get_ground_collider(), platform, "on the platform")
	near_point(walker.feet[0].get_ground_position(), walker.tip(0), 0.5, "below")
	var start: Vector2 = platform.to_local(walker.tip(0))
	for step: int in 40:
		platform.position += Vector2(0.5, 0.1)
		platform.rotation += 0.001
		walker.body.position += Vector2(0.45, 0.1)
		await physics_frames(2)
		near_point(platform.to_local(walker.tip(0)), start, 0.5, "step %d" % step)
		var place: Vector2 = walker.feet[0].get_ground_position()
		near_point(place, walker.tip(0), 1.0, "the ground in step %d" % step)
	check(walker.feet[0].is_planted(), "still planted")
	platform.free()
	await _wait(0.5)
	check(not walker.feet[0].is_planted(), "let go")
	equal(walker.feet[0].get_ground_collider(), null, "no ground")
	equal(walker.feet[0].get_ground_position(), Vector2.ZERO, "no place")
	near_point(walker.pelvis.position, Vector2(0, -HIP), 0.1, "the pelvis is back")
	walker.free_all()


## What is drawn is freed with the plan: the log would tell.
func test_feet_are_marked_where_collision_shapes_are_shown() -> void:
	get_tree().debug_collisions_hint = true
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS)
	walker.add_ground(Vector2(0, 24), 0.0)
	await _wait(0.3)
	check(walker.feet[0].is_planted(), "planted")
	walker.rig.active = false
	await _wait(0.1)
	equal(walker.feet[0].get_ground_position(), Vector2.ZERO, "idle")
	walker.rig.active = true
	walker.feet[1].free()
	await _wait(0.1)
	check(walker.feet[0].is_planted(), "planted again")
	walker.free_all()
	get_tree().debug_collisions_hint = false


## Rays still meet it where it was before.
func test_feet_land_where_a_body_is_that_does_not_wait_for_the_physics() -> void:
	var platform: AnimatableBody2D = AnimatableBody2D.new()
	platform.sync_to_physics = false
	await _land_on(platform)
	await _land_on(CharacterBody2D.new())


func _land_on(platform: PhysicsBody2D) -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS)
	walker.add_ground(Vector2(0, 60), 0.0, platform)
	for step: int in 60:
		platform.position += Vector2(1, -2)
		walker.body.position = platform.position + Vector2(0, -24)
		await physics_frames()
	for leg: int in 2:
		near(platform.to_local(walker.tip(leg)).y, -20.0, 0.1, "foot %d" % leg)
	platform.position += Vector2(200, 0)
	walker.body.position += Vector2(200, 0)
	await physics_frames(2)
	near(platform.to_local(walker.tip(0)).y, -20.0, 0.1, "after a leap")
	walker.free_all()


func test_a_foot_stays_planted_in_every_mode() -> void:
	for mode: int in _modes():
		var walker: Walker = _walker(mode)
		walker.add_ground(Vector2(0, 24), 0.2)
		await _wait(0.3)
		for step: int in 20:
			await physics_frames()
			await frames()
			check(walker.feet[0].is_planted(), "planted, step %d, mode %d" % [step, mode])
		walker.free_all()


func test_own_bodies_and_other_layers_are_no_ground() -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_IDLE)
	walker.add_shape(walker.body, Vector2(400, 40), Vector2(0, 25))
	var other: StaticBody2D = StaticBody2D.new()
	other.collision_layer = 2
	walker.add_ground(Vector2(0, 30), 0.0, other)
	await _wait(0.5)
	equal(walker.feet[0].get_ground_normal(), Vector2.ZERO, "nothing")
	walker.placement.collision_mask = 2
	await _wait(0.5)
	near(walker.tip(0).y, 10.0, 0.1, "the other layer")
	walker.free_all()


func test_a_one_way_platform_holds_what_comes_from_above() -> void:
	for mode: int in _modes():
		for height: float in [20.0, 14.0, 0.5]:
			var walker: Walker = _walker(mode)
			walker.add_ground(Vector2(0, 20), 0.0)
			var platform: StaticBody2D = StaticBody2D.new()
			walker.add_ground(Vector2(0, 20.0 - height), 0.0, platform)
			(platform.get_child(0) as CollisionShape2D).one_way_collision = true
			await _wait(0.5)
			var is_on_it: bool = height < 1.0
			near(walker.tip(0).y, -height if is_on_it else 0.0, 0.1, "platform %s above" % height)
			var expected: Node = platform if is_on_it else walker.grounds[0]
			equal(walker.feet[0].get_ground_collider(), expected, "what the foot is on")
			walker.free_all()


func test_a_one_way_tile_holds_what_comes_from_above() -> void:
	for height: float in [12.0, 0.5]:
		var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS)
		walker.add_ground(Vector2(0, 20), 0.0)
		var tiles: TileMapLayer = _one_way_tiles()
		tiles.position.y = -height
		await _wait(0.5)
		var is_on_it: bool = height < 1.0
		near(walker.tip(0).y, -height if is_on_it else 0.0, 0.1, "tiles %s above" % height)
		var expected: Node = tiles if is_on_it else walker.grounds[0]
		equal(walker.feet[0].get_ground_collider(), expected, "what the foot is on")
		tiles.free()
		walker.free_all()


func test_a_real_walk_over_slopes_and_stairs_of_tiles() -> void:
	for ticks: int in [60, 30]:
		Engine.physics_ticks_per_second = ticks
		var ground: Tiles = Tiles.new(COURSE)
		add_child(ground)
		var walk: Walk = await _start_walk(Vector2(40, 0))
		while walk.body.position.x < 16.0 * COURSE.length() - 60.0:
			await get_tree().physics_frame
			walk.body.walk(Vector2(10000, 0), 1.0 / ticks)
			if walk.body.position.x < 60.0:
				# The animation itself goes into level ground while it begins.
				walk.depth = 0.0
		check(walk.steps > 9, "%d steps at %d ticks" % [walk.steps, ticks])
		near(walk.slide, 0.0, 0.6, "slide at %d ticks, %s" % [ticks, walk.slid_at])
		near(walk.depth, 0.0, 0.6, "depth of planted feet at %d ticks" % ticks)
		near(walk.gap, 0.0, 0.8, "planted feet hover at %d ticks" % ticks)
		# Half as many ticks let joints and pelvis move twice as far in one.
		near(walk.turn * ticks / 60.0, 0.0, 0.3, "a joint at %d ticks" % ticks)
		near(walk.bob * ticks / 60.0, 0.0, 3.6, "the pelvis at %d ticks" % ticks)
		walk.body.free()
		ground.free()
	Engine.physics_ticks_per_second = 60


func test_feet_ride_on_a_platform_that_moves_and_turns() -> void:
	for ticks: int in [60, 30]:
		Engine.physics_ticks_per_second = ticks
		var platform: AnimatableBody2D = AnimatableBody2D.new()
		platform.position = Vector2(0, 20)
		_add_shape(platform, Vector2(600, 40))
		add_child(platform)
		var walk: Walk = await _start_walk(Vector2.ZERO)
		for tick: int in 2 * ticks:
			await get_tree().physics_frame
			var angle: float = TAU * tick / ticks
			platform.position = Vector2(30.0 * sin(angle), 30.0 - 10.0 * cos(angle))
			platform.rotation = 0.1 * sin(angle)
			walk.body.walk(walk.body.position, 1.0 / ticks)
			# Also aside, by six pixels in all: the feet stay.
			walk.body.position.x += 3.0 / ticks
		check(walk.feet.all(func(foot: TendonFoot2D) -> bool: return foot.is_planted()), "planted")
		near(walk.slide, 0.0, 0.5, "slide at %d ticks, %s" % [ticks, walk.slid_at])
		near(walk.turn, 0.0, 0.3, "a joint at %d ticks" % ticks)
		walk.body.free()
		platform.free()
	Engine.physics_ticks_per_second = 60


func test_teleports_leaps_and_stopped_time() -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS)
	var platform: AnimatableBody2D = AnimatableBody2D.new()
	platform.sync_to_physics = false
	walker.add_ground(Vector2(0, 24), 0.1, platform)
	await _wait(0.3)
	var pelvis: Vector2 = walker.pelvis.position
	Engine.time_scale = 0.0
	await _wait(0.2)
	near_point(walker.pelvis.position, pelvis, 1e-3, "no time")
	Engine.time_scale = 1.0
	platform.position.y += 1000.0
	await _wait(0.6)
	check(not walker.feet[0].is_planted(), "the platform is gone")
	near_point(walker.pelvis.position, Vector2(0, -HIP), 0.1, "the pelvis without it")
	platform.position = Vector2(0, 24)
	for step: int in 20:
		walker.body.position.x += 1000.0
		platform.position.x += 1000.0
		await physics_frames()
		for leg: int in 2:
			var tip: Vector2 = walker.tip(leg) - walker.body.position
			check(absf(tip.x) < 2.0 * THIGH, "step %d: foot %d is at %s" % [step, leg, tip])
	await _wait(1.0)
	near_point(walker.pelvis.position, pelvis, 0.1, "the pelvis after leaps")
	check(walker.feet[0].is_planted(), "planted again")
	walker.free_all()


func test_a_state_brings_the_same_pose() -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL)
	walker.add_ground(Vector2(0, 24), 0.1)
	for step: int in 10:
		await physics_frames()
		walker.rig.advance(TICK)
	var state: PackedByteArray = walker.rig.get_state()
	var poses: Array[float] = []
	for turn: int in 2:
		await physics_frames()
		walker.rig.set_state(state)
		walker.rig.advance(TICK)
		poses.append(walker.thighs[0].rotation)
	equal(poses[0], poses[1], "the thigh")
	check(not walker.rig.capture().is_empty(), "a capture")
	walker.free_all()


func test_signals_and_faults() -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS)
	walker.add_ground(Vector2(0, 24), 0.0)
	var heard: PackedStringArray = []
	walker.feet[0].planted.connect(func() -> void: heard.append("planted"))
	walker.feet[0].lifted.connect(func() -> void: heard.append("lifted"))
	await _wait(0.3)
	# Beyond the ground.
	walker.body.position.x += 5000.0
	await _wait(0.3)
	walker.body.position = Vector2(NAN, 0)
	await _wait(0.1)
	walker.body.position = Vector2.ZERO
	await _wait(0.3)
	expect_warnings(["The transform of the skeleton is not finite"], "not a number")
	equal(heard[0], "planted", "the first signal")
	check(heard.has("lifted") and heard[-1] == "planted", "signals: %s" % heard)
	walker.feet[0].limb.free()
	await _wait(0.1)
	walker.feet[1].free()
	await _wait(0.1)
	check(is_finite(walker.pelvis.position.y), "it lives")
	expect_warnings(['Set "Limb"'], "the limb is gone")
	walker.free_all()


func test_warnings_name_what_to_do() -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL)
	var limb: Node = walker.feet[0].limb
	walker.rig.move_child(limb, 0)
	walker.rig.advance(0.0)
	expect_warnings(["Move it below"], "the order")
	walker.feet[1].limb = null
	walker.rig.advance(0.0)
	expect_warnings(['Set "Limb"'], "no limb")
	walker.rig.add_child(TendonFoot2D.new())
	walker.rig.advance(0.0)
	expect_warnings(["Make this node a child of the TendonFootPlacement2D"], "elsewhere, once")
	walker.free_all()


func test_a_foot_without_a_limb_of_its_own_is_told() -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS)
	walker.add_ground(Vector2(0, 24), 0.0)
	await _wait(0.2)
	var limb: Node = walker.feet[0].limb
	equal(walker.placement.get_status(), TendonFootPlacement2D.STATUS_REACHED, "with limbs")
	var elsewhere: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
	walker.body.add_child(elsewhere)
	expect_warnings([NO_RIG], "a limb elsewhere")
	var seen: Marker2D = Marker2D.new()
	seen.position = Vector2(50, -50)
	walker.body.add_child(seen)
	var head: Bone2D = Bone2D.new()
	head.set_autocalculate_length_and_angle(false)
	head.rest = Transform2D.IDENTITY
	walker.skeleton.add_child(head)
	var above: TendonFABRIK2D = TendonFABRIK2D.new()
	above.root_bone = head
	above.tip_bone = head
	above.target = seen
	walker.rig.add_child(above)
	walker.rig.move_child(above, 0)
	var wrong: Dictionary[String, Node] = {
		"has the limb": walker.feet[1].limb,
		"cannot reach for the ground": elsewhere,
		"runs before its foot": above,
		'Set "Limb"': null,
	}
	for words: String in wrong:
		walker.feet[0].limb = wrong[words]
		await physics_frames(2)
		expect_warnings([words], words)
	check(not walker.feet[0].is_planted(), "it is not planted")
	check(walker.feet[1].is_planted(), "the other is")
	walker.feet[0].limb = limb
	await _wait(0.2)
	check(walker.feet[0].is_planted(), "it is again")
	walker.free_all()


func test_a_foot_with_toes_stands_on_its_ball() -> void:
	for mode: int in _modes():
		var walker: Walker = _walker(mode)
		var toes: Array[Bone2D] = walker.add_toes(Vector2(14, 5))
		walker.add_ground(Vector2(0, 34), 0.2)
		await _wait(1.5)
		var ball: Vector2 = toes[0].global_position
		near(ball.y, 34.0 + ball.x * tan(0.2) - 20.0 / cos(0.2), 0.3, "the ball is on the ground")
		check(walker.feet[0].is_planted(), "planted")
		var heel: float = walker.tip(0).y
		# The foot turns about its ball: the ankle goes up.
		for step: int in 20:
			walker.pose_leg(0, Vector2(14, 5) + Vector2(-14, -5).rotated(0.02 * step), 0.02 * step)
			await physics_frames()
			await frames()
			near_point(toes[0].global_position, ball, 0.3, "step %d" % step)
		check(walker.tip(0).y < heel - 3.0, "the heel is up")
		walker.free_all()


func test_a_foot_is_lifted_over_a_block_that_it_swings_to() -> void:
	for mode: int in _modes():
		var walker: Walker = _walker(mode)
		walker.add_ground(Vector2(0, 20), 0.0)
		var block: StaticBody2D = StaticBody2D.new()
		block.position = Vector2(70, -7)
		walker.add_shape(block, Vector2(60, 14), Vector2.ZERO)
		add_child(block)
		walker.grounds.append(block)
		await _wait(0.3)
		var highest: float = 0.0
		for step: int in 20:
			# It hardly lifts the foot.
			walker.pose_leg(0, Vector2(3.0 * step, -6.0 * sin(PI * step / 19.0)), 0.0)
			walker.body.position.x = 1.0 * step
			await physics_frames()
			await frames()
			var foot: Vector2 = block.to_local(walker.tip(0))
			check(
				absf(foot.x) > 29.0 or foot.y < -6.0, "step %d: %s is in the block" % [step, foot]
			)
			highest = minf(highest, walker.tip(0).y)
		check(highest < -13.0, "it went over it: %s" % highest)
		walker.free_all()


func test_feet_without_any_limb_are_idle() -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS)
	walker.add_ground(Vector2(0, 24), 0.0)
	for foot: TendonFoot2D in walker.feet:
		foot.limb.free()
	await physics_frames(2)
	equal(walker.placement.get_status(), TendonFootPlacement2D.STATUS_IDLE, "status")
	equal(walker.pelvis.position, Vector2(0, -HIP), "the pelvis")
	forgive(['Set "Limb"'])
	walker.free_all()


func _modes() -> Array[int]:
	return [
		TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS,
		TendonRig2D.CALLBACK_MODE_PROCESS_IDLE,
	]


func _wait(seconds: float) -> void:
	await physics_frames(roundi(seconds * Engine.physics_ticks_per_second))
	await frames(2)


func _start_walk(place: Vector2) -> Walk:
	var walk: Walk = Walk.new((load(ASTRONAUT) as PackedScene).instantiate())
	walk.body.position = place
	add_child(walk.body)
	await _wait(0.5)
	walk.rig.modification_processed.connect(walk.look)
	return walk


func _add_shape(to: CollisionObject2D, size: Vector2) -> void:
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = size
	to.add_child(shape)


## A row of tiles, 16 pixels high, whose upper edge is where the layer is.
func _one_way_tiles() -> TileMapLayer:
	var source: TileSetAtlasSource = TileSetAtlasSource.new()
	source.texture = ImageTexture.create_from_image(
		Image.create_empty(16, 16, false, Image.FORMAT_RGB8)
	)
	source.texture_region_size = Vector2i(16, 16)
	source.create_tile(Vector2i.ZERO)
	var tiles: TileMapLayer = TileMapLayer.new()
	# Not every build of the engine has it.
	tiles.navigation_enabled = false
	tiles.tile_set = TileSet.new()
	tiles.tile_set.add_physics_layer()
	tiles.tile_set.add_source(source, 0)
	var tile: TileData = source.get_tile_data(Vector2i.ZERO, 0)
	tile.add_collision_polygon(0)
	tile.set_collision_polygon_points(
		0, 0, [Vector2(-8, -8), Vector2(8, -8), Vector2(8, 8), Vector2(-8, 8)]
	)
	tile.set_collision_polygon_one_way(0, 0, true)
	for column: int in range(-10, 10):
		tiles.set_cell(Vector2i(column, 0), 0, Vector2i.ZERO)
	add_child(tiles)
	return tiles


func _walker(mode: int) -> Walker:
	var walker: Walker = Walker.new(mode)
	add_child(walker.body)
	return walker


class Walker:
	var body: CharacterBody2D = CharacterBody2D.new()
	var skeleton: Skeleton2D = Skeleton2D.new()
	var pelvis: Bone2D = Bone2D.new()
	var rig: TendonRig2D = TendonRig2D.new()
	var placement: TendonFootPlacement2D = TendonFootPlacement2D.new()
	var thighs: Array[Bone2D] = []
	var shins: Array[Bone2D] = []
	var feet: Array[TendonFoot2D] = []
	var grounds: Array[Node] = []
	var rest: float

	func _init(mode: int) -> void:
		var bend: float = acos(0.5 * HIP / THIGH)
		rest = PI / 2 - bend
		body.add_child(skeleton)
		_place(pelvis, skeleton, Vector2(0, -HIP), 0.0)
		for leg: int in 2:
			thighs.append(Bone2D.new())
			_place(thighs[leg], pelvis, Vector2.ZERO, rest)
			shins.append(Bone2D.new())
			_place(shins[leg], thighs[leg], Vector2(THIGH, 0), 2.0 * bend)
			shins[leg].set_autocalculate_length_and_angle(false)
			shins[leg].set_length(THIGH)
			shins[leg].set_bone_angle(0.0)
		rig.callback_mode_process = mode
		skeleton.add_child(rig)
		placement.pelvis = pelvis
		rig.add_child(placement)
		for leg: int in 2:
			var limb: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
			limb.bone_one = thighs[leg]
			limb.bone_two = shins[leg]
			rig.add_child(limb)
			feet.append(TendonFoot2D.new())
			feet[leg].limb = limb
			placement.add_child(feet[leg])

	func tip(leg: int) -> Vector2:
		return shins[leg].to_global(Vector2(THIGH, 0))

	## Has the animation bring the end of a leg there, from below the hip, with its foot turned so.
	func pose_leg(leg: int, place: Vector2, angle: float) -> void:
		var reach: Vector2 = place + Vector2(0, HIP)
		var bend: float = acos(0.5 * reach.length() / THIGH)
		thighs[leg].rotation = reach.angle() - bend
		shins[leg].rotation = 2.0 * bend
		for foot: Node in shins[leg].get_children():
			(foot as Bone2D).rotation = angle - reach.angle() - bend

	## Adds feet, whose toes begin there.
	func add_toes(ball: Vector2) -> Array[Bone2D]:
		var toes: Array[Bone2D] = []
		for leg: int in 2:
			var foot: Bone2D = Bone2D.new()
			shins[leg].set_autocalculate_length_and_angle(true)
			var turned: float = thighs[leg].rotation + shins[leg].rotation
			_place(foot, shins[leg], Vector2(THIGH, 0), -turned)
			toes.append(Bone2D.new())
			_place(toes[leg], foot, ball, 0.0)
			toes[leg].set_autocalculate_length_and_angle(false)
			feet[leg].foot_bone = foot
			feet[leg].sole_height = ball.y
		return toes

	func add_ground(place: Vector2, angle: float, ground: PhysicsBody2D = null) -> void:
		if ground == null:
			ground = StaticBody2D.new()
		ground.position = place
		ground.rotation = angle
		add_shape(ground, Vector2(2000, 40), Vector2.ZERO)
		body.get_parent().add_child(ground)
		grounds.append(ground)

	func add_shape(to: CollisionObject2D, size: Vector2, place: Vector2) -> void:
		var shape: CollisionShape2D = CollisionShape2D.new()
		shape.shape = RectangleShape2D.new()
		(shape.shape as RectangleShape2D).size = size
		shape.position = place
		to.add_child(shape)

	func free_all() -> void:
		body.free()
		for ground: Variant in grounds:
			if is_instance_valid(ground):
				ground.free()

	func _place(bone: Bone2D, parent: Node, place: Vector2, angle: float) -> void:
		bone.position = place
		bone.rotation = angle
		bone.rest = bone.transform
		parent.add_child(bone)


## The gallery's astronaut with his animation, and the worst that was seen of his feet.
class Walk:
	## How far his soles are below the balls of his feet.
	const SOLE: float = 6.0
	var body: Astronaut
	var rig: TendonRig2D
	var feet: Array[Node]
	var pelvis: Bone2D
	## Where the toes begin: what a foot stands on.
	var balls: Array[Bone2D] = []
	var joints: Array[Bone2D] = []
	## How far a planted foot moved along its ground in all.
	var slide: float = 0.0
	var slid_at: String
	## How far a planted sole is in the ground, and above it.
	var depth: float = 0.0
	var gap: float = 0.0
	## How far a joint turned beyond its animation, and the pelvis moved up or down, from one pass to
	## the next.
	var turn: float = 0.0
	var bob: float = 0.0
	var steps: int = 0
	var _turns: Array[float] = []
	var _height: float = NAN
	var _grounds: Array[Node2D] = [null, null]
	var _places: Array[Vector2] = [Vector2.ZERO, Vector2.ZERO]

	func _init(astronaut: Astronaut) -> void:
		body = astronaut
		rig = body.get_node("Skeleton2D/TendonRig2D")
		feet = rig.get_node("Feet").get_children()
		pelvis = body.get_node("Skeleton2D/Pelvis")
		for side: String in ["Near", "Far"]:
			joints.append(pelvis.get_node(side + "Thigh"))
			joints.append(joints[-1].get_node(side + "Shin"))
			balls.append(joints[-1].get_node("%sFoot/%sToes" % [side, side]))

	func look() -> void:
		for index: int in feet.size():
			_look_at_foot(index)
		for index: int in joints.size():
			if _turns.size() == joints.size():
				turn = maxf(turn, absf(angle_difference(_turns[index], _added(joints[index]))))
		_turns.assign(joints.map(_added))
		var height: float = pelvis.global_position.y
		bob = maxf(bob, absf(height - _height)) if is_finite(_height) else 0.0
		_height = height

	## How far a joint is turned from where its animation has it.
	func _added(joint: Bone2D) -> float:
		return angle_difference(rig.get_base_rotation(joint), joint.rotation)

	func _look_at_foot(index: int) -> void:
		var foot: TendonFoot2D = feet[index]
		var ground: Node2D = foot.get_ground_collider() if foot.is_planted() else null
		if ground != null:
			var ball: Vector2 = balls[index].global_position
			var place: Vector2 = ground.to_local(ball)
			var normal: Vector2 = foot.get_ground_normal()
			if _grounds[index] != ground:
				_places[index] = place
				steps += 1
			var moved: Vector2 = ground.global_transform.basis_xform(place - _places[index])
			var along: float = absf(moved.dot(normal.orthogonal()))
			if along > slide:
				slide = along
				slid_at = "%s at %s" % [foot.name, ball]
			var height: float = _height_over_ground(ball - normal * SOLE)
			depth = maxf(depth, -height)
			gap = maxf(gap, height)
		_grounds[index] = ground

	func _height_over_ground(place: Vector2) -> float:
		var ray: PhysicsRayQueryParameters2D = PhysicsRayQueryParameters2D.create(
			place + Vector2(0, -30), place + Vector2(0, 60)
		)
		var hit: Dictionary = body.get_world_2d().direct_space_state.intersect_ray(ray)
		return hit["position"].y - place.y if hit else 0.0
