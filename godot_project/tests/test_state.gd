extends "res://tests/suite.gd"
## TendonRig2D.get_state() and set_state(): a game goes back to a frame and plays the next ones
## again, to the last bit.

const Document := preload("res://tests/document.gd")

const LENGTHS: Array[float] = [30, 25, 20, 25, 20, 15]
const FRAMES: int = 300
const LONG: int = 10_000
## The target stands still from here on, and the rig comes to rest.
const STILL_FROM: int = 150
## Frames in which a spring gets an impulse.
const STRUCK_AT: PackedInt32Array = [60, 100]
const SAVED_AT: PackedInt32Array = [1, 40, 149, 152, 280]

const FREEING: String = """extends TendonCustomModifier2D
var act: Callable
func _process_modification(_delta: float) -> void:
	pass
func _get_state() -> Variant:
	if act.is_valid():
		act.call()
	return 1
"""


func test_frames_are_played_again_to_the_last_bit() -> void:
	for kind: String in ["ccd", "fabrik", "two_bone", "spring", "spline", "copy"]:
		var figure: Figure = _figure(kind)
		var states: Array[PackedByteArray] = []
		var poses: Array[PackedVector2Array] = []
		for frame: int in FRAMES:
			_play(figure, frame)
			states.append(figure.rig.get_state())
			poses.append(figure.points())
		check(poses[40] != poses[100], kind + ": it moves")
		equal(poses[-1], poses[-2], kind + ": it comes to rest")
		for saved: int in SAVED_AT:
			_aim(figure, saved)
			check(figure.rig.set_state(states[saved]), "%s, %d: restored" % [kind, saved])
			equal(figure.points(), poses[saved], "%s, %d: the pose" % [kind, saved])
			equal(figure.rig.get_state(), states[saved], "%s, %d: the state" % [kind, saved])
			_expect_same(figure, saved, states, poses, kind)


## Half of them twice: what a state does not hold would show, if only in the last bit.
func test_ten_thousand_frames_end_in_the_same_bits() -> void:
	var figure: Figure = _figure("fabrik")
	var half: PackedByteArray = []
	for frame: int in LONG:
		_play(figure, frame % STILL_FROM)
		if frame == LONG / 2 - 1:
			half = figure.rig.get_state()
	var end: PackedByteArray = figure.rig.get_state()
	check(half != end, "it moves")
	check(figure.rig.set_state(half), "restored")
	for frame: int in range(LONG / 2, LONG):
		_play(figure, frame % STILL_FROM)
	equal(figure.rig.get_state(), end, "the state")


## The script of docs/rollback.md, as it stands there.
func test_the_script_of_the_manual_goes_back() -> void:
	var figure: Figure = _figure("fabrik")
	figure.skeleton.name = "Skeleton2D"
	figure.rig.name = "TendonRig2D"
	figure.target.name = "Target"
	for node: Node in [figure.target, figure.skeleton]:
		node.get_parent().remove_child(node)
	figure.skeleton.add_child(figure.target)
	figure.target.position = Vector2(60, 20)
	var script: GDScript = GDScript.new()
	script.source_code = Document.new("docs/rollback.md").scripts()[0]
	equal(script.reload(), OK, "it compiles")
	var game: Node2D = Node2D.new()
	game.set_script(script)
	game.add_child(figure.skeleton)
	add_child(game)
	var poses: Array[PackedVector2Array] = []
	for frame: int in 80:
		game.call("play_frame", Vector2(cos(0.1 * frame), sin(0.2 * frame)))
		poses.append(figure.points())
	check(poses[50] != poses[79], "it moves")
	game.call("go_back_to", 51)
	equal(game.get("frame"), 51, "the frame")
	equal(figure.points(), poses[50], "the pose")
	for frame: int in range(51, 80):
		game.call("play_frame", Vector2(cos(0.1 * frame), sin(0.2 * frame)))
		equal(figure.points(), poses[frame], "frame %d" % frame)
	equal(game.get("saved").size(), 60, "frames that are kept")
	game.free()


