extends "res://tests/suite.gd"
## Shapes that rigs of real projects have, in a running game. What an editor does to them is in
## [code]test_moving_in.gd[/code].

const EngineStack := preload("res://tests/engine_stack.gd")

const STACKS: PackedStringArray = [
	EngineStack.LOOK_AT, EngineStack.TWO_BONE, EngineStack.CCD, EngineStack.FABRIK
]
const PHYSICS_FRAMES: int = 1
## What the engine says of a stack that is made in code.
const ENGINE_NOISE: PackedStringArray = [
	"Bone2D cache", "cache is out of date", "No Bone2D children", "Cannot calculate bone length"
]


func test_a_child_added_beside_a_stack_in_physics_frames_throws_no_bone() -> void:
	if not EngineStack.exists():
		return check(true, "an engine without stacks")
	var thrown: Dictionary[String, int] = {}
	for with_rig: bool in [false, true]:
		for kind: String in STACKS:
			var about: String = "%s, %s" % [kind, "rig" if with_rig else "engine alone"]
			thrown[about] = await _count_thrown(kind, with_rig)
	print("   thrown bones: ", thrown)
	for about: String in thrown:
		equal(thrown[about], 0, about)
	forgive(ENGINE_NOISE)
	log_recorder.take(true)


## How many of six bones are no longer where they were, some frames after a child was added.
func _count_thrown(kind: String, with_rig: bool) -> int:
	var count: int = 0
	for try: int in 3:
		var figure: Figure = Figure.new([30, 25], [0.3, 0.5 + 0.1 * try])
		add_child(figure.stage)
		var offsets: Array = figure.bones.map(func(bone: Bone2D) -> Vector2: return bone.position)
		figure.target.position = Vector2(30, 35)
		if with_rig:
			figure.two_bone()
			figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
		else:
			figure.rig.active = false
		await physics_frames(2)
		EngineStack.give(figure, kind).set("execution_mode", PHYSICS_FRAMES)
		for round: int in 4:
			await physics_frames(2)
			figure.bones[0].add_child(Node2D.new())
			await frames(3)
		figure.skeleton.call("get_modification_stack").set("enabled", false)
		await frames(3)
		figure.rig.active = false
		await frames(3)
		for index: int in figure.bones.size():
			count += int(figure.bones[index].position.distance_to(offsets[index]) > 0.01)
		figure.stage.free()
	return count


func test_a_running_rig_beside_a_stack_that_is_on_says_so_once() -> void:
	if not EngineStack.exists():
		return check(true, "an engine without stacks")
	var figure: Figure = Figure.new([30, 25], [0.3, 0.5])
	add_child(figure.stage)
	figure.two_bone()
	EngineStack.give(figure, EngineStack.TWO_BONE)
	for pass_number: int in 3:
		figure.solve(Vector2(30, 35))
	forgive(ENGINE_NOISE)
	expect_warnings(["own modification stack is enabled"], "beside a stack")
	figure.stage.free()


func test_a_modifier_above_the_one_that_carries_it_says_so() -> void:
	var figure: Figure = _dancer([1, 2, 0])
	var arm: TendonTwoBoneIK2D = figure.rig.get_child(0)
	var hand: TendonLookAt2D = figure.rig.get_child(1)
	var spine: TendonLookAt2D = figure.rig.get_child(2)
	for pass_number: int in 3:
		figure.rig.advance(0.0)
	var off: float = Figure.axis_end(figure.bones[2]).distance_to(arm.target.global_position)
	print("   off target, Tendon in this order: %.1f px" % off)
	check(off > 10.0, "the shape misses: %s" % off)
	near(arm.get_target_distance(), off, 0.01, "distance of the final pose")
	near_point(arm.get_tip_position(), Figure.axis_end(figure.bones[2]), 0.01, "tip")
	equal(arm.get_status(), TendonTwoBoneIK2D.STATUS_OUT_OF_REACH, "status of the final pose")
	equal(hand.get_status(), TendonLookAt2D.STATUS_OUT_OF_REACH, "a look-at, by its angle")
	equal(spine.get_status(), TendonLookAt2D.STATUS_REACHED, "the last one")
	var order: String = 'The order that works is: "Spine", "Arm", "Hand"'
	forgive(ENGINE_NOISE)
	expect_warnings([order], "one for the rig")
	figure.stage.free()


