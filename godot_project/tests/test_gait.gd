extends "res://tests/suite.gd"
## TendonGait2D on ground of the engine's own physics.

const Tiles := preload("res://tests/tiles.gd")
const COURSE: String = "____//_\\\\_+_-________"

const BONE: float = 30.0
## How far the hips are above the feet in the rest pose.
const HIP: float = 40.0


func _init() -> void:
	# Walks take as long as they say, and longer on a busy machine.
	patience = 120.0


func test_legs_walk_on_level_ground_without_sliding() -> void:
	for mode: int in _modes():
		for kind: int in [TendonGait2D.GAIT_ALTERNATE, TendonGait2D.GAIT_WAVE]:
			var walker: Walker = _walker(mode, 4)
			walker.gait.gait = kind
			walker.add_ground(Vector2(0, 20), 0.0)
			await _wait(0.1)
			var worst: Worst = await _walk(walker, 1.5, 2.0)
			near(worst.slide, 0.0, 0.01, "slide, mode %d" % mode)
			near(worst.depth, 0.0, 0.5, "depth, mode %d" % mode)
			check(worst.lifted <= 2, "%d are lifted" % worst.lifted)
			check(worst.steps >= 12, "%d steps" % worst.steps)
			walker.free_all()


func test_legs_climb_slopes() -> void:
	await _climb("slope", 6, TendonGait2D.GAIT_ALTERNATE)


func test_legs_climb_blocks() -> void:
	await _climb("block", 6, TendonGait2D.GAIT_ALTERNATE)


func test_two_legs_climb_blocks_in_a_wave() -> void:
	await _climb("block", 2, TendonGait2D.GAIT_WAVE)


func test_two_legs_go_up_and_down_stairs() -> void:
	await _climb("stairs", 2, TendonGait2D.GAIT_ALTERNATE)


func test_two_legs_go_up_and_down_stairs_in_a_wave() -> void:
	await _climb("stairs", 2, TendonGait2D.GAIT_WAVE)


func test_six_legs_go_up_and_down_stairs() -> void:
	await _climb("stairs", 6, TendonGait2D.GAIT_ALTERNATE)


func _climb(shape: String, legs: int, kind: int) -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS, legs)
	walker.gait.gait = kind
	walker.add_ground(Vector2(0, 20), 0.0)
	if shape == "slope":
		walker.add_ground(Vector2(900, 24), -0.3, Vector2(1600, 40))
	elif shape == "stairs":
		# Up and down again.
		for stair: int in 3:
			var size: Vector2 = Vector2(350 - 128 * stair, 16)
			walker.add_ground(Vector2(275, -8 - 16 * stair), 0.0, size)
		walker.rides_on = true
	else:
		walker.add_ground(Vector2(160, -6), 0.0, Vector2(60, 30))
	await _wait(0.1)
	var worst: Worst = await _walk(walker, 1.5, 5.0 if shape == "stairs" else 3.0)
	var about: String = "%d legs on a %s, %d" % [legs, shape, kind]
	near(worst.slide, 0.0, 0.01, "slide: " + about)
	# On a busy machine ticks come in heaps. The bounds in even time are those of the solver's tests.
	near(worst.turn, 0.0, 0.6, "no joint pops: " + about)
	equal(worst.buried, 0, "feet in the ground: " + about)
	@warning_ignore("integer_division")
	check(worst.lifted <= legs / 2, "%d are lifted: %s" % [worst.lifted, about])
	check(worst.steps >= 3 * legs, "%d steps: %s" % [worst.steps, about])
	for leg: int in walker.limbs.size():
		near(walker.limbs[leg].get_target_distance(), 0.0, 2.0, "a leg reaches: " + about)
	walker.free_all()


func test_legs_walk_over_tiles_at_other_rates() -> void:
	for legs: int in [2, 4, 8]:
		Engine.physics_ticks_per_second = 30 if legs == 4 else 60
		var ground: Tiles = Tiles.new(COURSE)
		add_child(ground)
		var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS, legs)
		walker.body.position.x = 50.0
		await _wait(0.2)
		var worst: Worst = Worst.new()
		for part: int in 14:
			worst.add(await _walk(walker, 150.0 / Engine.physics_ticks_per_second, 0.1, true))
			for leg: int in legs:
				if walker.feet[leg].is_planted():
					var tip: Vector2 = walker.tip(leg)
					var depth: float = absf(tip.y - walker.ground_below(tip).y)
					near(depth, 0.0, 0.5, "foot %d of %d at %s" % [leg, legs, tip])
		near(worst.slide, 0.0, 0.01, "slide of %d legs" % legs)
		var most: int = maxi(1, legs / 2)
		check(worst.lifted <= most, "%d of %d are lifted" % [worst.lifted, legs])
		check(worst.steps >= 2 * legs, "%d steps of %d legs" % [worst.steps, legs])
		walker.free_all()
		ground.free()
	Engine.physics_ticks_per_second = 60


