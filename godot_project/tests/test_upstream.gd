extends "res://tests/suite.gd"
## What users have reported of the engine's own inverse kinematics, one test for each report,
## named after its number: Tendon does not do that. See [code]docs/upstream.md[/code].
##
## Where the engine's own can safely be run in a game, it is run beside Tendon, and a line says
## whether it shows what was reported. In the version that the table in the documents is of, it must
## be what that says. In another version it may differ.

const Document := preload("res://tests/document.gd")
const EngineStack := preload("res://tests/engine_stack.gd")

const LENGTHS: Array[float] = [40.0, 35.0]
const POSE: Array[float] = [0.4123456, 0.7654321]
const LONG: Array[float] = [30.0, 25.0, 20.0, 15.0]
const LONG_POSE: Array[float] = [0.4, 0.5, -0.3, 0.6]
const MIRROR: Array[Transform2D] = [Transform2D(0.0, Vector2(-1, 1), 0.0, Vector2(40, 9))]
const POINT: Vector2 = Vector2(-20, 50)
const BASE_SCENE: String = "user://upstream_base.tscn"
const HEIR_SCENE: String = "user://upstream_heir.tscn"
## Less of the chain's reach is no miss.
const MISS: float = 0.01
const TITLES: PackedStringArray = ["issue", "what was reported", "what Tendon does", "Godot 4.6.3"]
## What the table says of what the engine does not show.
const NOT_SHOWN: PackedStringArray = ["fixed", "not in a game"]


## A skeleton below scale.x = -1: bones turn away from what they should look at or reach.
func test_80252_mirrored_look_at_and_two_bones() -> void:
	for kind: String in [EngineStack.LOOK_AT, EngineStack.TWO_BONE]:
		var engine: Figure = await _engine(kind, LENGTHS, POSE, MIRROR)
		if engine != null:
			var way: Vector2 = engine.to_skeleton(engine.target.global_position)
			way -= engine.bones[0].position
			var off: float = absf(angle_difference(way.angle(), engine.bones[0].rotation))
			_report(80252, _misses(engine) if kind == EngineStack.TWO_BONE else off > 0.01, kind)
	var figure: Figure = Figure.new(LENGTHS, POSE, MIRROR)
	figure.look_at()
	add_child(figure.stage)
	figure.solve(POINT)
	var line: Vector2 = POINT - figure.bones[0].position
	near_angle(figure.bones[0].rotation, line.angle(), 1e-4, "looks at it")
	figure.rig.get_child(0).free()
	figure.two_bone()
	figure.solve(POINT)
	reaches(figure, "two bones")


## No solver copes with a negative scale on a node above the skeleton.
func test_75224_negative_scale_above_the_skeleton() -> void:
	var scales: Array[Vector2] = [Vector2(-1, 1), Vector2(1, -1), Vector2(-2, 0.5)]
	for kind: String in [EngineStack.CCD, EngineStack.FABRIK]:
		var engine: Figure = await _engine(kind, LONG, LONG_POSE, MIRROR)
		_report(75224, engine != null and _misses(engine), kind)
	for scale: Vector2 in scales:
		for kind: String in ["two_bone", "ccd", "fabrik"]:
			var above: Array[Transform2D] = [Transform2D(0.0, scale, 0.0, Vector2.ONE)]
			var lengths: Array[float] = LENGTHS if kind == "two_bone" else LONG
			var figure: Figure = Figure.new(lengths, LONG_POSE, above)
			figure.call(kind)
			add_child(figure.stage)
			figure.solve(POINT)
			reaches(figure, "%s at %v" % [kind, scale])