func test_in_the_order_that_works_all_reach() -> void:
	var figure: Figure = _dancer([0, 1, 2])
	figure.rig.advance(0.0)
	for modifier: Node in figure.rig.get_children():
		equal(modifier.call("get_status"), 1, "%s has reached" % modifier.name)
	near(figure.rig.get_child(1).call("get_target_distance"), 0.0, 0.01, "the arm")
	forgive(ENGINE_NOISE)
	expect_warnings([], "nothing to say")
	figure.stage.free()


func test_a_target_on_a_limb_that_is_solved_later() -> void:
	for is_late: bool in [true, false]:
		var figure: Figure = Figure.new([30, 25])
		add_child(figure.stage)
		var other: Array[Bone2D] = Figure.branch(figure.skeleton, Vector2(60, 0), [25, 20])
		var grip: Marker2D = Marker2D.new()
		grip.position = Vector2(10, 5)
		other[1].add_child(grip)
		var hand: TendonTwoBoneIK2D = figure.two_bone()
		hand.target = grip
		var weapon: TendonTwoBoneIK2D = figure.two_bone()
		weapon.bone_one = other[0]
		weapon.bone_two = other[1]
		figure.rig.move_child(weapon, 1 if is_late else 0)
		figure.solve(Vector2(40, 30))
		figure.rig.advance(0.0)
		var off: float = figure.tip().distance_to(figure.to_skeleton(grip.global_position))
		near(hand.get_target_distance(), off, 0.01, "distance, late %s" % is_late)
		var reached: int = TendonTwoBoneIK2D.STATUS_REACHED
		equal(hand.get_status() == reached, off < 0.011, "status, late %s, %s px" % [is_late, off])
		equal(off > 1.0, is_late, "the shape misses in the wrong order only: %s" % off)
		forgive(ENGINE_NOISE)
		expect_warnings(["The order that works"] if is_late else [], "late %s" % is_late)
		figure.stage.free()


func test_modifiers_that_hang_on_one_another_are_not_told_to_change_places() -> void:
	var figure: Figure = Figure.new([30, 25])
	add_child(figure.stage)
	var other: Array[Bone2D] = Figure.branch(figure.skeleton, Vector2(60, 0), [25, 20])
	figure.two_bone().target = other[1]
	var back: TendonTwoBoneIK2D = figure.two_bone()
	back.bone_one = other[0]
	back.bone_two = other[1]
	back.target = figure.bones[1]
	figure.rig.advance(0.0)
	forgive(ENGINE_NOISE)
	expect_warnings([], "there is no order that works")
	figure.stage.free()


func test_a_top_level_bone_is_refused_in_words() -> void:
	for index: int in 3:
		var figure: Figure = Figure.new(
			[20, 30, 25], [0.2, 0.3, 0.4], [Transform2D(0.5, Vector2(90, 40))]
		)
		add_child(figure.stage)
		figure.bones[index].top_level = true
		var arm: TendonTwoBoneIK2D = figure.two_bone()
		arm.bone_one = figure.bones[1]
		var before: PackedFloat32Array = figure.pose()
		figure.solve(Vector2(40, 30))
		equal(arm.get_status(), TendonTwoBoneIK2D.STATUS_IDLE, "bone %d" % index)
		equal(figure.pose(), before, "is left alone, bone %d" % index)
		equal(arm.get_target_distance(), INF, "no distance is told, bone %d" % index)
		expect_warnings(['"Bone%d" is top-level' % index], "bone %d" % index)
		figure.bones[index].top_level = false
		figure.solve(Vector2(40, 30))
		near(arm.get_target_distance(), 0.0, 0.01, "works again, bone %d" % index)
		equal(arm.get_status(), TendonTwoBoneIK2D.STATUS_REACHED, "and says so, bone %d" % index)
		figure.bones[index].top_level = true
		# A few rigs are looked at before each frame.
		await frames(3)
		figure.rig.advance(0.0)
		equal(figure.pose(), before, "is put back, bone %d" % index)
		equal(arm.get_status(), TendonTwoBoneIK2D.STATUS_IDLE, "refused again, bone %d" % index)
		equal(arm.get_target_distance(), INF, "the old distance is gone, bone %d" % index)
		forgive(['"Bone%d" is top-level' % index])
		figure.stage.free()