func test_standing_it_settles_and_is_still() -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS, 8)
	walker.add_ground(Vector2(0, 20), 0.1)
	await _wait(0.1)
	await _walk(walker, 1.5, 0.7)
	await _wait(2.5)
	for leg: int in 8:
		check(walker.feet[leg].is_planted(), "foot %d stands" % leg)
	var worst: Worst = await _walk(walker, 0.0, 2.0)
	equal(worst.steps, 0, "steps")
	near(worst.slide, 0.0, 0.01, "slide")
	walker.free_all()


func test_it_rides_on_a_platform_and_falls_when_that_is_freed() -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS, 4)
	var platform: AnimatableBody2D = AnimatableBody2D.new()
	platform.sync_to_physics = false
	walker.add_body(platform, Vector2(0, 20), 0.0, Vector2(400, 40))
	await _wait(0.2)
	var start: Vector2 = platform.to_local(walker.tip(0))
	for step: int in 60:
		platform.position += Vector2(1.0, 0.2)
		walker.body.position += Vector2(1.0, 0.2)
		await physics_frames()
		# The bones were moved in this tick, from where the platform was.
		near_point(platform.to_local(walker.tip(0)), start, 1.5, "step %d" % step)
	check(walker.feet[0].is_planted(), "planted")
	equal(walker.feet[0].get_ground_collider(), platform, "on it")
	near_point(walker.feet[0].get_ground_position(), walker.tip(0), 0.5, "where it stands")
	platform.free()
	await _wait(0.1)
	check(not walker.feet[0].is_planted(), "let go")
	equal(walker.feet[0].get_ground_collider(), null, "no ground")
	walker.add_ground(Vector2(60, 32), 0.0)
	await _wait(1.0)
	check(walker.feet[0].is_planted(), "it stands on the ground below")
	near(walker.tip(0).y, 12.0, 0.1, "there")
	walker.free_all()


func test_teleports_mirrors_and_stopped_time() -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS, 4)
	walker.add_ground(Vector2(0, 20), 0.0, Vector2(400000, 40))
	await _wait(0.2)
	for step: int in 20:
		walker.body.position.x += 1000.0
		await physics_frames()
		for leg: int in 4:
			check(absf(walker.tip(leg).x - walker.body.position.x) < 1100.0, "step %d" % step)
	await _wait(0.5)
	for leg: int in 4:
		near(walker.tip(leg).y, 0.0, 0.1, "foot %d after leaps" % leg)
	await _walk(walker, 1.5, 0.5)
	walker.skeleton.scale.x = -1.0
	await _wait(0.1)
	for leg: int in 4:
		var tip: Vector2 = walker.skeleton.to_local(walker.tip(leg))
		check(absf(tip.x - walker.home(leg).x) < 45.0, "foot %d is mirrored: %s" % [leg, tip])
	await _walk(walker, -1.5, 0.5)
	Engine.time_scale = 0.0
	var before: Array[Vector2] = walker.tips()
	await _wait(0.2)
	for leg: int in 4:
		near_point(walker.tip(leg), before[leg], 1e-3, "no time, foot %d" % leg)
	Engine.time_scale = 1.0
	walker.body.position = Vector2(NAN, 0)
	await _wait(0.1)
	walker.body.position = Vector2(20000, 0)
	await _wait(1.5)
	near(walker.tip(0).y, 0.0, 0.1, "it recovers")
	walker.free_all()
	forgive([INVALID])


func test_without_ground_it_hangs() -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_IDLE, 4)
	walker.add_shape(walker.body, Vector2(400, 40), Vector2(0, 25))
	await _wait(0.5)
	for leg: int in 4:
		near_point(walker.tip(leg), walker.home(leg), 0.1, "foot %d" % leg)
		check(not walker.feet[leg].is_planted(), "not planted")
		equal(walker.feet[leg].get_ground_normal(), Vector2.ZERO, "no ground")
		equal(walker.feet[leg].get_ground_position(), Vector2.ZERO, "nowhere")
	near_point(walker.pelvis.position, Vector2(0, -HIP), 0.1, "the pelvis")
	walker.free_all()


func test_a_state_brings_the_same_pose() -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL, 4)
	walker.add_ground(Vector2(0, 20), 0.1)
	for step: int in 30:
		await physics_frames()
		walker.body.position.x += 1.5
		walker.rig.advance(TICK)
	var state: PackedByteArray = walker.rig.get_state()
	var poses: Array[float] = []
	for turn: int in 2:
		await physics_frames()
		walker.rig.set_state(state)
		walker.rig.advance(TICK)
		poses.append(walker.uppers[0].rotation)
	equal(poses[0], poses[1], "a leg")
	check(not walker.rig.capture().is_empty(), "a capture")
	walker.free_all()


