extends "res://tests/suite.gd"
## Scripts that handle a signal of a pass and call the rig, switch it off or free its nodes.

const CallbackBone := preload("res://tests/callback_bone.gd")

const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736, 0.1234567]
const POINT: Vector2 = Vector2(-20, 40)

## What the engine says of a handler that frees the node whose signal it hears.
const FREED_WHILE_EMITTING: String = "freed or unreferenced while a signal"

## How often signal handlers were called.
var _heard: int = 0


func test_advance_from_within_the_signals() -> void:
	var figure: Figure = _figure()
	var again: Callable = func() -> void:
		_heard += 1
		figure.rig.advance(0.0)
	figure.rig.modification_processed.connect(again)
	figure.rig.get_child(0).connect("target_reached", again)
	figure.solve(POINT)
	equal(_heard, 2, "signals")
	reaches(figure, "the pass")
	figure.solve(Vector2(20, 40))
	equal(_heard, 3, "signals of the next pass")
	reaches(figure, "the next pass")
	expect_warnings(["advance() was called from within"], "once")


## Each of two plans is out of date as soon as it is made, since a listener to the log changes a
## target whenever a plan warns.
func test_a_plan_that_is_stale_twice_in_one_pass_is_told() -> void:
	if not log_recorder.can_hear():
		return
	var figure: Figure = Figure.new([30, 25], [0.2, 0.3])
	add_child(figure.stage)
	var arm: TendonTwoBoneIK2D = figure.two_bone()
	var heads: Array[TendonLookAt2D] = [figure.look_at(), figure.look_at()]
	heads[0].bone = null
	var other: Marker2D = Marker2D.new()
	figure.stage.add_child(other)
	var listener: RefCounted = load("res://tests/log_listener.gd").new()
	listener.set(
		"heard",
		func(_is_warning: bool, message: String) -> void:
			if 'Set "Bone"' in message:
				heads[1].bone = null
				arm.target = other if arm.target == figure.target else figure.target
	)
	OS.call("add_logger", listener)
	figure.solve(Vector2(20, 40))
	OS.call("remove_logger", listener)
	equal(arm.get_status(), TendonTwoBoneIK2D.STATUS_IDLE, "not solved")
	var bone: String = 'Set "Bone"'
	expect_warnings([bone, bone, "found it changed in the same pass"], "told")
	figure.solve()
	reaches(figure, "the next pass")
	figure.stage.free()


func test_advance_from_within_a_signal_that_took_the_rig_out_of_the_tree() -> void:
	var figure: Figure = _figure()
	var leave: Callable = func() -> void:
		_heard += 1
		figure.skeleton.remove_child(figure.rig)
		figure.rig.advance(0.0)
	figure.rig.modification_processed.connect(leave)
	figure.solve(POINT)
	equal(_heard, 1, "signals")
	equal(figure.pose(), PackedFloat32Array(POSE), "base pose")
	forgive(["advance() was called from within"])
	figure.rig.modification_processed.disconnect(leave)
	figure.skeleton.add_child(figure.rig)
	figure.solve(POINT)
	reaches(figure, "back in the tree")


func test_switching_off_from_within_the_signals() -> void:
	for heard_signal: String in ["modification_processed", "target_reached", "target_lost"]:
		var figure: Figure = _figure()
		var sender: Node = figure.rig
		if heard_signal != "modification_processed":
			sender = figure.rig.get_child(0)
		var off: Callable = func() -> void:
			_heard += 1
			figure.rig.active = false
		figure.solve(Vector2(900, 0))
		if heard_signal == "target_lost":
			figure.solve(POINT)
			sender.connect(heard_signal, off)
			figure.solve(Vector2(900, 0))
		else:
			sender.connect(heard_signal, off)
			figure.solve(POINT)
		equal(figure.pose(), PackedFloat32Array(POSE), "base pose, " + heard_signal)
		sender.disconnect(heard_signal, off)
		figure.rig.active = true
		figure.solve(POINT)
		reaches(figure, "switched on again, " + heard_signal)
	equal(_heard, 3, "signals")


func test_toggling_from_within_the_signals() -> void:
	var figure: Figure = _figure()
	var toggle: Callable = func() -> void:
		_heard += 1
		if _heard < 10:
			figure.rig.active = false
			figure.rig.active = true
	figure.rig.modification_processed.connect(toggle)
	figure.rig.get_child(0).connect("target_reached", toggle)
	figure.rig.get_child(0).connect("target_lost", toggle)
	for count: int in 4:
		figure.solve(POINT)
	check(_heard > 3, "signals")
	figure.rig.modification_processed.disconnect(toggle)
	figure.solve(POINT)
	reaches(figure, "afterwards")
	figure.rig.active = false
	equal(figure.pose(), PackedFloat32Array(POSE), "base pose")


func test_restoring_from_within_the_signals() -> void:
	var figure: Figure = _figure()
	var restore: Callable = func() -> void:
		_heard += int(figure.pose() != PackedFloat32Array(POSE))
		figure.rig.restore_pose()
	figure.rig.modification_processed.connect(restore)
	for count: int in 3:
		figure.solve(POINT)
		equal(figure.pose(), PackedFloat32Array(POSE), "base pose")
	equal(_heard, 3, "solved poses that the signal saw")