## Something on a top-level bone is where the engine has it.
func test_a_target_on_a_top_level_bone() -> void:
	var figure: Figure = Figure.new([30, 25], [0.2, 0.3], [Transform2D(0.5, Vector2(90, 40))])
	add_child(figure.stage)
	var other: Array[Bone2D] = Figure.branch(figure.skeleton, Vector2(60, 0), [25, 20])
	other[1].top_level = true
	other[1].global_position = figure.skeleton.to_global(Vector2(35, 25))
	var grip: Marker2D = Marker2D.new()
	other[1].add_child(grip)
	var arm: TendonTwoBoneIK2D = figure.two_bone()
	arm.target = grip
	figure.rig.advance(0.0)
	near(figure.tip().distance_to(figure.to_skeleton(grip.global_position)), 0.0, 0.01, "reaches")
	near(arm.get_target_distance(), 0.0, 0.01, "and says so")
	figure.stage.free()


func test_a_target_on_another_canvas_layer_is_reached_where_it_is_seen() -> void:
	var figure: Figure = Figure.new([30, 25], [0.2, 0.3])
	var layer: CanvasLayer = CanvasLayer.new()
	layer.offset = Vector2(50, 0)
	layer.scale = Vector2(2, 2)
	add_child(layer)
	layer.add_child(figure.stage)
	var cursor: Marker2D = Marker2D.new()
	add_child(cursor)
	var arm: TendonTwoBoneIK2D = figure.two_bone()
	arm.target = cursor
	cursor.position = Vector2(140, 60)
	figure.rig.advance(0.0)
	_reaches_on_screen(figure, cursor, "target outside the layer")
	layer.offset = Vector2(70, 10)
	figure.rig.advance(0.0)
	_reaches_on_screen(figure, cursor, "a layer that has moved")
	cursor.reparent(figure.stage)
	cursor.position = Vector2(45, 20)
	figure.rig.advance(0.0)
	_reaches_on_screen(figure, cursor, "target on the same layer")
	cursor.reparent(self)
	cursor.position = Vector2(150, 70)
	figure.rig.advance(0.0)
	_reaches_on_screen(figure, cursor, "and outside again")
	cursor.free()
	layer.free()


func test_an_obstacle_on_another_canvas_layer_is_avoided_where_it_is_seen() -> void:
	var figure: Figure = Figure.new([30, 30, 30], [0.1, 0.1, 0.1])
	var layer: CanvasLayer = CanvasLayer.new()
	layer.offset = Vector2(50, 20)
	layer.scale = Vector2(2, 2)
	add_child(layer)
	layer.add_child(figure.stage)
	var chain: TendonFABRIK2D = figure.fabrik()
	chain.deterministic = true
	var obstacle: CollisionShape2D = CollisionShape2D.new()
	obstacle.shape = CircleShape2D.new()
	(obstacle.shape as CircleShape2D).radius = 10.0
	figure.stage.add_child(obstacle)
	figure.solve(Vector2(80, 10))
	obstacle.global_position = figure.bones[1].global_position + Vector2(0, 4)
	var free: PackedFloat32Array = figure.pose()
	chain.obstacles = [obstacle]
	figure.rig.advance(0.0)
	var expected: PackedFloat32Array = figure.pose()
	check(absf(expected[0] - free[0]) > 0.1, "the obstacle is in the way")
	# Where it was seen.
	var seen: Transform2D = obstacle.get_global_transform_with_canvas()
	obstacle.reparent(self)
	obstacle.transform = get_viewport().canvas_transform.affine_inverse() * seen
	figure.rig.advance(0.0)
	for index: int in expected.size():
		near_angle(figure.pose()[index], expected[index], 1e-3, "bone %d" % index)
	obstacle.free()
	layer.free()


func test_the_base_pose_for_scripts() -> void:
	var figure: Figure = Figure.new([30, 25, 20], [0.3, 0.5, 0.2])
	add_child(figure.stage)
	var arm: TendonTwoBoneIK2D = figure.two_bone()
	arm.bone_two = figure.bones[1]
	arm.stretch = 2.0
	figure.solve(Vector2(80, 60))
	for index: int in 3:
		var bone: Bone2D = figure.bones[index]
		var base: float = [0.3, 0.5, 0.2][index]
		near_angle(figure.rig.get_base_rotation(bone), base, 1e-6, "rotation, bone %d" % index)
		near_point(
			figure.rig.get_base_position(bone), bone.rest.origin, 1e-6, "position %d" % index
		)
		var base_transform: Transform2D = figure.rig.get_base_transform(bone)
		check(base_transform.is_equal_approx(bone.rest), "transform, bone %d" % index)
	check(figure.bones[0].rotation != figure.rig.get_base_rotation(figure.bones[0]), "is solved")
	check(figure.bones[1].position.x > 31.0, "is stretched")
	figure.bones[0].rotation = 1.0
	near_angle(figure.rig.get_base_rotation(figure.bones[0]), 1.0, 1e-6, "a script has turned it")
	figure.rig.active = false
	near_angle(figure.rig.get_base_rotation(figure.bones[1]), 0.5, 0.0, "switched off")
	equal(figure.rig.get_base_rotation(null), 0.0, "no bone")
	expect_errors(["Pass a Bone2D"], "no bone")
	figure.stage.free()