## A walk cycle is flipped while it plays, and the last bones no longer point at their targets.
func test_86868_a_walk_flipped_while_it_plays() -> void:
	var engine: Figure = await _engine(EngineStack.TWO_BONE, LENGTHS, POSE, [Transform2D.IDENTITY])
	var misses: int = 0
	for step: int in 20:
		if engine == null:
			break
		engine.ancestors[0].scale.x = 1.0 if step < 10 else -1.0
		engine.target.global_position = engine.skeleton.global_transform * _stride(step)
		await frames(2)
		misses += int(_misses(engine))
	_report(86868, misses > 0, "misses in %d of 20 steps" % misses)
	log_recorder.clear()
	var figure: Figure = Figure.new(LENGTHS, POSE, [Transform2D.IDENTITY])
	figure.two_bone()
	add_child(figure.stage)
	var first: PackedFloat32Array = []
	for step: int in 20:
		figure.ancestors[0].scale.x = 1.0 if step < 10 else -1.0
		figure.solve(_stride(step))
		reaches(figure, "step %d" % step)
		first.append_array(figure.pose() if step < 10 else PackedFloat32Array())
		if step >= 10:
			near_angle(figure.bones[0].rotation, first[2 * (step - 10)], 1e-4, "mirrored %d" % step)


## FABRIK pulls bones together or apart: it believes in lengths that no bone has any more.
func test_73242_bones_keep_their_lengths() -> void:
	var engine: Figure = _automatic(LONG, LONG_POSE)
	if _give(engine, EngineStack.FABRIK):
		_move_the_joints(engine)
		var before: Array[float] = _segments(engine)
		engine.target.position = POINT
		await frames(5)
		var changes: float = 0.0
		for index: int in before.size():
			changes = maxf(changes, absf(_segments(engine)[index] - before[index]))
		_report(73242, changes > 0.1, "a bone changes by %.1f px" % changes)
	var figure: Figure = _automatic(LONG, LONG_POSE)
	figure.fabrik()
	_move_the_joints(figure)
	var lengths: Array[float] = _segments(figure)
	figure.solve(POINT)
	reaches(figure, "with moved joints")
	for index: int in lengths.size():
		near(_segments(figure)[index], lengths[index], 1e-4, "segment %d" % index)


## Two bones are made, the second is moved into place, and the limb ends far from its target.
func test_75820_a_second_bone_that_was_moved() -> void:
	var engine: Figure = _automatic(LENGTHS, POSE)
	if _give(engine, EngineStack.TWO_BONE):
		engine.bones[1].position = Vector2(90, 30)
		engine.target.position = POINT
		await frames(5)
		_report(75820, _misses(engine), "misses by %.0f px" % engine.gap())
	var figure: Figure = _automatic(LENGTHS, POSE)
	figure.two_bone()
	figure.bones[1].position = Vector2(90, 30)
	figure.solve(Vector2(60, 70))
	reaches(figure, "the moved bone")


## It works only after the automatic length was switched off and on again.
func test_82971_automatic_lengths_need_no_toggling() -> void:
	var engine: Figure = _automatic(LENGTHS, POSE)
	if _give(engine, EngineStack.TWO_BONE):
		engine.bones[1].position = Vector2(70, 0)
		engine.target.position = POINT
		await frames(5)
		var before: float = engine.gap()
		engine.bones[0].set_autocalculate_length_and_angle(false)
		engine.bones[0].set_autocalculate_length_and_angle(true)
		await frames(5)
		var gaps: Array = [before, engine.gap()]
		_report(82971, before > engine.gap() + 1.0, "misses by %.1f px, then by %.1f px" % gaps)
	var figure: Figure = _automatic(LENGTHS, POSE)
	figure.two_bone()
	figure.bones[1].position = Vector2(70, 0)
	figure.solve(POINT)
	reaches(figure, "without toggling")