## As a player who joins later does.
## What a script remembers goes along.
func test_scripts_go_back() -> void:
	var figure: Figure = Figure.new(LENGTHS)
	add_child(figure.stage)
	var modifier: TendonCustomModifier2D = preload("res://tests/remembering_modifier.gd").new()
	modifier.set("bone", figure.bones[0])
	figure.rig.add_child(modifier)
	for frame: int in 5:
		figure.rig.advance(0.1)
	var state: PackedByteArray = figure.rig.get_state()
	var poses: Array[float] = []
	for frame: int in 5:
		figure.rig.advance(0.1)
		poses.append(figure.bones[0].rotation)
	check(figure.rig.set_state(state), "restored")
	near(modifier.get("time"), 0.5, 1e-6, "the time of the script")
	for frame: int in 5:
		figure.rig.advance(0.1)
		equal(figure.bones[0].rotation, poses[frame], "frame %d" % frame)
	modifier.set_script(preload("res://tests/scripted_modifier.gd"))
	equal(figure.rig.set_state(state), false, "a script without _set_state()")
	expect_warnings(["the script of modifier"], "told")


## A script that is asked may do anything.
func test_a_script_frees_the_skeleton_while_it_is_asked() -> void:
	for what: String in ["skeleton", "bone", "modifier", "removed"]:
		var figure: Figure = Figure.new(LENGTHS)
		add_child(figure.stage)
		var modifier: TendonCustomModifier2D = TendonCustomModifier2D.new()
		var script: GDScript = GDScript.new()
		script.source_code = FREEING
		equal(script.reload(), OK, "it compiles")
		modifier.set_script(script)
		figure.rig.add_child(modifier)
		figure.rig.advance(0.1)
		check(not figure.rig.get_state().is_empty(), what + ": before")
		var acts: Dictionary[String, Callable] = {
			"skeleton": figure.skeleton.free,
			"bone": figure.bones[1].free,
			"modifier": modifier.queue_free,
			"removed": figure.skeleton.remove_child.bind(figure.rig),
		}
		modifier.set("act", acts[what])
		var state: PackedByteArray = figure.rig.get_state()
		equal(state.is_empty(), what != "modifier", what + ": the state")
		if what == "removed":
			modifier.set("act", Callable())
			figure.skeleton.add_child(figure.rig)
		await frames()
		figure.stage.free()
	forgive(["get_state() found no pass to go on from", "_process_modification"])


## What a pass would find counts, and not what the last one has found.
func test_a_state_is_taken_right_after_targets_were_put_back() -> void:
	for by_node: bool in [true, false]:
		var figure: Figure = Figure.new([40, 30], [0.2, 0.3])
		add_child(figure.stage)
		var look: TendonLookAt2D = figure.rig.add_look_at(figure.bones[0])
		var place: Vector2 = figure.skeleton.global_transform * Vector2(40, 60)
		figure.target.global_position = place
		var aim: Callable = func(is_set: bool) -> void:
			if by_node:
				look.target = figure.target if is_set else null
			else:
				look.target_position = place if is_set else Vector2.INF
		aim.call(true)
		figure.rig.advance(TICK)
		var state: PackedByteArray = figure.rig.get_state()
		var aimed: float = figure.bones[0].rotation
		aim.call(false)
		figure.rig.advance(TICK)
		check(figure.bones[0].rotation != aimed, "it lets go")
		equal(figure.rig.set_state(state), false, "a state of a rig that aims")
		aim.call(true)
		check(figure.rig.set_state(state), "taken, target node: %s" % by_node)
		equal(figure.bones[0].rotation, aimed, "the pose")
		figure.rig.advance(TICK)
		equal(figure.rig.get_state(), state, "the next pass is the one that followed")
		aim.call(false)
		figure.rig.advance(TICK)
		# What was refused must not hide from the next pass that something has changed.
		aim.call(true)
		equal(figure.rig.set_state(PackedByteArray()), false, "nothing")
		figure.rig.advance(TICK)
		equal(figure.bones[0].rotation, aimed, "it aims all the same")
		figure.stage.free()
	forgive(["set_state() has changed nothing", "no target", "Target"])


