extends "res://tests/suite.gd"
## The first frame that is drawn of a character shows its solved pose, whenever it enters the tree.


func test_a_character_from_a_timer_of_the_tree() -> void:
	for mode: int in _modes():
		await _expect_solved(mode, get_tree().create_timer(0.05).timeout, "create_timer()")


func test_a_character_from_a_timer() -> void:
	for in_physics: bool in [false, true]:
		for mode: int in _modes():
			var timer: Timer = Timer.new()
			timer.process_callback = (
				Timer.TIMER_PROCESS_PHYSICS if in_physics else Timer.TIMER_PROCESS_IDLE
			)
			timer.one_shot = true
			add_child(timer)
			timer.start(0.05)
			await _expect_solved(mode, timer.timeout, "timer, in physics: %s" % in_physics)
			timer.free()


func test_a_character_from_a_frame() -> void:
	for mode: int in _modes():
		await _expect_solved(mode, get_tree().process_frame, "process_frame")
		await _expect_solved(mode, get_tree().physics_frame, "physics_frame")


## Of a rig that scripts run, none of the frames is Tendon's.
func test_a_rig_that_scripts_run_waits_for_them() -> void:
	var figure: Figure = _figure(TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL)
	var posed: PackedFloat32Array = figure.pose()
	get_tree().create_timer(0.05).timeout.connect(add_child.bind(figure.stage))
	await frames(10)
	equal(figure.pose(), posed, "the pose")


## It must not count as a pass that time has passed for.
func test_the_first_frame_takes_no_time() -> void:
	var figure: Figure = _figure(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS)
	var passes: Array[int] = [0]
	figure.rig.modification_processed.connect(func() -> void: passes[0] += 1)
	get_tree().create_timer(0.05).timeout.connect(add_child.bind(figure.stage))
	while not figure.stage.is_inside_tree():
		await get_tree().physics_frame
	equal(passes[0], 1, "one pass")
	figure.rig.active = false
	await physics_frames(3)
	equal(passes[0], 1, "none while it is switched off")


## Waits for [param spawning] to add a character, and looks at it before anything runs in the next
## frame.
func _expect_solved(mode: int, spawning: Signal, about: String) -> void:
	var figure: Figure = _figure(mode)
	spawning.connect(add_child.bind(figure.stage), CONNECT_ONE_SHOT)
	var frame: Array[int] = [-1]
	figure.stage.tree_entered.connect(func() -> void: frame[0] = Engine.get_process_frames())
	# The ticks of a frame come before all else of it.
	while frame[0] < 0 or Engine.get_process_frames() == frame[0]:
		await get_tree().physics_frame
	reaches(figure, "%s, mode %d" % [about, mode])
	figure.stage.free()


func _figure(mode: int) -> Figure:
	var figure: Figure = Figure.new([30.0, 25.0, 20.0], [0.3, 0.4, -0.2])
	figure.fabrik()
	figure.target.position = Vector2(40, 30)
	figure.rig.callback_mode_process = mode as TendonRig2D.CallbackModeProcess
	return figure


func _modes() -> PackedInt32Array:
	return [
		TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS,
		TendonRig2D.CALLBACK_MODE_PROCESS_IDLE,
		TendonRig2D.CALLBACK_MODE_PROCESS_FRAME_END,
	]