## CCD with a constraint, or with one axis scaled: the picture grows, flickers and vanishes.
func test_75337_limits_leave_scale_and_skew_alone() -> void:
	var above: Array[Transform2D] = [Transform2D(0.0, Vector2(1, 1.5), 0.0, Vector2.ZERO)]
	var engine: Figure = Figure.new(LONG, LONG_POSE, above)
	add_child(engine.stage)
	if _give(engine, EngineStack.CCD):
		var shape: Array = engine.shape()
		engine.target.global_position = engine.skeleton.global_transform * POINT
		await frames(10)
		_report(75337, engine.shape() != shape, "scale of the root bone %v" % engine.bones[0].scale)
	var figure: Figure = Figure.new(LONG, LONG_POSE, above)
	var limit: TendonJointLimit2D = TendonJointLimit2D.new()
	figure.bones[1].add_child(limit)
	figure.ccd()
	add_child(figure.stage)
	var before: Array = figure.shape()
	for step: int in 20:
		figure.solve(Vector2.from_angle(0.3 * step) * 60)
		equal(figure.shape(), before, "shape in step %d" % step)
		var turned: float = angle_difference(LONG_POSE[1], figure.bones[1].rotation)
		check(absf(turned) <= limit.max_angle + 1e-4, "the limit in step %d: %s" % [step, turned])


## Of two instances whose target is out of reach, the first spins for ever.
func test_107466_instances_out_of_reach_stand_still() -> void:
	for own: bool in [false, true]:
		var figures: Array[Node] = _instances(EngineStack.CCD if own else "", 2)
		if own and not EngineStack.exists():
			continue
		for figure: Node in figures:
			figure.get_node("Target").set("position", Vector2(900, 100))
		await frames(20)
		var before: PackedFloat32Array = _pose_of(figures[0]) + _pose_of(figures[1])
		await frames(10)
		var after: PackedFloat32Array = _pose_of(figures[0]) + _pose_of(figures[1])
		if own:
			_report(107466, after != before, "turns by %.2f in a frame" % _most(before, after))
		else:
			equal(after, before, "still")
			equal(_pose_of(figures[0]), _pose_of(figures[1]), "both do the same")
		_free_all(figures)


## A second instance of a scene takes the target of the first away.
func test_102541_each_instance_has_its_own_target() -> void:
	var points: Array[Vector2] = [Vector2(-20, 60), Vector2(60, 20)]
	for own: bool in [false, true]:
		if own and not EngineStack.exists():
			continue
		var figures: Array[Node] = _instances(EngineStack.CCD if own else "", 2)
		for index: int in 2:
			figures[index].get_node("Target").set("position", points[index])
		await frames(40)
		var gaps: Array[float] = []
		for index: int in 2:
			var tip: Vector2 = Figure.axis_end(_last_bone(figures[index]))
			gaps.append(tip.distance_to(points[index]))
		if own:
			_report(102541, gaps.max() > 1.0, "the instances miss by %s px" % [gaps])
		else:
			check(gaps.max() < 0.02, "each reaches its own: %s" % [gaps])
		_free_all(figures)


## As soon as there is a second instance, every frame logs errors.
func test_97651_a_second_instance_logs_nothing() -> void:
	for own: bool in [false, true]:
		if own and not EngineStack.exists():
			continue
		var figures: Array[Node] = _instances(EngineStack.CCD if own else "", 2)
		log_recorder.clear()
		await frames(10)
		figures.pop_front().free()
		await frames(10)
		if own:
			var count: int = log_recorder.take(false).size() + log_recorder.take(true).size()
			_report(97651, count > 1, "%d lines in 20 frames" % count)
		else:
			expect_warnings([], "two instances")
			expect_errors([], "two instances")
		_free_all(figures)


## With two instances, one draws for the other: "Drawing is only allowed…". In the editor only, so
## that the engine's own is not run here.
func test_73888_instances_do_not_share_anything() -> void:
	var figures: Array[Node] = _instances("", 3)
	figures[1].get_node("Target").set("position", Vector2(60, 20))
	await frames(2)
	check(_pose_of(figures[0]) != _pose_of(figures[1]), "the second has a pose of its own")
	equal(_pose_of(figures[2]), _pose_of(figures[0]), "the third agrees with the first")
	for figure: Node in figures:
		for node: Node in figure.find_children("*", "", true, false):
			for property: Dictionary in node.get_property_list():
				var value: Variant = node.get(property["name"])
				var mine: bool = (
					not value is Node or value == figure or figure.is_ancestor_of(value)
				)
				var about: String = "%s.%s" % [node.name, property["name"]]
				check(mine or property["name"] == "owner", about + " is of its own instance")
	for figure: Node in figures:
		(figure as CanvasItem).queue_redraw()
	await frames(2)
	expect_errors([], "drawing")