func test_freeing_from_within_the_signals() -> void:
	for what: String in ["target", "tip bone", "root bone", "modifier's parent", "other modifier"]:
		var figure: Figure = Figure.new([30, 25, 12, 40], POSE)
		var holder: Node = Node.new()
		figure.rig.add_child(holder)
		var modifier: TendonFABRIK2D = figure.fabrik()
		modifier.reparent(holder)
		var other: TendonCCDIK2D = figure.ccd()
		add_child(figure.stage)
		var victims: Dictionary[String, Node] = {
			"target": figure.target,
			"tip bone": figure.bones[3],
			"root bone": figure.bones[0],
			"modifier's parent": holder,
			"other modifier": other,
		}
		other.target_reached.connect(func() -> void: _heard += 1)
		modifier.target_reached.connect(victims[what].free)
		figure.solve(POINT)
		check(not is_instance_valid(victims[what]), "freed: " + what)
		for count: int in 3:
			figure.rig.advance(0.0)
		check(is_instance_valid(figure.rig), "the rig is there: " + what)
		forgive(['Set "Root Bone"', 'Set "Tip Bone"', FREED_WHILE_EMITTING])
	equal(_heard, 4, "signals of the other modifier")


func test_a_rig_freed_in_its_own_signals() -> void:
	for heard_signal: String in ["modification_processed", "target_reached"]:
		for way: String in ["queue_free", "stage", "remove"]:
			var figure: Figure = _figure()
			var sender: Node = figure.rig
			if heard_signal == "target_reached":
				sender = figure.rig.get_child(0)
			match way:
				"queue_free":
					sender.connect(heard_signal, figure.rig.queue_free)
				"stage":
					sender.connect(heard_signal, figure.stage.free)
				"remove":
					sender.connect(heard_signal, figure.skeleton.remove_child.bind(figure.rig))
			figure.solve(POINT)
			await frames(2)
			var about: String = "%s in %s" % [way, heard_signal]
			equal(is_instance_valid(figure.rig), way == "remove", about)
			if way != "stage":
				equal(figure.pose(), PackedFloat32Array(POSE), "base pose, " + about)
			if way == "remove":
				figure.rig.free()
			forgive([FREED_WHILE_EMITTING])


func test_freeing_what_a_pass_has_written() -> void:
	for what: String in ["last bone", "target", "modifier", "skeleton's rig"]:
		var figure: Figure = Figure.new([30, 25, 12, 40], POSE)
		figure.bones[0].set_script(CallbackBone)
		figure.fabrik()
		figure.ccd()
		add_child(figure.stage)
		var victims: Dictionary[String, Node] = {
			"last bone": figure.bones[3],
			"target": figure.target,
			"modifier": figure.rig.get_child(0),
			"skeleton's rig": figure.rig,
		}
		figure.bones[0].set("callback", victims[what].free)
		figure.solve(POINT)
		check(not is_instance_valid(victims[what]), "freed in the middle of a pass: " + what)
		if is_instance_valid(figure.rig):
			figure.rig.advance(0.0)
			figure.rig.advance(0.0)
		else:
			equal(figure.pose(), PackedFloat32Array(POSE), "a freed rig restores the pose")
		forgive(['Set "Tip Bone"'])


func test_freeing_a_rig_that_restores_the_pose() -> void:
	var ways: Dictionary[String, Callable] = {
		"property": func(rig: TendonRig2D) -> void: rig.active = false,
		"by name": func(rig: TendonRig2D) -> void: rig.set("active", false),
		"function": func(rig: TendonRig2D) -> void: rig.set_active(false),
		"restore_pose": func(rig: TendonRig2D) -> void: rig.restore_pose(),
		"exit": func(rig: TendonRig2D) -> void: rig.get_parent().remove_child(rig),
	}
	for way: String in ways:
		var figure: Figure = _figure()
		figure.bones[0].set_script(CallbackBone)
		figure.solve(POINT)
		check(figure.pose() != PackedFloat32Array(POSE), "solved, " + way)
		figure.bones[0].set("callback", figure.rig.free if way != "exit" else figure.rig.queue_free)
		ways[way].call(figure.rig)
		await frames(2)
		check(not is_instance_valid(figure.rig), "freed, " + way)
		equal(figure.pose(), PackedFloat32Array(POSE), "base pose, " + way)


func test_a_pass_asked_for_while_the_rig_restores_the_pose() -> void:
	var ways: Dictionary[String, Callable] = {
		"active": func(rig: TendonRig2D) -> void: rig.active = false,
		"restore_pose": func(rig: TendonRig2D) -> void: rig.restore_pose(),
		"exit": func(rig: TendonRig2D) -> void: rig.get_parent().remove_child(rig),
	}
	for way: String in ways:
		var figure: Figure = _figure()
		figure.bones[0].set_script(CallbackBone)
		figure.solve(POINT)
		var again: Callable = func() -> void:
			figure.rig.active = true
			figure.rig.advance(0.0)
		figure.bones[0].set("callback", again)
		ways[way].call(figure.rig)
		equal(figure.pose(), PackedFloat32Array(POSE), "base pose, " + way)
		if way == "exit":
			figure.skeleton.add_child(figure.rig)
		figure.solve(POINT)
		reaches(figure, "goes on, " + way)
		figure.rig.active = false
		equal(figure.pose(), PackedFloat32Array(POSE), "base pose in the end, " + way)
		expect_warnings(["advance() was called from within"], way)


func _figure() -> Figure:
	var figure: Figure = Figure.new([30, 25, 12, 40], POSE)
	figure.fabrik()
	add_child(figure.stage)
	return figure
