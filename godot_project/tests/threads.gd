extends SceneTree
## A rig that is called on another thread does nothing but say so, unless it is not in the tree.
## A debug build is only as far as gdext's own checks let it: scripts/build has them pass.

const Figure := preload("res://tests/figure.gd")
const LogRecorder := preload("res://tests/log_recorder.gd")

const POSE: Array[float] = [0.4, -0.7]
const POINT: Vector2 = Vector2(-20, 40)

var _wrong: PackedStringArray = []


func _initialize() -> void:
	var recorder: LogRecorder = LogRecorder.new()
	recorder.start()
	await process_frame
	var figure: Figure = Figure.new([30, 25], POSE)
	figure.fabrik()
	root.add_child(figure.stage)
	figure.solve(POINT)
	_check(figure.gap() < 0.01, "not solved on the main thread")
	var solved: PackedFloat32Array = figure.pose()
	figure.target.global_position = -POINT
	for call: Callable in [
		figure.rig.restore_pose,
		figure.rig.set.bind(&"active", false),
		figure.rig.advance.bind(0.0),
	]:
		var thread: Thread = Thread.new()
		thread.start(call)
		thread.wait_to_finish()
	_check(figure.rig.active and figure.pose() == solved, "let go on another thread")
	var warnings: PackedStringArray = recorder.take(true)
	if recorder.can_hear():
		_check(warnings.size() == 1 and "call_deferred" in warnings[0], str(warnings))
	figure.solve()
	_check(figure.gap() < 0.01, "not solved on the main thread again")
	recorder.stop()
	figure.stage.free()
	await _load_in_the_background()
	for what: String in _wrong:
		printerr(what)
	print("THREADS: %d wrong" % _wrong.size())
	quit()


## Setting up what is not in the tree yet is another thread's good right.
func _load_in_the_background() -> void:
	var thread: Thread = Thread.new()
	thread.start(_make)
	var figure: Figure = thread.wait_to_finish()
	_check(not figure.rig.active, "a property set on another thread is lost")
	root.add_child(figure.stage)
	figure.solve(POINT)
	_check(figure.pose() == PackedFloat32Array(POSE), "solved although it is off")
	figure.rig.active = true
	figure.solve(POINT)
	_check(figure.gap() < 0.01, "made on another thread and not solved")
	figure.stage.free()


func _make() -> Figure:
	var figure: Figure = Figure.new([30, 25], POSE)
	figure.fabrik()
	figure.rig.active = false
	return figure


func _check(condition: bool, otherwise: String) -> void:
	if not condition:
		_wrong.append(otherwise)