## An inherited scene works until somebody looks at the one that it inherits; then it crashes. The
## engine's own is not run for that reason.
func test_76849_a_scene_and_its_heir() -> void:
	ResourceSaver.save(_scene(), BASE_SCENE)
	var file: FileAccess = FileAccess.open(HEIR_SCENE, FileAccess.WRITE)
	file.store_string('[gd_scene load_steps=2 format=3]\n\n[ext_resource type="PackedScene" path="')
	file.store_string(BASE_SCENE + '" id="1"]\n\n[node name="Heir" instance=ExtResource("1")]\n\n')
	file.store_string('[node name="Target" parent="."]\nposition = Vector2(60, 20)\n')
	file.close()
	var base: Node = (load(BASE_SCENE) as PackedScene).instantiate()
	var heir: Node = (load(HEIR_SCENE) as PackedScene).instantiate()
	for turn: int in 3:
		for shown: Node in [base, heir]:
			add_child(shown)
			await frames(2)
			var target: Node2D = shown.get_node("Target")
			var gap: float = Figure.axis_end(_last_bone(shown)).distance_to(target.position)
			check(gap < 0.02, "%s in turn %d misses by %s" % [shown.name, turn, gap])
			remove_child(shown)
	equal(heir.get_node("Target").get("position"), Vector2(60, 20), "what the heir changes")
	base.free()
	heir.free()


## After reload_current_scene() nothing moves any more. The engine's own may crash there.
func test_73168_a_scene_that_is_reloaded() -> void:
	ResourceSaver.save(_scene(), BASE_SCENE)
	get_tree().change_scene_to_file(BASE_SCENE)
	for turn: int in 3:
		await frames(3)
		var scene: Node = get_tree().current_scene
		var target: Node2D = scene.get_node("Target")
		target.position = Vector2(60, 10 * turn)
		await frames(2)
		var gap: float = Figure.axis_end(_last_bone(scene)).distance_to(target.position)
		check(gap < 0.02, "reloaded %d times: misses by %s" % [turn, gap])
		get_tree().reload_current_scene()
	await frames(3)
	get_tree().unload_current_scene()
	await frames(1)


## Crashes when scenes are switched: a modification uses a node that is gone. The engine's own is
## not run for that reason.
func test_85728_what_a_modifier_uses_goes() -> void:
	for gone: String in ["Target", "Skeleton/Bone0", "Skeleton/Bone0/Bone1", "Skeleton"]:
		for at_once: bool in [true, false]:
			var figures: Array[Node] = _instances("", 2)
			var look: TendonLookAt2D = TendonLookAt2D.new()
			look.bone = figures[0].get_node("Skeleton/Bone0")
			look.target = figures[0].get_node("Target")
			figures[0].get_node("Skeleton/Rig").add_child(look)
			await frames(2)
			if at_once:
				figures[0].get_node(gone).free()
			else:
				figures[0].get_node(gone).queue_free()
			await frames(3)
			check(not figures[0].has_node(gone), gone + " is gone")
			check(_pose_of(figures[1]) != PackedFloat32Array(LONG_POSE), "the other goes on")
			_free_all(figures)
			forgive(['Set "'])


## A modification that is not set up yet floods the log.
func test_76712_one_line_for_what_is_not_set_up() -> void:
	var engine: Figure = Figure.new(LENGTHS, POSE)
	add_child(engine.stage)
	if EngineStack.exists():
		log_recorder.clear()
		EngineStack.give_stack(engine.skeleton, ClassDB.instantiate(EngineStack.TWO_BONE))
		await frames(20)
		var count: int = log_recorder.take(false).size() + log_recorder.take(true).size()
		_report(76712, count > 20, "%d lines in 20 frames of a game" % count)
	engine.stage.free()
	var figure: Figure = Figure.new(LENGTHS, POSE)
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.rig.add_child(TendonTwoBoneIK2D.new())
	add_child(figure.stage)
	await frames(20)
	expect_warnings(['Set "Bone One"'], "once")