## Impulses that no float holds exactly add up to others, whatever came before.
func test_impulses_act_to_the_same_bits_after_a_state() -> void:
	var figure: Figure = Figure.new([40, 30], [0.2, 0.3])
	add_child(figure.stage)
	var spring: TendonSpring2D = figure.rig.add_spring(figure.bones[0], figure.bones[1])
	var states: Array[PackedByteArray] = []
	for play: int in 2:
		if play == 1:
			check(figure.rig.set_state(states[39]), "back")
		for frame: int in range(40 if play else 0, 120):
			if frame % 35 == 10:
				spring.apply_impulse(Vector2(-103.0024, 0.1) * (1 + frame))
				spring.apply_impulse(Vector2(12.34, -245.6297), figure.bones[1].global_position)
			figure.rig.advance(TICK)
			if play == 0:
				states.append(figure.rig.get_state())
			else:
				equal(figure.rig.get_state(), states[frame], "frame %d" % frame)


## A gun that aims with its muzzle, and swings back at a shot.
func test_a_look_with_a_tip_and_a_spring_on_one_bone_go_on_to_the_same_bits() -> void:
	for target: String in ["a place", "a node"]:
		var figure: Figure = Figure.new([30, 40], [-1.5, 1.6])
		add_child(figure.stage)
		var muzzle: Marker2D = Marker2D.new()
		muzzle.position = Vector2(42, -1)
		figure.bones[1].add_child(muzzle)
		var look: TendonLookAt2D = figure.rig.add_look_at(figure.bones[1])
		look.tip = muzzle
		look.target = figure.target if target == "a node" else null
		var spring: TendonSpring2D = figure.rig.add_spring(figure.bones[1], figure.bones[1])
		spring.frequency = 5.0
		spring.inertia = 0.0
		var states: Array[PackedByteArray] = []
		for play: int in 2:
			for frame: int in range(80 if play else 0, 140):
				if play == 1 and frame == 80:
					_aim_gun(figure, look, 79)
					check(figure.rig.set_state(states[79]), target + ": back")
					equal(figure.rig.get_state(), states[79], target + ": the same state")
				_aim_gun(figure, look, frame)
				if frame in [30, 80, 125]:
					spring.apply_impulse(Vector2(-104.1, -260.3).rotated(muzzle.global_rotation))
				figure.rig.advance(TICK)
				if play == 0:
					states.append(figure.rig.get_state())
				else:
					equal(figure.rig.get_state(), states[frame], "%s, frame %d" % [target, frame])
		figure.stage.free()


func _aim_gun(figure: Figure, look: TendonLookAt2D, frame: int) -> void:
	var place: Vector2 = Vector2(400 + frame, -60 - frame)
	figure.target.position = place
	if look.target == null:
		look.target_position = place


func test_another_instance_goes_on_from_the_state() -> void:
	var figure: Figure = _figure("fabrik")
	var states: Array[PackedByteArray] = []
	var poses: Array[PackedVector2Array] = []
	for frame: int in FRAMES:
		_play(figure, frame)
		states.append(figure.rig.get_state())
		poses.append(figure.points())
	var other: Figure = _figure("fabrik")
	_aim(other, 40)
	check(other.rig.set_state(states[40]), "restored")
	equal(other.points(), poses[40], "the pose")
	_expect_same(other, 40, states, poses, "another instance")


## What animation gave a bone comes back, not only what the rig has made of it.
func test_the_base_pose_comes_back() -> void:
	var figure: Figure = _figure("fabrik")
	_play(figure, 0)
	var state: PackedByteArray = figure.rig.get_state()
	var base: float = figure.rig.get_base_rotation(figure.bones[1])
	figure.bones[1].rotation = 2.5
	figure.rig.advance(TICK)
	check(figure.rig.set_state(state), "restored")
	equal(figure.rig.get_base_rotation(figure.bones[1]), base, "base rotation")
	figure.rig.active = false
	equal(figure.bones[1].rotation, base, "put back")


