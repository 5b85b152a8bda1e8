extends SceneTree
## Commits every kind of fault in [code]fault_kinds.gd[/code] on live rigs, at every moment of a
## pass, and repairs them.
##
## [code]godot --headless --fixed-fps 60 --path godot_project --script res://tests/faults.gd
## [-- SEED [NUMBER]][/code]
##
## After each fault, nothing may have crashed or panicked, nothing may have been logged twice,
## and another rig must solve as before. Once the fault is repaired, the rig must solve to the
## last bit as it did before. Without SEED, every run takes another one. With NUMBER, only that
## fault is repeated, and everything logged is shown.

const Bed := preload("res://tests/fault_bed.gd")
const Kinds := preload("res://tests/fault_kinds.gd")
const LogRecorder := preload("res://tests/log_recorder.gd")

const FAULTS: int = 11_000
const MOMENTS: PackedStringArray = [
	"between passes",
	"while the pass writes",
	"in target_reached",
	"in target_lost",
	"in modification_processed",
	"in bone_setup_changed",
	"while the rig switches off",
	"while the pose is restored",
	"while the rig leaves",
	"in tree_exiting",
	"in a script",
]
## Faults after which there is no rig that could hold the bones.
const ENDING: PackedStringArray = ["free rig", "queue rig", "remove rig", "toggle and free"]
## Faults that give no bone another base pose.
const SPARING: PackedStringArray = [
	"wire anything",
	"wire to another character",
	"advance again",
	"restore again",
	"toggle",
	"switch off and advance",
	"set another mode",
	"emit by hand",
	"advance another rig",
]
const LEAVING: PackedStringArray = ["while the rig leaves", "in tree_exiting"]
## What the engine itself says of some faults.
const FORGIVEN: PackedStringArray = [
	"freed or unreferenced while a signal",
	'Condition "det == 0" is true',
	"is out of bounds",
	"CANVAS_ITEM_Z_M",
	"CLIP_CHILDREN_MAX",
	"cannot be negative",
	"locked",
	# Godot 4.6 does not enter nodes into a thread group that are far below its first node.
	'Condition "!found" is true',
	# A value of another type, or that is none of the enumeration's.
	"function call failed: Tendon",
]
const MOST_FAILURES: int = 20

var _seed: int = 0
var _number: int = 0
var _watch: LogRecorder = LogRecorder.new()
var _kinds: Kinds = Kinds.new()
var _random: RandomNumberGenerator = RandomNumberGenerator.new()
var _control: Bed
# Where its target is.
var _control_point: int = 1
var _bed: Bed
var _counts: Dictionary[String, int] = {}
var _failures: int = 0
var _committed: bool = false
var _about: String = ""


func _initialize() -> void:
	var words: PackedStringArray = OS.get_cmdline_user_args()
	_seed = words[0].to_int() if words.size() > 0 else int(Time.get_unix_time_from_system())
	print("Seed %d" % _seed)
	# Without a window the engine would sleep in each frame.
	OS.low_processor_usage_mode_sleep_usec = 1
	_watch.start()
	await process_frame
	_control = Bed.new(Bed.PLANS.size() - 1, root)
	var beds: Array[Bed] = []
	for plan: int in Bed.PLANS.size():
		beds.append(Bed.new(plan, root))
		_expect(
			beds[-1].status() == TendonFABRIK2D.STATUS_REACHED,
			"a healthy bed misses: " + beds[-1].plan
		)
	_check_log("healthy beds")
	var numbers: Array = range(FAULTS) if words.size() < 2 else [words[1].to_int()]
	for number: int in numbers:
		_number = number
		_bed = beds[number % beds.size()]
		await _fault()
		if _failures >= MOST_FAILURES:
			break
	for bed: Bed in beds + [_control]:
		bed.free_all()
	_report()
	_watch.stop()
	quit()


func _fault() -> void:
	var names: PackedStringArray = Kinds.names()
	# The characters change faster than the kinds, so that each kind is tried on each of them.
	var kind: String = names[(_number / Bed.PLANS.size()) % names.size()]
	_random.seed = hash([_seed, _number])
	var moment: String = MOMENTS[_random.randi() % MOMENTS.size()]
	if kind in Kinds.SLOW_DEEDS or (moment in LEAVING and not Kinds.is_mild(kind)):
		moment = MOMENTS[0]
	_about = "%s, %s, %s" % [kind, moment, _bed.plan]
	_counts[kind] = _counts.get(kind, 0) + 1
	# In case that it is the last.
	print("%d: %s" % [_number, _about])
	_kinds.tree = self
	_kinds.bed = _bed
	_kinds.other = _control
	_kinds.random = _random
	_committed = false
	_watch.clear()
	_bed.rig().callback_mode_process = _random.randi() % 3
	await _strike(moment, _commit.bind(kind))
	for count: int in 3:
		_bed.advance()
	await process_frame
	await process_frame
	_bed.advance()
	_check_log("the fault")
	if kind in SPARING:
		_bed.rig().active = false
	if kind in ENDING or kind in SPARING:
		_expect(_bed.pose() == _bed.base_pose(), "the rig has not let go")
	_check_control()
	_check_recovery()