## Errors are logged for what is switched off.
func test_81433_nothing_is_said_of_what_is_switched_off() -> void:
	if EngineStack.exists():
		var engine: Figure = Figure.new(LENGTHS, POSE)
		add_child(engine.stage)
		log_recorder.clear()
		EngineStack.give_stack(engine.skeleton, ClassDB.instantiate(EngineStack.LOOK_AT), false)
		await frames(20)
		var count: int = log_recorder.take(false).size() + log_recorder.take(true).size()
		_report(81433, count > 0, "%d lines in 20 frames of a game, switched off" % count)
		engine.stage.free()
	var figure: Figure = Figure.new(LENGTHS, POSE)
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.rig.active = false
	figure.rig.add_child(TendonLookAt2D.new())
	add_child(figure.stage)
	await frames(20)
	expect_warnings([], "switched off")
	expect_errors([], "switched off")


## Run in physics frames, the pose flickers between the solved and the unsolved one.
func test_100504_physics_frames_do_not_flicker() -> void:
	var poses: Dictionary[String, int] = {}
	var engine: Figure = Figure.new(LENGTHS, POSE)
	engine.target.position = POINT
	add_child(engine.stage)
	# Every second frame has no tick.
	var ticks: int = Engine.physics_ticks_per_second
	Engine.physics_ticks_per_second = 30
	if EngineStack.exists():
		EngineStack.give(engine, EngineStack.TWO_BONE).set("execution_mode", 1)
		poses = await _watch_pose(engine)
		_report(100504, poses.size() > 1, "%d poses of a still figure" % poses.size())
	log_recorder.clear()
	var figure: Figure = Figure.new(LENGTHS, POSE)
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS
	figure.two_bone()
	figure.target.position = POINT
	add_child(figure.stage)
	await physics_frames(2)
	equal((await _watch_pose(figure)).size(), 1, "poses of a still figure")
	reaches(figure, "in physics frames")
	Engine.physics_ticks_per_second = ticks


## FABRIK has no joint limits (godot-proposals).
func test_12650_fabrik_has_joint_limits() -> void:
	if EngineStack.exists():
		var modification: Resource = ClassDB.instantiate(EngineStack.FABRIK)
		modification.set("fabrik_data_chain_length", 2)
		var limits: int = 0
		for property: Dictionary in modification.get_property_list():
			limits += int("constraint" in property["name"] or "limit" in property["name"])
		_report(12650, limits == 0, "%d properties for limits" % limits)
	var figure: Figure = Figure.new(LONG, LONG_POSE)
	var limits: Array[TendonJointLimit2D] = []
	for bone: Bone2D in figure.bones:
		var limit: TendonJointLimit2D = TendonJointLimit2D.new()
		limit.min_angle = -0.6
		limit.max_angle = 0.7
		bone.add_child(limit)
		limits.append(limit)
	figure.fabrik()
	add_child(figure.stage)
	# Within the limits by construction.
	figure.set_pose([0.9, 0.0, 0.3, 0.1])
	var point: Vector2 = figure.tip()
	figure.set_pose(LONG_POSE)
	figure.solve(point)
	reaches(figure, "within the limits")
	for index: int in LONG.size():
		var turned: float = angle_difference(LONG_POSE[index], figure.bones[index].rotation)
		check(turned >= -0.6 - 1e-4 and turned <= 0.7 + 1e-4, "joint %d: %s" % [index, turned])