func test_what_does_not_fit_is_refused_in_words() -> void:
	var figure: Figure = _figure("fabrik")
	_play(figure, 0)
	var state: PackedByteArray = figure.rig.get_state()
	_play(figure, 20)
	var before: PackedVector2Array = figure.points()
	var text: String = state.get_string_from_utf8()
	var of_before: String = text.left(-16).replace('"version":8', '"version":3')
	var altered: String = text.replace('"version":8', '"version":8,"colour":2')
	var shorter: Figure = Figure.new([30, 25, 20])
	shorter.fabrik()
	add_child(shorter.stage)
	shorter.solve(Vector2(20, 30))
	var bare: Figure = Figure.new(LENGTHS)
	add_child(bare.stage)
	bare.solve()
	for refused: Array in [
		[PackedByteArray(), "damaged"],
		[state.slice(0, state.size() / 2), "damaged"],
		[altered.to_utf8_buffer(), "damaged"],
		[of_before.to_utf8_buffer(), "its format is 3, and only 8 can be restored"],
		[bare.rig.get_state(), "the state has 0 modifiers that work, and this rig has 1"],
		[shorter.rig.get_state(), "modifier 0 turned other bones"],
	]:
		equal(figure.rig.set_state(refused[0]), false, refused[1])
		expect_warnings(["set_state() has changed nothing: "], refused[1])
		equal(figure.points(), before, "the pose stays: " + refused[1])
	check(figure.rig.set_state(state), "the right one still fits")


## Of a pose at rest, no pass follows that would set this right.
func test_status_and_distance_are_those_of_the_state() -> void:
	for kind: String in ["two_bone", "fabrik", "ccd"]:
		var figure: Figure = _figure(kind)
		var modifier: Node = figure.rig.get_child(0)
		figure.target.global_position = figure.skeleton.global_transform * Vector2(45, 27)
		settle(figure, kind)
		equal(modifier.get_status(), TendonFABRIK2D.STATUS_REACHED, kind + ": reached")
		var state: PackedByteArray = figure.rig.get_state()
		var outcome: Array = _outcome(modifier)
		figure.target.position += Vector2(900, 0)
		figure.rig.advance(TICK)
		equal(modifier.get_status(), TendonFABRIK2D.STATUS_OUT_OF_REACH, kind + ": lost")
		figure.target.position -= Vector2(900, 0)
		var heard: Array[String] = []
		modifier.target_reached.connect(func() -> void: heard.append("reached"))
		modifier.target_lost.connect(func() -> void: heard.append("lost"))
		check(figure.rig.set_state(state), kind + ": restored")
		equal(_outcome(modifier), outcome, kind + ": at once")
		equal(heard, ["reached"], kind + ": its signal")
		figure.rig.advance(TICK)
		equal(_outcome(modifier), outcome, kind + ": after a pass")
		equal(heard, ["reached"], kind + ": no further one")


func test_an_inactive_rig_gets_the_base_pose() -> void:
	var figure: Figure = _figure("fabrik")
	_play(figure, 3)
	var state: PackedByteArray = figure.rig.get_state()
	var solved: PackedVector2Array = figure.points()
	var base: Array = figure.bones.map(figure.rig.get_base_rotation)
	_play(figure, 4)
	var next: PackedVector2Array = figure.points()
	figure.rig.active = false
	figure.bones[0].rotation = 1.0
	check(figure.rig.set_state(state), "restored")
	equal(figure.bones.map(_rotation_of), base, "the base pose is on the bones")
	figure.rig.advance(TICK)
	equal(figure.bones.map(_rotation_of), base, "and stays there")
	equal(figure.rig.get_child(0).get_status(), TendonFABRIK2D.STATUS_IDLE, "idle")
	figure.rig.active = true
	_play(figure, 4)
	check(solved != next, "it moves")
	equal(figure.points(), next, "switched on, it goes on from there")


## A user cannot do anything with the position of a byte.
func test_what_is_damaged_is_told_in_words_of_users() -> void:
	var figure: Figure = _figure("spring")
	_play(figure, 0)
	var text: String = figure.rig.get_state().get_string_from_utf8()
	var infinite: String = text.replace('"offset":', '"offset":"inf","offset":')
	var longer: String = text.replace(
		'"bones":[{', '"bones":[{"goal":0,"offset":0,"rate":0,"sag":0,"speed":0},{'
	)
	check(text != infinite and text != longer, "they are damaged")
	for damaged: String in ["", "{", text.left(90), infinite, longer, "null", "[1]"]:
		equal(figure.rig.set_state(damaged.to_utf8_buffer()), false, damaged)
		for warning: String in log_recorder.take(true):
			check("nothing: " in warning and not "column" in warning, warning)


