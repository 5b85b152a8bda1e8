extends SceneTree
## A rig on another thread does nothing but say so, and recovers on the main one. Only for a
## release build: gdext's own checks, which a debug build has, panic first.

const Figure := preload("res://tests/figure.gd")
const LogWatch := preload("res://tests/log_watch.gd")

const POSE: Array[float] = [0.4, -0.7]
const POINT: Vector2 = Vector2(-20, 40)

var _wrong: PackedStringArray = []


func _initialize() -> void:
	var watch: LogWatch = LogWatch.new()
	watch.start()
	await process_frame
	var figure: Figure = Figure.new([30, 25], POSE)
	figure.fabrik()
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.rig.process_thread_group = Node.PROCESS_THREAD_GROUP_SUB_THREAD
	root.add_child(figure.stage)
	figure.target.global_position = POINT
	await _frames(5)
	_check(figure.pose() == PackedFloat32Array(POSE), "solved on another thread")
	figure.rig.process_thread_group = Node.PROCESS_THREAD_GROUP_INHERIT
	await _frames(2)
	_check(figure.gap() < 0.01, "not solved on the main thread again")
	var solved: PackedFloat32Array = figure.pose()
	for meddle: Callable in [figure.rig.restore_pose, figure.rig.set.bind(&"active", false)]:
		var thread: Thread = Thread.new()
		thread.start(meddle)
		thread.wait_to_finish()
	_check(figure.rig.active and figure.pose() == solved, "let go on another thread")
	var warnings: PackedStringArray = watch.take(true)
	if watch.can_hear():
		_check(warnings.size() == 1 and "main thread only" in warnings[0], str(warnings))
	watch.stop()
	figure.stage.free()
	for what: String in _wrong:
		printerr(what)
	print("THREADS: %d wrong" % _wrong.size())
	quit()


func _frames(count: int) -> void:
	for frame: int in count:
		await process_frame


func _check(condition: bool, otherwise: String) -> void:
	if not condition:
		_wrong.append(otherwise)