func test_signals_tell_of_steps() -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS, 2)
	walker.add_ground(Vector2(0, 20), 0.0)
	var heard: PackedStringArray = []
	walker.feet[0].planted.connect(func() -> void: heard.append("planted"))
	walker.feet[0].lifted.connect(func() -> void: heard.append("lifted"))
	await _wait(0.2)
	await _walk(walker, 1.5, 1.5)
	check(heard.count("lifted") > 1, "it was lifted %d times" % heard.count("lifted"))
	for index: int in heard.size():
		equal(heard[index], "lifted" if index % 2 else "planted", "in turn")
	walker.feet[1].limb.free()
	await _wait(0.1)
	expect_warnings(['Set "Limb"'], "the limb is gone")
	walker.feet[0].free()
	await _wait(0.1)
	check(is_finite(walker.pelvis.position.y), "it lives")
	walker.free_all()


func test_warnings_name_what_to_do() -> void:
	var walker: Walker = _walker(TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL, 2)
	for foot: TendonFoot2D in walker.feet:
		foot.free()
	walker.rig.advance(0.0)
	expect_warnings(["Add a TendonFoot2D for each leg"], "no feet")
	walker.gait.pelvis = null
	walker.rig.advance(0.0)
	expect_warnings(['Set "Pelvis"'], "no pelvis")
	forgive(["target"])
	walker.free_all()


func _modes() -> Array[int]:
	return [
		TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS,
		TendonRig2D.CALLBACK_MODE_PROCESS_IDLE,
	]


func _wait(seconds: float) -> void:
	await physics_frames(roundi(seconds * Engine.physics_ticks_per_second))
	await frames(2)


func _walker(mode: int, legs: int) -> Walker:
	var walker: Walker = Walker.new(mode, legs)
	add_child(walker.body)
	return walker


## Moves the body by `speed` pixels in each tick, also over hills if it `climbs`. Returns the worst
## that was seen.
func _walk(walker: Walker, speed: float, seconds: float, climbs: bool = false) -> Worst:
	var worst: Worst = Worst.new()
	var before: Array[Vector2] = walker.tips()
	var planted: Array[bool] = walker.planted()
	var turns: Array[float] = walker.turns()
	# In a frame there may be several passes.
	var measure: Callable = func() -> void:
		var now: Array[float] = walker.turns()
		for leg: int in now.size():
			worst.turn = maxf(worst.turn, absf(angle_difference(turns[leg], now[leg])))
		turns.assign(now)
	walker.rig.modification_processed.connect(measure)
	for step: int in roundi(seconds * Engine.physics_ticks_per_second):
		walker.body.position.x += speed
		if climbs:
			var height: float = walker.ground_below(walker.body.position).y
			walker.body.position.y = move_toward(walker.body.position.y, height, 2.0)
		if walker.rides_on:
			walker.body.position.y = walker.height(walker.body.position.x)
		await physics_frames()
		await frames()
		var tips: Array[Vector2] = walker.tips()
		var now: Array[bool] = walker.planted()
		for leg: int in tips.size():
			if planted[leg] and now[leg]:
				worst.slide = maxf(worst.slide, tips[leg].distance_to(before[leg]))
			if planted[leg] and not now[leg]:
				worst.steps += 1
			worst.depth = maxf(worst.depth, tips[leg].y)
			worst.buried += int(walker.buries(tips[leg]))
		worst.lifted = maxi(worst.lifted, now.count(false))
		before = tips
		planted = now
	walker.rig.modification_processed.disconnect(measure)
	return worst


class Worst:
	## How far a planted foot moved in a frame.
	var slide: float = 0.0
	## How far a foot was below the zero line.
	var depth: float = 0.0
	## How often a foot was more than a pixel inside the ground.
	var buried: int = 0
	## How far a leg turned in a pass.
	var turn: float = 0.0
	var lifted: int = 0
	var steps: int = 0

	func add(other: Worst) -> void:
		slide = maxf(slide, other.slide)
		turn = maxf(turn, other.turn)
		lifted = maxi(lifted, other.lifted)
		steps += other.steps


