extends "res://tests/suite.gd"
## A rig in a thread group is not processed and warns once. Outside the group it works again.

const POSE: Array[float] = [0.4, -0.7]
const POINT: Vector2 = Vector2(-20, 40)
const ADVICE: String = "main thread only"
## The engine's own error about a node two or more levels below the first of a thread group:
## Godot 4.6 does not enter it into the group.
const LOST_BY_THE_ENGINE: String = "!found"


func test_a_group_of_its_own() -> void:
	var figure: Figure = _figure()
	await _leave_and_return(figure, figure.rig)


func test_a_group_above_the_rig() -> void:
	for above: String in ["skeleton", "stage", "suite"]:
		var figure: Figure = _figure()
		var places: Dictionary[String, Node] = {
			"skeleton": figure.skeleton, "stage": figure.stage, "suite": self
		}
		await _leave_and_return(figure, places[above])


func test_a_group_there_from_the_beginning() -> void:
	var figure: Figure = _figure(false)
	figure.stage.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
	add_child(figure.stage)
	await frames(2)
	expect_warnings([ADVICE], "from the beginning")
	await _return(figure, figure.stage)


func test_moving_into_a_group_and_out_of_it() -> void:
	var figure: Figure = _figure()
	var group: Node2D = Node2D.new()
	group.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
	add_child(group)
	await frames(2)
	reaches(figure, "before")
	figure.stage.reparent(group)
	figure.target.position = Vector2(30, 10)
	var pose: PackedFloat32Array = POSE
	await frames(2)
	equal(figure.pose(), pose, "in the group")
	expect_warnings([ADVICE], "in the group")
	figure.stage.reparent(self)
	await frames(2)
	reaches(figure, "out of the group")


func test_the_main_thread_within_a_group() -> void:
	var figure: Figure = _figure(false)
	figure.stage.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
	figure.skeleton.process_thread_group = Node.PROCESS_THREAD_GROUP_MAIN_THREAD
	add_child(figure.stage)
	await frames(2)
	reaches(figure, "a group on the main thread")


func test_a_group_while_the_rig_is_off() -> void:
	var figure: Figure = _figure()
	await frames(2)
	figure.rig.active = false
	figure.rig.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
	await frames(4)
	expect_warnings([], "nobody looks at it while it is off")
	figure.rig.active = true
	await frames(2)
	expect_warnings([ADVICE], "on again")
	equal(figure.pose(), PackedFloat32Array(POSE), "not solved in a group")
	await _return(figure, figure.rig)
	figure.stage.free()


func test_other_modes_in_a_group() -> void:
	var figure: Figure = _figure()
	figure.stage.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
	for mode: int in 3:
		figure.rig.callback_mode_process = mode
		await physics_frames(2)
	equal(figure.pose(), PackedFloat32Array(POSE), "never processed")
	forgive([LOST_BY_THE_ENGINE])
	figure.solve(POINT)
	reaches(figure, "asked for on the main thread")
	expect_warnings([ADVICE], "once")


func _leave_and_return(figure: Figure, leader: Node) -> void:
	leader.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
	await frames(4)
	forgive([LOST_BY_THE_ENGINE])
	equal(figure.pose(), PackedFloat32Array(POSE), "not solved in a group")
	expect_warnings([ADVICE], "once")
	await _return(figure, leader)
	leader.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
	await frames(2)
	forgive([LOST_BY_THE_ENGINE])
	expect_warnings([], "said already")
	await _return(figure, leader)
	figure.stage.free()


func _return(figure: Figure, leader: Node) -> void:
	leader.process_thread_group = Node.PROCESS_THREAD_GROUP_INHERIT
	await frames(2)
	reaches(figure, "out of the group")


func _figure(live: bool = true) -> Figure:
	var figure: Figure = Figure.new([30, 25], POSE)
	figure.fabrik()
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.target.position = POINT
	if live:
		add_child(figure.stage)
	return figure
