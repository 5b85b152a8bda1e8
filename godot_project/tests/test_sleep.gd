extends "res://tests/suite.gd"
## When a rig need not work: nobody sees it ([member TendonRig2D.skip_when_invisible]), or nothing
## is new.

const MODES: Array[TendonRig2D.CallbackModeProcess] = [
	TendonRig2D.CALLBACK_MODE_PROCESS_IDLE,
	TendonRig2D.CALLBACK_MODE_PROCESS_FRAME_END,
	TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS,
]
const POSE: Array[float] = [0.4, -0.7, 0.9]
const NEAR: Vector2 = Vector2(-20, 40)
const ELSEWHERE: Vector2 = Vector2(25, 30)


func test_an_invisible_rig_is_skipped_until_it_is_shown() -> void:
	var figure: Figure = _sleeper()
	await frames(2)
	reaches(figure, "while visible")
	figure.stage.hide()
	figure.target.global_position = ELSEWHERE
	var asleep: PackedFloat32Array = figure.pose()
	await frames(3)
	equal(figure.pose(), asleep, "nothing moves while asleep")
	figure.stage.show()
	await frames(2)
	reaches(figure, "awake again")


func test_an_invisible_rig_runs_if_it_is_not_to_be_skipped() -> void:
	var figure: Figure = _sleeper()
	figure.rig.skip_when_invisible = false
	await frames(2)
	figure.stage.hide()
	figure.target.global_position = ELSEWHERE
	await frames(2)
	reaches(figure, "invisible, and yet solved")


func test_advance_works_while_invisible() -> void:
	var figure: Figure = _sleeper()
	await frames(2)
	figure.skeleton.visible = false
	figure.solve(ELSEWHERE)
	reaches(figure, "called directly")


func test_physics_frames_sleep_too() -> void:
	var figure: Figure = _sleeper()
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS
	await physics_frames(2)
	reaches(figure, "while visible")
	figure.skeleton.visible = false
	figure.target.global_position = ELSEWHERE
	var asleep: PackedFloat32Array = figure.pose()
	await physics_frames(3)
	equal(figure.pose(), asleep, "nothing moves while asleep")


func test_a_rig_that_nobody_sees_is_not_called() -> void:
	var figure: Figure = _sleeper()
	var rig: TendonRig2D = figure.rig
	for mode: TendonRig2D.CallbackModeProcess in MODES:
		rig.callback_mode_process = mode
		await physics_frames(3)
		figure.stage.hide()
		await physics_frames(3)
		check(not _is_called(rig), "hidden, mode %d" % mode)
		rig.skip_when_invisible = false
		figure.target.global_position = NEAR if mode else ELSEWHERE
		await physics_frames(3)
		reaches(figure, "not to be skipped any more, mode %d" % mode)
		rig.skip_when_invisible = true
		await physics_frames(3)
		check(not _is_called(rig), "to be skipped again, mode %d" % mode)
		figure.target.global_position = ELSEWHERE if mode else NEAR
		figure.stage.show()
		await physics_frames(3)
		reaches(figure, "shown again, mode %d" % mode)


func test_a_rig_that_nobody_sees_wakes_without_a_signal() -> void:
	var figure: Figure = _sleeper()
	await frames(3)
	figure.stage.hide()
	await frames(3)
	figure.skeleton.set_block_signals(true)
	figure.stage.show()
	figure.target.global_position = ELSEWHERE
	await frames(8)
	figure.skeleton.set_block_signals(false)
	reaches(figure, "found out by itself")


func test_a_rig_that_nobody_sees_wakes_on_another_skeleton() -> void:
	var figure: Figure = _sleeper()
	await frames(3)
	figure.skeleton.hide()
	await frames(3)
	var other: Figure = Figure.new([30, 25], POSE)
	other.fabrik()
	other.stage.remove_child(other.skeleton)
	figure.stage.add_child(other.skeleton)
	other.rig.free()
	figure.rig.reparent(other.skeleton)
	var modifier: TendonFABRIK2D = figure.rig.get_child(0)
	modifier.root_bone = other.bones[0]
	modifier.tip_bone = other.bones[-1]
	figure.target.global_position = ELSEWHERE
	await frames(3)
	equal(modifier.get_status(), TendonFABRIK2D.STATUS_REACHED, "the skeleton is visible")
	equal(_connections(figure.skeleton, &"visibility_changed"), 0, "the old one is let go of")
	other.stage.free()