class Walker:
	var body: CharacterBody2D = CharacterBody2D.new()
	var skeleton: Skeleton2D = Skeleton2D.new()
	var pelvis: Bone2D = Bone2D.new()
	var rig: TendonRig2D = TendonRig2D.new()
	var gait: TendonGait2D = TendonGait2D.new()
	var uppers: Array[Bone2D] = []
	var lowers: Array[Bone2D] = []
	var limbs: Array[TendonTwoBoneIK2D] = []
	var feet: Array[TendonFoot2D] = []
	var grounds: Array[Node] = []
	## Whether the body goes up and down with the ground.
	var rides_on: bool = false

	func _init(mode: int, legs: int) -> void:
		body.add_child(skeleton)
		_place(pelvis, skeleton, Vector2(0, -HIP), 0.0)
		rig.callback_mode_process = mode as TendonRig2D.CallbackModeProcess
		skeleton.add_child(rig)
		gait.pelvis = pelvis
		rig.add_child(gait)
		for leg: int in legs:
			_add_leg(leg, leg - 0.5 * (legs - 1))

	func home(leg: int) -> Vector2:
		return Vector2(10.0 * (leg - 0.5 * (limbs.size() - 1)), 0)

	func tip(leg: int) -> Vector2:
		return lowers[leg].to_global(Vector2(BONE, 0))

	func tips() -> Array[Vector2]:
		var found: Array[Vector2] = []
		for leg: int in limbs.size():
			found.append(tip(leg))
		return found

	func turns() -> Array[float]:
		var found: Array[float] = []
		for leg: int in limbs.size():
			found.append(uppers[leg].rotation)
		return found

	func planted() -> Array[bool]:
		var found: Array[bool] = []
		for foot: TendonFoot2D in feet:
			found.append(foot.is_planted())
		return found

	func add_ground(place: Vector2, angle: float, size: Vector2 = Vector2(4000, 40)) -> void:
		add_body(StaticBody2D.new(), place, angle, size)

	func add_body(ground: PhysicsBody2D, place: Vector2, angle: float, size: Vector2) -> void:
		ground.position = place
		ground.rotation = angle
		add_shape(ground, size, Vector2.ZERO)
		body.get_parent().add_child(ground)
		grounds.append(ground)

	func add_shape(to: CollisionObject2D, size: Vector2, place: Vector2) -> void:
		var shape: CollisionShape2D = CollisionShape2D.new()
		shape.shape = RectangleShape2D.new()
		(shape.shape as RectangleShape2D).size = size
		shape.position = place
		to.add_child(shape)

	func ground_below(place: Vector2) -> Vector2:
		var ray: PhysicsRayQueryParameters2D = PhysicsRayQueryParameters2D.create(
			place + Vector2(0, -40), place + Vector2(0, 80)
		)
		return body.get_world_2d().direct_space_state.intersect_ray(ray).get("position", place)

	## How high the ground is at `x`.
	func height(x: float) -> float:
		var ray: PhysicsRayQueryParameters2D = PhysicsRayQueryParameters2D.new()
		ray.from = Vector2(x, -500)
		ray.to = Vector2(x, 500)
		ray.exclude = [body.get_rid()]
		return (_space().intersect_ray(ray)["position"] as Vector2).y

	## Whether `place` is in the ground, and all around it for a pixel.
	func buries(place: Vector2) -> bool:
		for aside: Vector2 in [Vector2.ZERO, Vector2.UP, Vector2.LEFT, Vector2.RIGHT]:
			var point: PhysicsPointQueryParameters2D = PhysicsPointQueryParameters2D.new()
			point.position = place + aside
			point.exclude = [body.get_rid()]
			if _space().intersect_point(point, 1).is_empty():
				return false
		return true

	func free_all() -> void:
		body.free()
		for ground: Variant in grounds:
			if is_instance_valid(ground):
				ground.free()

	func _space() -> PhysicsDirectSpaceState2D:
		return body.get_world_2d().direct_space_state

	func _add_leg(leg: int, part: float) -> void:
		var way: Vector2 = Vector2(2.0 * part, HIP)
		var bend: float = acos(0.5 * way.length() / BONE) * (1.0 if part < 0.0 else -1.0)
		var upper: Bone2D = Bone2D.new()
		_place(upper, pelvis, Vector2(8.0 * part, 0), way.angle() + bend)
		var lower: Bone2D = Bone2D.new()
		_place(lower, upper, Vector2(BONE, 0), -2.0 * bend)
		lower.set_autocalculate_length_and_angle(false)
		lower.set_length(BONE)
		lower.set_bone_angle(0.0)
		uppers.append(upper)
		lowers.append(lower)
		var limb: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
		limb.bone_one = upper
		limb.bone_two = lower
		rig.add_child(limb)
		limbs.append(limb)
		feet.append(TendonFoot2D.new())
		feet[leg].limb = limb
		gait.add_child(feet[leg])

	func _place(bone: Bone2D, parent: Node, place: Vector2, angle: float) -> void:
		bone.position = place
		bone.rotation = angle
		bone.rest = bone.transform
		parent.add_child(bone)