## The commonest line of games, under a rig at half influence: from the solved rotation it never
## arrives, from the base rotation it does.
func test_turning_a_bone_little_by_little() -> void:
	var goal: float = 1.2
	var ends: Array[float] = []
	for from_base: bool in [false, true]:
		var figure: Figure = Figure.new([30, 25], [0.1, 0.2])
		add_child(figure.stage)
		figure.rig.influence = 0.5
		figure.two_bone()
		for frame: int in 200:
			var bone: Bone2D = figure.bones[0]
			var from: float = figure.rig.get_base_rotation(bone) if from_base else bone.rotation
			bone.rotation = lerp_angle(from, goal, 0.1)
			figure.solve(Vector2(20, -40))
		ends.append(figure.rig.get_base_rotation(figure.bones[0]))
		figure.stage.free()
	print("   base pose after 200 frames, from the solved one and from the base: ", ends)
	check(absf(ends[0] - goal) > 0.1, "from the solved rotation: %s" % ends[0])
	near(ends[1], goal, 1e-4, "from the base rotation")


func test_at_the_end_of_the_frame_nothing_is_seen_late() -> void:
	var lags: Dictionary[String, Dictionary] = {}
	for mover: String in ["tween", "later tween", "remote", "deferred", "script"]:
		lags[mover] = {
			"idle": await _lag(mover, TendonRig2D.CALLBACK_MODE_PROCESS_IDLE),
			"frame end": await _lag(mover, TendonRig2D.CALLBACK_MODE_PROCESS_FRAME_END),
			"engine": await _engine_lag(mover),
		}
	print("   px behind the target when the frame is drawn: ", lags)
	for mover: String in lags:
		check(lags[mover]["idle"] > 1.0, "the shape lags in idle frames: %s" % mover)
		near(lags[mover]["frame end"], 0.0, 0.01, "end of the frame, " + mover)
	forgive(ENGINE_NOISE)


func test_the_end_of_the_frame_goes_with_the_rig() -> void:
	var figure: Figure = Figure.new([30, 25], [0.1, 0.2])
	add_child(figure.stage)
	figure.two_bone()
	var passes: Array[int] = [0]
	figure.rig.modification_processed.connect(func() -> void: passes[0] += 1)
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_FRAME_END
	await frames(5)
	var count: int = passes[0]
	check(count >= 3 and count <= 5, "one pass in each frame: %d" % count)
	for tween: Tween in get_tree().get_processed_tweens():
		tween.kill()
	await frames(4)
	check(passes[0] >= count + 2, "somebody kills all tweens: %d" % (passes[0] - count))
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
	count = passes[0]
	await frames(3)
	equal(passes[0], count, "manual again")
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_FRAME_END
	remove_child(figure.stage)
	await frames(3)
	equal(passes[0], count, "out of the tree")
	add_child(figure.stage)
	await frames(4)
	check(passes[0] > count, "back in the tree")
	get_tree().paused = true
	await frames(2)
	count = passes[0]
	await frames(3)
	equal(passes[0], count, "paused")
	get_tree().paused = false
	figure.stage.free()
	await frames(2)


## As games load their levels.
func test_scenes_with_a_rig_are_made_on_other_threads() -> void:
	var path: String = "user://threaded_rig.tscn"
	var made: Figure = Figure.new([30, 25], [0.2, 0.3])
	made.two_bone()
	for node: Node in made.stage.find_children("*", "", true, false):
		node.owner = made.stage
	var packed: PackedScene = PackedScene.new()
	packed.pack(made.stage)
	ResourceSaver.save(packed, path)
	made.stage.free()
	var threads: Array[Thread] = []
	for count: int in 4:
		threads.append(Thread.new())
		threads[count].start(_load_and_make.bind(path))
	for thread: Thread in threads:
		var stage: Node2D = thread.wait_to_finish()
		add_child(stage)
		var rig: TendonRig2D = stage.find_child("Rig")
		var target: Node2D = stage.get_node("Target")
		var bones: Array[Node] = stage.find_children("*", "Bone2D", true, false)
		target.global_position = stage.get_node("Skeleton").to_global(Vector2(30, 35))
		rig.advance(0.0)
		near_point(Figure.axis_end(bones[1]), target.global_position, 0.01, "reaches")
		stage.free()
	DirAccess.remove_absolute(ProjectSettings.globalize_path(path))
	forgive(ENGINE_NOISE)


