extends "res://tests/suite.gd"
## When the rig runs, and what its signals and those of the modifiers tell.

const POSE: Array[float] = [0.4, -0.7, 0.9]
const NEAR: Vector2 = Vector2(-20, 40)
const FAR: Vector2 = Vector2(-2000, 40)

var _heard: PackedStringArray = []


func test_target_reached_and_lost_on_change_only() -> void:
	for modifier: Node in [TendonTwoBoneIK2D.new(), TendonCCDIK2D.new(), TendonFABRIK2D.new()]:
		_heard.clear()
		var figure: Figure = Figure.new([30, 25], POSE)
		figure.add(modifier)
		_listen(modifier)
		add_child(figure.stage)
		for point: Vector2 in [FAR, FAR, NEAR, NEAR, NEAR, FAR, FAR, NEAR]:
			figure.solve(point)
		var expected: PackedStringArray = ["target_reached", "target_lost", "target_reached"]
		equal(_heard, expected, modifier.get_class())


func test_look_at_reaches_and_loses_its_target() -> void:
	var figure: Figure = Figure.new([30], POSE)
	var modifier: TendonLookAt2D = figure.look_at()
	_listen(modifier)
	add_child(figure.stage)
	figure.solve(NEAR)
	figure.solve(FAR)
	equal(_heard, PackedStringArray(["target_reached"]), "it can look at anything")
	modifier.target = null
	figure.solve()
	equal(_heard, PackedStringArray(["target_reached", "target_lost"]), "no target")


func test_target_lost_when_there_is_nothing_to_reach_any_more() -> void:
	for how: String in ["inactive", "no target", "freed target", "invalid", "rig off", "no bone"]:
		_heard.clear()
		var figure: Figure = Figure.new([30, 25], POSE)
		var modifier: TendonFABRIK2D = figure.fabrik()
		_listen(modifier)
		add_child(figure.stage)
		figure.solve(NEAR)
		match how:
			"inactive":
				modifier.active = false
			"no target":
				modifier.target = null
			"freed target":
				figure.target.free()
			"invalid":
				figure.target.position.x = NAN
			"rig off":
				figure.rig.active = false
			"no bone":
				modifier.root_bone = null
		for count: int in 3:
			figure.rig.advance(0.0)
		equal(_heard, PackedStringArray(["target_reached", "target_lost"]), how)
		forgive(['Set "Root Bone"'])
	forgive([INVALID])


func test_the_signals_come_when_the_bones_are_turned() -> void:
	var figure: Figure = Figure.new([30, 25], POSE)
	var modifier: TendonTwoBoneIK2D = figure.two_bone()
	add_child(figure.stage)
	var measure: Callable = func() -> void:
		_heard.append("heard")
		reaches(figure, "in the signal")
		equal(modifier.get_status(), TendonTwoBoneIK2D.STATUS_REACHED, "status")
		near(modifier.get_target_distance(), figure.gap(), 0.01, "distance")
	modifier.target_reached.connect(measure)
	figure.rig.modification_processed.connect(measure)
	figure.solve(NEAR)
	equal(_heard.size(), 2, "signals")


func test_modification_processed_comes_once_per_pass() -> void:
	var figure: Figure = Figure.new([30, 25], POSE)
	figure.fabrik()
	figure.ccd()
	figure.rig.modification_processed.connect(_hear.bind("processed"))
	add_child(figure.stage)
	for count: int in 7:
		figure.solve(NEAR)
	equal(_heard.size(), 7, "passes")
	figure.rig.active = false
	figure.solve()
	equal(_heard.size(), 7, "switched off")
	figure.rig.active = true
	figure.stage.remove_child(figure.ancestors[0] if figure.ancestors else figure.skeleton)
	figure.rig.advance(0.0)
	equal(_heard.size(), 7, "outside the tree")
	figure.skeleton.queue_free()


func test_idle_mode_runs_in_every_frame() -> void:
	var figure: Figure = _running(TendonRig2D.CALLBACK_MODE_PROCESS_IDLE)
	await frames(5)
	equal(_heard.size(), 5, "passes in five frames")
	reaches(figure, "idle")
	check(figure.rig.is_processing_internal(), "processes")
	check(not figure.rig.is_physics_processing_internal(), "does not process physics")


func test_physics_mode_runs_in_every_physics_frame() -> void:
	var figure: Figure = _running(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS)
	await physics_frames(5)
	equal(_heard.size(), 6, "passes: five, and the one of the first frame that is drawn")
	reaches(figure, "physics")
	check(not figure.rig.is_processing_internal(), "does not process")
	check(figure.rig.is_physics_processing_internal(), "processes physics")