func _commit(kind: String) -> void:
	if not _committed:
		_committed = true
		await _kinds.commit(kind)


func _strike(moment: String, deed: Callable) -> void:
	var bone: int = _random.randi() % 7
	match moment:
		"while the pass writes":
			_bed.solve(0)
			_bed.arm(bone, deed)
			_bed.solve(1)
		"in target_reached":
			_bed.aim_and_advance(Bed.FAR)
			_hear(_bed.part(_bed.main), "target_reached", deed)
			_bed.solve(0)
		"in target_lost":
			_bed.solve(0)
			_hear(_bed.part(_bed.main), "target_lost", deed)
			_bed.aim_and_advance(Bed.FAR)
		"in modification_processed":
			_hear(_bed.rig(), "modification_processed", deed)
			_bed.solve(1)
		"in bone_setup_changed":
			_hear(_bed.part(&"Skeleton"), "bone_setup_changed", deed)
			_bed.part(&"Bone0").add_child(Bone2D.new())
			_bed.solve(1)
		"while the rig switches off":
			_bed.solve(0)
			_bed.arm(bone, deed)
			_bed.rig().active = false
		"while the pose is restored":
			_bed.solve(0)
			_bed.arm(bone, deed)
			_bed.rig().restore_pose()
		"while the rig leaves":
			_bed.solve(0)
			_bed.arm(bone, deed)
			_leave()
		"in tree_exiting":
			_bed.solve(0)
			_hear(_bed.part(_bed.main), "tree_exiting", deed)
			_leave()
		"in a script":
			_kinds.emitter = _bed.arm_script(deed)
			_bed.solve(1)
	_kinds.emitter = null
	# Where the moment did not come.
	await deed.call()


func _hear(emitter: Node, heard: String, deed: Callable) -> void:
	_kinds.emitter = emitter
	emitter.connect(heard, deed, CONNECT_ONE_SHOT)


func _leave() -> void:
	_bed.rig().get_parent().remove_child(_bed.rig())


func _check_log(about: String) -> void:
	var seen: Dictionary[String, bool] = {}
	for line: String in _watch.take(true):
		if "Tendon" in line:
			_expect(not line in seen, "%s, logged twice: %s" % [about, line])
			seen[line] = true
	for line: String in _watch.take(false):
		var forgiven: bool = false
		for fragment: String in FORGIVEN:
			forgiven = forgiven or fragment in line
		_expect(forgiven, "%s, logged: %s" % [about, line])


func _check_control() -> void:
	_expect(_control.pose() == _control.solved[_control_point], "the other rig has moved")
	_control_point = 1 - _control_point
	_control.solve_anew(_control_point)
	var pose: PackedFloat32Array = _control.pose()
	_expect(pose == _control.solved[_control_point], "the other rig solves otherwise")


func _check_recovery() -> void:
	_bed.mend()
	_watch.clear()
	var point: int = _random.randi() % Bed.POINTS.size()
	_bed.solve_anew(point)
	_expect(_bed.pose() == _bed.solved[point], "mended, it solves otherwise")
	var reached: bool = _bed.status() == TendonFABRIK2D.STATUS_REACHED
	_expect(reached, "mended, its status is %d" % _bed.status())
	_bed.rig().active = false
	_expect(_bed.pose() == _bed.base_pose(), "mended, the base pose is another one")
	_bed.rig().active = true
	_bed.solve(point)
	_check_log("after mending")


func _expect(right: bool, otherwise: String) -> void:
	if not right:
		_failures += 1
		print("FAIL fault %d (%s): %s" % [_number, _about, otherwise])
		print("     again: -- %d %d" % [_seed, _number])


func _report() -> void:
	var total: int = 0
	for kind: String in _counts:
		print("%6d  %s" % [_counts[kind], kind])
		total += _counts[kind]
	var figures: Array = [total, _counts.size(), _failures, _seed]
	print("FAULTS: %d of %d kinds, %d failed, seed %d" % figures)