func _load_and_make(path: String) -> Node:
	var scene: PackedScene = ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)
	var stage: Node = scene.instantiate()
	var copy: Node = stage.duplicate()
	stage.free()
	return copy


## A spine of one bone that looks up, and an arm at its end with a hand; in [param order], of the
## three.
func _dancer(order: Array[int]) -> Figure:
	var figure: Figure = Figure.new([30, 20, 20, 10])
	add_child(figure.stage)
	figure.bones[2].set_autocalculate_length_and_angle(true)
	var spine: TendonLookAt2D = figure.look_at()
	spine.name = "Spine"
	spine.target = _marker(figure, Vector2(20, 90))
	var arm: TendonTwoBoneIK2D = figure.two_bone()
	arm.name = "Arm"
	arm.bone_one = figure.bones[1]
	arm.bone_two = figure.bones[2]
	arm.target = _marker(figure, Vector2(35, 35))
	var hand: TendonLookAt2D = figure.look_at()
	hand.name = "Hand"
	hand.bone = figure.bones[3]
	hand.target = _marker(figure, Vector2(200, -90))
	var made: Array[Node] = [spine, arm, hand]
	for place: int in 3:
		figure.rig.move_child(made[order[place]], place)
	return figure


func _marker(figure: Figure, at: Vector2) -> Marker2D:
	var marker: Marker2D = Marker2D.new()
	marker.position = at
	figure.stage.add_child(marker)
	return marker


func _reaches_on_screen(figure: Figure, target: Node2D, message: String) -> void:
	var tip: Vector2 = figure.skeleton.get_canvas_transform() * Figure.axis_end(figure.bones[-1])
	var aim: Vector2 = target.get_canvas_transform() * target.global_position
	near_point(tip, aim, 0.05, message)
	var arm: TendonTwoBoneIK2D = figure.rig.get_child(0)
	near(arm.get_target_distance(), 0.0, 0.02, message + ", told")


## How far the tip is from a target that [param mover] moves, at most, when frames are drawn.
func _lag(mover: String, mode: int) -> float:
	var figure: Figure = Figure.new([60, 50], [0.1, 0.2])
	add_child(figure.stage)
	figure.two_bone()
	figure.rig.callback_mode_process = mode
	var most: float = await _watch_lag(figure, mover)
	figure.stage.free()
	return most


func _engine_lag(mover: String) -> float:
	if not EngineStack.exists():
		return NAN
	var figure: Figure = Figure.new([60, 50], [0.1, 0.2])
	figure.rig.active = false
	add_child(figure.stage)
	EngineStack.give(figure, EngineStack.TWO_BONE)
	var most: float = await _watch_lag(figure, mover)
	figure.stage.free()
	return most


func _watch_lag(figure: Figure, mover: String) -> float:
	var source: LateMover = LateMover.new()
	source.how = mover
	source.target = figure.target
	figure.stage.add_child(source)
	if mover == "later tween":
		# The rig has begun, and has tweens of its own that are run first.
		await frames(3)
	source.start()
	await frames(4)
	var most: float = 0.0
	for frame: int in 8:
		# Before anything moves in the new frame: what was drawn last.
		await frames()
		most = maxf(most, figure.gap())
	return most


## Moves a target by 8 px in each frame, after the rig has run.
class LateMover:
	extends Node2D

	var how: String = ""
	var target: Node2D
	var _step: int = 0

	func start() -> void:
		match how:
			"tween", "later tween":
				create_tween().tween_method(_tween, 0.0, 1.0, 1000.0)
			"remote":
				var remote: RemoteTransform2D = RemoteTransform2D.new()
				remote.update_rotation = false
				remote.update_scale = false
				add_child(remote)
				remote.remote_path = remote.get_path_to(target)
			"script":
				process_priority = 200

	func _process(_delta: float) -> void:
		match how:
			"remote":
				_move(self)
			"deferred":
				_step += 1
				target.set_deferred(&"position", _place())
			"script":
				_move(target)

	func _tween(_share: float) -> void:
		_move(target)

	func _move(node: Node2D) -> void:
		_step += 1
		node.position = _place()

	func _place() -> Vector2:
		return Vector2(20 + 8 * absi(_step % 14 - 7), 40)