func test_manual_mode_runs_only_when_told() -> void:
	var figure: Figure = _running(TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL)
	await physics_frames(3)
	equal(_heard.size(), 0, "passes")
	figure.rig.advance(0.25)
	equal(_heard.size(), 1, "after advance()")
	reaches(figure, "manual")
	check(not figure.rig.is_processing_internal(), "does not process")
	check(not figure.rig.is_physics_processing_internal(), "does not process physics")


func test_advance_is_an_extra_pass_in_the_other_modes() -> void:
	var figure: Figure = _running(TendonRig2D.CALLBACK_MODE_PROCESS_IDLE)
	figure.rig.advance(0.0)
	equal(_heard.size(), 1, "at once")
	await frames(2)
	equal(_heard.size(), 3, "and in two frames")


func test_the_mode_may_change_at_any_time() -> void:
	var figure: Figure = _running(TendonRig2D.CALLBACK_MODE_PROCESS_IDLE)
	await frames(2)
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
	await frames(2)
	equal(_heard.size(), 2, "manual")
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS
	await physics_frames(2)
	equal(_heard.size(), 4, "physics")
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	await get_tree().process_frame
	await frames(2)
	equal(_heard.size(), 6, "idle")


func test_the_rig_runs_after_scripts() -> void:
	var figure: Figure = _running(TendonRig2D.CALLBACK_MODE_PROCESS_IDLE)
	equal(figure.rig.process_priority, 100, "process priority")
	equal(figure.rig.process_physics_priority, 100, "physics process priority")
	var script: GDScript = GDScript.new()
	script.source_code = """extends Marker2D
func _process(_delta: float) -> void:
	position = position.rotated(0.5)
"""
	script.reload()
	# Below the rig in the tree, so that without a priority it would come later.
	var mover: Marker2D = Marker2D.new()
	mover.set_script(script)
	mover.position = Vector2(20, 30)
	figure.stage.add_child(mover)
	figure.target = mover
	figure.rig.get_child(0).set("target", mover)
	for count: int in 5:
		await frames(1)
		reaches(figure, "frame %d" % count)


func test_the_rig_runs_after_animation() -> void:
	var figure: Figure = _running(TendonRig2D.CALLBACK_MODE_PROCESS_IDLE)
	var animation: Animation = Animation.new()
	var track: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, NodePath("Skeleton/Bone0:rotation"))
	animation.track_insert_key(track, 0.0, 0.0)
	animation.track_insert_key(track, 1.0, 3.0)
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"turn", animation)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.add_animation_library(&"", library)
	figure.stage.add_child(player)
	player.play(&"turn")
	for count: int in 5:
		await frames(1)
		reaches(figure, "frame %d" % count)
	var animated: float = 3.0 * player.current_animation_position
	figure.rig.active = false
	near(figure.bones[0].rotation, animated, 1e-5, "the base pose is what was animated")


func test_a_paused_tree_pauses_the_rig() -> void:
	var figure: Figure = _running(TendonRig2D.CALLBACK_MODE_PROCESS_IDLE)
	get_tree().paused = true
	await frames(3)
	get_tree().paused = false
	equal(_heard.size(), 0, "passes while the tree is paused")
	await frames(2)
	equal(_heard.size(), 2, "passes afterwards")
	reaches(figure, "afterwards")


func test_a_rig_whose_processing_is_disabled_does_not_run() -> void:
	var figure: Figure = _running(TendonRig2D.CALLBACK_MODE_PROCESS_IDLE)
	figure.rig.process_mode = Node.PROCESS_MODE_DISABLED
	await frames(3)
	equal(_heard.size(), 0, "passes")
	figure.rig.process_mode = Node.PROCESS_MODE_INHERIT
	await frames(2)
	equal(_heard.size(), 2, "passes, enabled")


func _running(mode: int) -> Figure:
	var figure: Figure = Figure.new([30, 25, 20], POSE)
	figure.fabrik()
	figure.rig.callback_mode_process = mode
	figure.rig.modification_processed.connect(_hear.bind("processed"))
	figure.target.position = NEAR
	add_child(figure.stage)
	return figure


func _listen(modifier: Node) -> void:
	for heard: String in ["target_reached", "target_lost"]:
		modifier.connect(heard, _hear.bind(heard))


func _hear(what: String) -> void:
	_heard.append(what)