func _outcome(modifier: Node) -> Array:
	return [
		modifier.get_status(),
		modifier.get_target_distance(),
		modifier.get_tip_position(),
		modifier.get_iterations()
	]


func _rotation_of(bone: Bone2D) -> float:
	return bone.rotation


func test_without_a_pass_there_is_none() -> void:
	var figure: Figure = _figure("fabrik")
	check(figure.rig.get_state().is_empty(), "before the first pass")
	expect_warnings(["get_state() found no pass"], "told once")
	check(figure.rig.get_state().is_empty(), "again")
	_play(figure, 0)
	check(not figure.rig.get_state().is_empty(), "after it")


func _expect_same(
	figure: Figure,
	saved: int,
	states: Array[PackedByteArray],
	poses: Array[PackedVector2Array],
	about: String
) -> void:
	for frame: int in range(saved + 1, mini(saved + 60, FRAMES)):
		_play(figure, frame)
		var message: String = "%s, from %d, frame %d" % [about, saved, frame]
		equal(figure.points(), poses[frame], message + ", the pose")
		equal(figure.rig.get_state(), states[frame], message + ", the state")


## One frame of a game: an animation of one bone, a target, and a pass.
func _play(figure: Figure, frame: int) -> void:
	if frame < STILL_FROM:
		figure.bones[0].rotation = 0.4 * sin(0.05 * frame)
	if frame in STRUCK_AT and figure.rig.get_child(0) is TendonSpring2D:
		var spring: TendonSpring2D = figure.rig.get_child(0)
		spring.apply_impulse(Vector2(200, -150))
	_aim(figure, frame)
	figure.rig.advance(TICK)


func _aim(figure: Figure, frame: int) -> void:
	var time: float = 0.04 * mini(frame, STILL_FROM)
	var point: Vector2 = Vector2(70 * cos(time), 55 * sin(1.7 * time))
	figure.target.global_position = figure.skeleton.global_transform * point
	# A wheel that is wrapped each turn, for a mapping.
	figure.target.rotation = wrapf(7.5 * time, -PI, PI)
	if figure.rig.get_child(0) is TendonSplineIK2D:
		(figure.rig.get_child(0) as TendonSplineIK2D).progress = 30.0 * time


func _figure(kind: String) -> Figure:
	var count: int = 2 if kind == "two_bone" else LENGTHS.size()
	var pose: Array[float] = [0.3, 0.2, -0.3, 0.4, 0.1, 0.2]
	var figure: Figure = Figure.new(LENGTHS.slice(0, count), pose.slice(0, count))
	match kind:
		"spring":
			figure.add(TendonSpring2D.new())
		"spline":
			var spline: TendonSplineIK2D = figure.add(TendonSplineIK2D.new())
			spline.path_2d = _hairpin(figure)
			spline.move_root = true
		"copy":
			var mapping: TendonCopyTransform2D = TendonCopyTransform2D.new()
			mapping.bone = figure.bones[0]
			mapping.source = figure.target
			mapping.relative = false
			mapping.bone_max = 0.3
			figure.rig.add_child(mapping)
		_:
			figure.call(kind)
	for bone: Bone2D in figure.bones.slice(1):
		var limit: TendonJointLimit2D = TendonJointLimit2D.new()
		limit.min_angle = -1.2
		limit.max_angle = 1.2
		bone.add_child(limit)
	add_child(figure.stage)
	return figure


## A path with a bend that is narrower than a bone is long, over which the chain swings.
func _hairpin(figure: Figure) -> Path2D:
	var path: Path2D = Path2D.new()
	path.curve = Curve2D.new()
	path.curve.add_point(Vector2.ZERO)
	path.curve.add_point(Vector2(160, 0), Vector2.ZERO, Vector2(14, 0))
	path.curve.add_point(Vector2(160, 16), Vector2(14, 0))
	path.curve.add_point(Vector2(-80, 16))
	figure.stage.add_child(path)
	return path
