extends SceneTree
## Commits every kind of fault in [code]fault_kinds.gd[/code] on live rigs, at every moment of a
## pass, and repairs them.
##
## [code]godot --headless --fixed-fps 60 --path godot_project --script res://tests/faults.gd
## [-- SEED [NUMBER]] [-WORD][/code]
##
## After each fault, nothing may have crashed or panicked, nothing may have been logged twice,
## and another rig must solve as before. Once the fault is repaired, the rig must solve to the
## last bit as it did before. Without SEED, every run takes another one. With NUMBER, only that
## fault is repeated, and everything logged is shown. Kinds with WORD in their names are left out.

const FaultCharacter := preload("res://tests/fault_character.gd")
const Kinds := preload("res://tests/fault_kinds.gd")
const Fall := preload("res://tests/fault_fall.gd")
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
## Those of a body that is let go, besides.
const FALLING: PackedStringArray = [
	"while it falls",
	"while it gets up",
	"in hit",
	"in settled",
	"in recovered",
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
	# A copy of nodes of which some refer to what is in no tree.
	'Parameter "common_parent" is null',
	# A value of another type, or that is none of the enumeration's.
	"function call failed: Tendon",
	"is not a CollisionShape2D",
	# A script asks for a copy of a bone that was made during the pass.
	"with a bone that is not one of this rig's skeleton",
	"get_base_rotation()",
]
const MOST_FAILURES: int = 20

var _seed: int = 0
var _number: int = 0
var _watch: LogRecorder = LogRecorder.new()
var _kinds: Kinds = Kinds.new()
var _random: RandomNumberGenerator = RandomNumberGenerator.new()
var _control: FaultCharacter
# Where its target is.
var _control_point: int = 1
var _character: FaultCharacter
var _counts: Dictionary[String, int] = {}
var _failures: int = 0
var _committed: bool = false
var _about: String = ""


func _initialize() -> void:
	var words: Array = OS.get_cmdline_user_args()
	var left_out: Array = words.filter(func(word: String) -> bool: return word.begins_with("-"))
	words = words.filter(func(word: String) -> bool: return not word.begins_with("-"))
	_seed = int(words[0]) if words.size() > 0 else int(Time.get_unix_time_from_system())
	print("Seed %d" % _seed)
	# Without a window the engine would sleep in each frame.
	OS.low_processor_usage_mode_sleep_usec = 1
	_watch.start()
	await process_frame
	_control = FaultCharacter.new(FaultCharacter.PLANS.size() - 1, root)
	var characters: Array[FaultCharacter] = []
	for plan: int in FaultCharacter.PLANS.size():
		characters.append(FaultCharacter.new(plan, root))
		_expect(
			characters[-1].status() == TendonFABRIK2D.STATUS_REACHED,
			"a healthy character misses: " + characters[-1].plan
		)
	_check_log("healthy characters")
	var numbers: Array = range(FAULTS) if words.size() < 2 else [int(words[1])]
	for number: int in numbers:
		var kind: String = _kind_of(number)
		if left_out.any(func(word: String) -> bool: return word.trim_prefix("-") in kind):
			continue
		_number = number
		_character = characters[number % characters.size()]
		await _fault()
		if _failures >= MOST_FAILURES:
			break
	for character: FaultCharacter in characters + [_control]:
		character.free_all()
	_report()
	_watch.stop()
	quit()


## The characters change faster than the kinds, so that each kind is tried on each of them.
func _kind_of(number: int) -> String:
	var names: PackedStringArray = Kinds.names()
	return names[(number / FaultCharacter.PLANS.size()) % names.size()]