## Says whether the engine at hand shows what was reported.
func _report(number: int, shown: bool, what: String) -> void:
	var verdict: String = "shown by this engine" if shown else "not shown by this engine"
	print("#%d %s: %s" % [number, verdict, what])
	var info: Dictionary = Engine.get_version_info()
	if TITLES[3] != "Godot %d.%d.%d" % [info["major"], info["minor"], info["patch"]]:
		return
	var rows: Array[Dictionary] = Document.new("docs/upstream.md").table(TITLES).filter(
		func(row: Dictionary) -> bool: return "/issues/%d)" % number in row["issue"]
	)
	equal(rows.size(), 1, "rows of #%d in the documents" % number)
	for row: Dictionary in rows:
		var said: String = row[TITLES[3]]
		var is_said: bool = "FABRIK" in what if "FABRIK" in said else not said in NOT_SHOWN
		equal(shown, is_said, '#%d, of which the documents say "%s": %s' % [number, said, what])


## A figure that the engine itself has solved for some frames, if it can.
func _engine(kind: String, lengths: Array, pose: Array, above: Array) -> Figure:
	if not EngineStack.exists():
		return null
	var figure: Figure = Figure.new(lengths, pose, above)
	add_child(figure.stage)
	EngineStack.give(figure, kind)
	figure.target.global_position = figure.skeleton.global_transform * POINT
	await frames(60)
	log_recorder.clear()
	return figure


func _give(figure: Figure, kind: String) -> bool:
	if EngineStack.exists():
		EngineStack.give(figure, kind)
	return EngineStack.exists()


func _misses(figure: Figure) -> bool:
	return not figure.gap() <= MISS * figure.reach()


func _stride(step: int) -> Vector2:
	return Vector2(20, 55) + 15.0 * Vector2.from_angle(0.6 * (step % 10))


## A figure in the tree whose bones, but for the last, calculate their lengths.
func _automatic(lengths: Array, pose: Array) -> Figure:
	var figure: Figure = Figure.new(lengths, pose)
	add_child(figure.stage)
	return figure


func _move_the_joints(figure: Figure) -> void:
	for bone: Bone2D in figure.bones.slice(1):
		bone.position += Vector2(9, -6)


func _segments(figure: Figure) -> Array[float]:
	var joints: PackedVector2Array = figure.points()
	var found: Array[float] = []
	for index: int in figure.bones.size():
		found.append(joints[index].distance_to(joints[index + 1]))
	return found


## How many poses there are to be seen in some frames.
func _watch_pose(figure: Figure) -> Dictionary[String, int]:
	var poses: Dictionary[String, int] = {}
	for frame: int in 30:
		await frames()
		poses[str(figure.pose())] = frame
	return poses


## A scene with a chain and CCD: Tendon's, or the engine's own.
func _scene(kind: String = "") -> PackedScene:
	var figure: Figure = Figure.new(LONG, LONG_POSE)
	figure.skeleton.position = Vector2.ZERO
	figure.target.position = Vector2(-20, 60)
	add_child(figure.stage)
	if kind.is_empty():
		figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
		figure.ccd()
	else:
		figure.rig.free()
		EngineStack.give(figure, kind)
	return figure.pack()


func _instances(kind: String, count: int) -> Array[Node]:
	var scene: PackedScene = _scene(kind)
	var figures: Array[Node] = []
	for index: int in count:
		figures.append(scene.instantiate())
		add_child(figures[index])
	return figures


func _free_all(figures: Array[Node]) -> void:
	for figure: Node in figures:
		figure.free()
	log_recorder.take(false)


func _last_bone(figure: Node) -> Bone2D:
	return figure.get_node("Skeleton/Bone0/Bone1/Bone2/Bone3")


func _pose_of(figure: Node) -> PackedFloat32Array:
	var rotations: PackedFloat32Array = []
	for bone: Node in figure.find_children("Bone*", "", true, false):
		rotations.append((bone as Node2D).rotation)
	return rotations


func _most(before: PackedFloat32Array, after: PackedFloat32Array) -> float:
	var most: float = 0.0
	for index: int in before.size():
		most = maxf(most, absf(angle_difference(before[index], after[index])) / 10.0)
	return most