func test_a_rig_that_is_off_is_not_called() -> void:
	var figure: Figure = _sleeper()
	var rig: TendonRig2D = figure.rig
	for mode: TendonRig2D.CallbackModeProcess in MODES:
		rig.callback_mode_process = mode
		rig.active = false
		await physics_frames(2)
		check(not _is_called(rig), "off, mode %d" % mode)
		rig.active = true
		figure.target.global_position = NEAR if mode else ELSEWHERE
		await physics_frames(3)
		reaches(figure, "on again, mode %d" % mode)


## From the pose that it has solved, a solve would have nothing to do and say so.
func test_nothing_new_is_not_solved_again() -> void:
	var figure: Figure = Figure.new([30, 25], POSE)
	var modifier: TendonFABRIK2D = figure.fabrik()
	modifier.deterministic = false
	add_child(figure.stage)
	figure.solve(NEAR)
	var iterations: int = modifier.get_iterations()
	check(iterations > 0, "the first pass solves")
	figure.rig.advance(0.0)
	equal(modifier.get_iterations(), iterations, "nothing is new")
	modifier.tolerance *= 2.0
	figure.rig.advance(0.0)
	equal(modifier.get_iterations(), 0, "a setting is new")


## A connection takes 0.9 kB of memory in each rig.
func test_a_rig_is_connected_to_the_skeleton_only_where_rest_poses_count() -> void:
	var figure: Figure = Figure.new([30, 25], POSE)
	figure.fabrik()
	add_child(figure.stage)
	figure.solve(NEAR)
	equal(_connections(figure.skeleton, &"bone_setup_changed"), 0, "no limit")
	equal(_connections(figure.target, &"tree_entered"), 0, "target")
	figure.bones[0].add_child(TendonJointLimit2D.new())
	figure.solve(NEAR)
	equal(_connections(figure.skeleton, &"bone_setup_changed"), 1, "a limit")


func test_the_bone_that_a_chain_ends_at_is_noticed() -> void:
	var figure: Figure = Figure.new([30, 25], POSE)
	var modifier: TendonFABRIK2D = figure.fabrik()
	add_child(figure.stage)
	figure.bones[-1].set_autocalculate_length_and_angle(true)
	var ends: Array[Bone2D] = [_end_at(figure, Vector2(20, 0)), _end_at(figure, Vector2(15, 5))]
	_ends_at(figure, modifier, ends[0], "the first child bone")
	figure.bones[-1].move_child(ends[1], 0)
	_ends_at(figure, modifier, ends[1], "the other one, now the first")
	figure.bones[-1].remove_child(ends[1])
	var third: Bone2D = _end_at(figure, Vector2(10, -5))
	figure.bones[-1].move_child(third, 0)
	_ends_at(figure, modifier, third, "one in its place")
	figure.bones[-1].remove_child(third)
	_ends_at(figure, modifier, ends[0], "the last one")
	ends[1].free()
	third.free()


func _end_at(figure: Figure, position: Vector2) -> Bone2D:
	var end: Bone2D = Bone2D.new()
	end.position = position
	end.rest = end.transform
	end.set_autocalculate_length_and_angle(false)
	figure.bones[-1].add_child(end)
	return end


func _ends_at(figure: Figure, modifier: TendonFABRIK2D, end: Bone2D, about: String) -> void:
	figure.solve(NEAR)
	near(modifier.get_tip_position().distance_to(end.global_position), 0.0, 0.01, about)


func _is_called(rig: TendonRig2D) -> bool:
	return rig.is_processing_internal() or rig.is_physics_processing_internal()


func _connections(node: Node, signal_name: StringName) -> int:
	return node.get_signal_connection_list(signal_name).size()


func _sleeper() -> Figure:
	var figure: Figure = Figure.new([30, 25], POSE)
	figure.fabrik()
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.rig.skip_when_invisible = true
	add_child(figure.stage)
	figure.target.global_position = NEAR
	return figure
