extends "res://tests/suite.gd"
## When a rig need not work: nobody sees it ([member TendonRig2D.skip_when_invisible]), or nothing
## is new.

const POSE: Array[float] = [0.4, -0.7, 0.9]
const NEAR: Vector2 = Vector2(-20, 40)
const ELSEWHERE: Vector2 = Vector2(25, 30)


func test_an_invisible_rig_sleeps_and_wakes() -> void:
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


func test_it_is_off_unless_asked_for() -> void:
	var figure: Figure = _sleeper()
	figure.rig.skip_when_invisible = false
	figure.stage.hide()
	await frames(2)
	reaches(figure, "invisible, and yet solved")


func test_advance_works_in_the_dark() -> void:
	var figure: Figure = _sleeper()
	await frames(2)
	figure.skeleton.visible = false
	figure.solve(ELSEWHERE)
	reaches(figure, "asked for by name")


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


func _sleeper() -> Figure:
	var figure: Figure = Figure.new([30, 25], POSE)
	figure.fabrik()
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.rig.skip_when_invisible = true
	add_child(figure.stage)
	figure.target.global_position = NEAR
	return figure
