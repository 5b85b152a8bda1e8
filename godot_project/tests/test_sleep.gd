extends "res://tests/suite.gd"
## Rigs of skeletons that nobody sees, with [member TendonRig2D.skip_when_invisible].

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
	figure.skeleton.visible = false
	figure.target.global_position = ELSEWHERE
	var asleep: PackedFloat32Array = figure.pose()
	await physics_frames(3)
	equal(figure.pose(), asleep, "nothing moves while asleep")


func _sleeper() -> Figure:
	var figure: Figure = Figure.new([30, 25], POSE)
	figure.fabrik()
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.rig.skip_when_invisible = true
	add_child(figure.stage)
	figure.target.global_position = NEAR
	return figure
