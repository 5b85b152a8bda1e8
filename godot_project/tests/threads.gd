extends SceneTree
## A rig that is called on another thread does nothing but say so, unless it is not in the tree.
## What another thread frees meanwhile harms no rig: see [code]freed_elsewhere.gd[/code].

const Figure := preload("res://tests/figure.gd")
const FreedElsewhere := preload("res://tests/freed_elsewhere.gd")
const LogRecorder := preload("res://tests/log_recorder.gd")

const POSE: Array[float] = [0.4, -0.7]
const POINT: Vector2 = Vector2(-20, 40)
const WORKERS: int = 4
## Scenes that each of them makes.
const SCENES: int = 500
## Scenes that the main thread takes in a frame at most.
const MOST_TAKEN: int = 20
## Scenes that wait for it at most, or nearly so.
const MOST_WAITING: int = 40

var _wrong: PackedStringArray = []
var _mutex: Mutex = Mutex.new()
## What workers have made and the main thread has not yet taken.
var _made: Array[Node] = []


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
	await _load_while_frames_run()
	var freed: FreedElsewhere = FreedElsewhere.new(self)
	await freed.run()
	_wrong.append_array(freed.wrong)
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


## As games load their levels: workers make scenes with rigs and free some of them, while the main
## thread solves others and runs frames.
func _load_while_frames_run() -> void:
	var scene: PackedScene = _pack()
	var workers: Array[Thread] = []
	for index: int in WORKERS:
		workers.append(Thread.new())
		workers[index].start(_work.bind(scene))
	var solved: int = 0
	var frame_count: int = 0
	while (
		workers.any(func(worker: Thread) -> bool: return worker.is_alive()) or not _made.is_empty()
	):
		for stage: Node in _take():
			root.add_child(stage)
			var rig: TendonRig2D = stage.get_node("Skeleton/Rig")
			var target: Node2D = stage.get_node("Target")
			target.global_position = (stage.get_node("Skeleton") as Node2D).to_global(POINT)
			rig.advance(0.0)
			var end: Vector2 = Figure.axis_end(stage.find_child("Bone1", true, false))
			_check(end.distance_to(target.global_position) < 0.01, "a scene that misses")
			solved += 1
			stage.queue_free()
		frame_count += 1
		await process_frame
	for worker: Thread in workers:
		worker.wait_to_finish()
	_check(solved == WORKERS * SCENES, "%d scenes solved" % solved)
	_check(frame_count >= WORKERS * SCENES / MOST_TAKEN, "%d frames ran meanwhile" % frame_count)
	print("THREADS: %d scenes in %d frames" % [solved, frame_count])


func _take() -> Array[Node]:
	_mutex.lock()
	var taken: Array[Node] = _made.slice(0, MOST_TAKEN)
	_made = _made.slice(MOST_TAKEN)
	_mutex.unlock()
	return taken


## On another thread: makes scenes, a copy of each, and frees one of the two.
func _work(scene: PackedScene) -> void:
	for count: int in SCENES:
		var stage: Node = scene.instantiate()
		var copy: Node = stage.duplicate()
		var rig: TendonRig2D = copy.get_node("Skeleton/Rig")
		rig.influence = 0.5
		rig.influence = 1.0
		stage.free()
		_mutex.lock()
		_made.append(copy)
		var is_ahead: bool = _made.size() > MOST_WAITING
		_mutex.unlock()
		if is_ahead:
			OS.delay_msec(5)


func _pack() -> PackedScene:
	var figure: Figure = _make()
	figure.rig.active = true
	return figure.pack()


func _make() -> Figure:
	var figure: Figure = Figure.new([30, 25], POSE)
	figure.fabrik()
	figure.rig.active = false
	return figure


func _check(condition: bool, otherwise: String) -> void:
	if not condition:
		_wrong.append(otherwise)
