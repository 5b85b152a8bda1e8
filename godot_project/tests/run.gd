extends SceneTree
## Runs every test: each method [code]test_*[/code] of each suite [code]test_*.gd[/code] here.
##
## [code]godot --headless --path godot_project --script res://tests/run.gd [-- FILTER][/code]
## There may be several. Only tests run whose "bases/suite.method" contains one of them, and none
## that contains what follows a minus sign. The bases are the scripts that the suite extends: those
## of [code]editor_suite[/code] start an editor. A test fails when a check of it does, when it logs
## an error, when it does not end, or when it leaves nodes behind.

const Suite := preload("res://tests/suite.gd")
const LogRecorder := preload("res://tests/log_recorder.gd")

const FOLDER: String = "res://tests"
## Fewer than a machine makes that does nothing else.
const FRAMES_IN_A_SECOND: float = 600.0

var _queue: Array[Dictionary] = []
var _current: Dictionary = {}
var _suite: Suite
var _log: LogRecorder = LogRecorder.new()
var _finished: bool = false
var _deadline: float = 0.0
var _last_frame: int = 0
var _orphans: int = 0
# Still set at the next step if an error ended the last one.
var _stepping: bool = false
var _counts: Dictionary[String, Vector2i] = {}


func _initialize() -> void:
	_log.start()
	var words: PackedStringArray = OS.get_cmdline_user_args()
	for file: String in DirAccess.get_files_at(FOLDER):
		if file.begins_with("test_") and file.ends_with(".gd"):
			_enqueue(file.get_basename(), words)
	if not _log.errors.is_empty():
		_fail("run", "loading", _log.errors[0])
	_orphans = _count_orphans()


func _finalize() -> void:
	_log.stop()


func _process(_delta: float) -> bool:
	if _stepping:
		_fail("run", "step", "an error in the runner itself")
		_queue.clear()
		_summarize()
		return true
	_stepping = true
	var is_over: bool = _step()
	_stepping = false
	return is_over


func _step() -> bool:
	if _suite != null:
		if _finished or _is_late():
			_conclude()
		return false
	if not _current.is_empty():
		_check_for_leftovers()
	if _queue.is_empty():
		_summarize()
		return true
	_current = _queue.pop_front()
	_start()
	return false


func _enqueue(suite: String, filters: PackedStringArray) -> void:
	var script: GDScript = load(FOLDER.path_join(suite + ".gd"))
	if script == null or not script.can_instantiate():
		_fail(suite, "loading", "this suite does not compile")
		return
	var bases: PackedStringArray = []
	var base: Script = script.get_base_script()
	while base != null:
		bases.append(base.resource_path.get_file().get_basename())
		base = base.get_base_script()
	for method: Dictionary in script.get_script_method_list():
		var title: String = "%s/%s.%s" % ["/".join(bases), suite, method["name"]]
		var is_test: bool = str(method["name"]).begins_with("test_")
		if is_test and _is_asked_for(title, filters):
			_queue.append({"suite": suite, "test": method["name"], "script": script})


func _is_asked_for(title: String, filters: PackedStringArray) -> bool:
	var is_in: bool = Array(filters).all(func(each: String) -> bool: return each.begins_with("-"))
	for each: String in filters:
		if each.begins_with("-") and each.trim_prefix("-") in title:
			return false
		is_in = is_in or each in title
	return is_in


func _start() -> void:
	_log.clear()
	_finished = false
	_suite = _current["script"].new()
	_suite.name = "Suite"
	_suite.log_recorder = _log
	root.add_child(_suite)
	var patience: float = _suite.patience * Suite.slowness()
	_deadline = Time.get_ticks_msec() + 1000.0 * patience
	_last_frame = Engine.get_process_frames() + int(FRAMES_IN_A_SECOND * patience)
	_run_to_end(_suite, _current["test"])


## Whether a test has taken too long. On a machine that does other work it may take any time: it has
## to have had its frames, too.
func _is_late() -> bool:
	return Time.get_ticks_msec() >= _deadline and Engine.get_process_frames() >= _last_frame


func _run_to_end(suite: Suite, test: StringName) -> void:
	# Every test starts at the same point of a frame: before the nodes are processed.
	await process_frame
	if await suite.call("prepare"):
		await suite.call(test)
	# A test that ran out of time may still end later.
	_finished = suite == _suite


func _conclude() -> void:
	var problems: PackedStringArray = _suite.failures
	if not _finished:
		problems.append("did not end")
	elif _suite.check_count == 0:
		problems.append("checked nothing")
	for line: String in _suite.unexpected():
		problems.append("logged: " + line)
	for problem: String in problems:
		_current["failed"] = true
		print("FAIL %s.%s: %s" % [_current["suite"], _current["test"], problem])
	_suite.free()
	_suite = null


## One frame later, when all that was queued for deletion is gone.
func _check_for_leftovers() -> void:
	var orphans: int = _count_orphans()
	if orphans > _orphans:
		_current["failed"] = true
		var title: Array = [_current["suite"], _current["test"], orphans - _orphans]
		print("FAIL %s.%s: left %d orphans" % title)
	_orphans = orphans
	var suite: String = _current["suite"]
	_count(suite, not _current.has("failed"))
	_current = {}
	if _queue.is_empty() or _queue[0]["suite"] != suite:
		var counts: Vector2i = _counts[suite]
		print("%s  %s (%d)" % ["ok" if counts.y == 0 else "FAIL", suite, counts.x + counts.y])


func _count_orphans() -> int:
	return int(Performance.get_monitor(Performance.OBJECT_ORPHAN_NODE_COUNT))


func _fail(suite: String, test: String, message: String) -> void:
	print("FAIL %s.%s: %s" % [suite, test, message])
	_count(suite, false)


func _count(suite: String, passed: bool) -> void:
	_counts[suite] = _counts.get(suite, Vector2i.ZERO) + Vector2i(int(passed), int(not passed))


func _summarize() -> void:
	var total: Vector2i = Vector2i.ZERO
	for suite: String in _counts:
		total += _counts[suite]
	print("IN-ENGINE: %d passed, %d failed" % [total.x, total.y])
	quit(0 if total.y == 0 and total.x > 0 else 1)