func _fault() -> void:
	var kind: String = _kind_of(_number)
	_random.seed = hash([_seed, _number])
	var falls: bool = "ragdoll" in _character.plan
	var moments: PackedStringArray = MOMENTS + FALLING if falls else MOMENTS
	var moment: String = moments[_random.randi() % moments.size()]
	if kind in Kinds.SLOW_ACTIONS or (moment in LEAVING and not Kinds.is_mild(kind)):
		moment = MOMENTS[0]
	_about = "%s, %s, %s" % [kind, moment, _character.plan]
	_counts[kind] = _counts.get(kind, 0) + 1
	# In case that it is the last.
	print("%d: %s" % [_number, _about])
	_kinds.tree = self
	_kinds.character = _character
	_kinds.other = _control
	_kinds.random = _random
	_committed = false
	_watch.clear()
	_character.rig().callback_mode_process = _random.randi() % 3
	var fall: Fall = Fall.new(self, _character)
	if moment in FALLING:
		fall.let_go(_random)
		await _strike_falling(moment, _commit.bind(kind), fall)
	else:
		await _strike(moment, _commit.bind(kind))
	for count: int in 3:
		_character.advance()
	await process_frame
	await process_frame
	_character.advance()
	_kinds.finish()
	fall.finish()
	_check_log("the fault")
	if kind in SPARING:
		_character.rig().active = false
	if kind in ENDING or kind in SPARING:
		_expect(_character.pose() == _character.base_pose(), "the rig has not let go")
	_check_control()
	_check_recovery()


func _commit(kind: String) -> void:
	if not _committed:
		_committed = true
		await _kinds.commit(kind)


func _strike(moment: String, action: Callable) -> void:
	var bone: int = _random.randi() % 7
	match moment:
		"while the pass writes":
			_character.solve(0)
			_character.arm(bone, action)
			_character.solve(1)
		"in target_reached":
			_character.aim_and_advance(FaultCharacter.FAR)
			_hear(_character.part(_character.main), "target_reached", action)
			_character.solve(0)
		"in target_lost":
			_character.solve(0)
			_hear(_character.part(_character.main), "target_lost", action)
			_character.aim_and_advance(FaultCharacter.FAR)
		"in modification_processed":
			_hear(_character.rig(), "modification_processed", action)
			_character.solve(1)
		"in bone_setup_changed":
			_hear(_character.part(&"Skeleton"), "bone_setup_changed", action)
			_character.part(&"Bone0").add_child(Bone2D.new())
			_character.solve(1)
		"while the rig switches off":
			_character.solve(0)
			_character.arm(bone, action)
			_character.rig().active = false
		"while the pose is restored":
			_character.solve(0)
			_character.arm(bone, action)
			_character.rig().restore_pose()
		"while the rig leaves":
			_character.solve(0)
			_character.arm(bone, action)
			_leave()
		"in tree_exiting":
			_character.solve(0)
			_hear(_character.part(_character.main), "tree_exiting", action)
			_leave()
		"in a script":
			_kinds.emitter = _character.arm_script(action)
			_character.solve(1)
	_kinds.emitter = null
	# Where the moment did not come.
	await action.call()


func _strike_falling(moment: String, action: Callable, fall: Fall) -> void:
	match moment:
		"while it falls":
			await fall.play(_random.randi() % 30)
		"while it gets up":
			await fall.play(_random.randi() % 60)
			fall.ragdoll_of().stop()
			await fall.play(_random.randi() % 20)
		_:
			_kinds.emitter = fall.ragdoll_of()
			await fall.play_until(moment.trim_prefix("in "), action)
	_kinds.emitter = null
	await action.call()
	await fall.play(3)


func _hear(emitter: Node, heard: String, action: Callable) -> void:
	_kinds.emitter = emitter
	emitter.connect(heard, action, CONNECT_ONE_SHOT)


func _leave() -> void:
	_character.rig().get_parent().remove_child(_character.rig())


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
	_character.repair()
	_watch.clear()
	var point: int = _random.randi() % FaultCharacter.POINTS.size()
	_character.solve_anew(point)
	_expect(_character.pose() == _character.solved[point], "repaired, it solves otherwise")
	var reached: bool = _character.status() == TendonFABRIK2D.STATUS_REACHED
	_expect(reached, "repaired, its status is %d" % _character.status())
	_character.rig().active = false
	_expect(_character.pose() == _character.base_pose(), "repaired, the base pose is another one")
	_character.rig().active = true
	_character.solve(point)
	_check_log("after repairing")


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
