extends Node
## The base of all suites: the checks, and the parent of the nodes that a test makes.

const Figure := preload("res://tests/figure.gd")
const LogRecorder := preload("res://tests/log_recorder.gd")

## In the warning of a property that was set to NaN or infinity. Each is told of once in a run.
const REFUSAL: String = "was not set: the number is not finite"
## In the warning of a modifier that cannot be solved for now.
const INVALID: String = "This modifier leaves its bones alone until it is a number again"
## In the warning of a modifier that is not below a rig.
const NO_RIG: String = "Move this node below a TendonRig2D"
## In that of a modifier whose work another one undoes.
const OVERRIDDEN: String = "below turns the same bones in the same way"
const PARTLY_OVERRIDDEN: String = "again, towards another target"
## Seconds between two passes of a rig that settles.
const TICK: float = 1.0 / 60
## Seconds in which a rig has come to rest.
const PATIENCE_TO_SETTLE: float = 2.0
## Seconds without a change after which a rig is at rest. One that is stuck tries other poses
## meanwhile, and does not move until one is better.
const STILL: float = 0.5

var failures: PackedStringArray = []
var check_count: int = 0
var log_recorder: LogRecorder
## Seconds after which a test that waits for something fails.
var patience: float = 30.0


## How many times as long everything may take: an emulated processor is slow.
static func slowness() -> float:
	return 1.0 if OS.get_environment("TENDON_ENGINE").is_empty() else 10.0


## The program of this engine. An emulated one would start without its emulator: who emulates it
## names another program.
static func engine() -> String:
	var given: String = OS.get_environment("TENDON_ENGINE")
	return OS.get_executable_path() if given.is_empty() else given


## Called before each test. Whether it can run here.
func prepare() -> bool:
	return true


func check(condition: bool, message: String) -> void:
	check_count += 1
	if not condition:
		failures.append(message)


## The same value, to the last bit.
func equal(actual: Variant, expected: Variant, message: String) -> void:
	check(actual == expected, "%s: %s, not %s" % [message, str(actual), str(expected)])


func near(actual: float, expected: float, tolerance: float, message: String) -> void:
	var text: String = "%s: %s, not %s (within %s)" % [message, actual, expected, tolerance]
	check(absf(actual - expected) <= tolerance, text)


func near_angle(actual: float, expected: float, tolerance: float, message: String) -> void:
	near(angle_difference(expected, actual), 0.0, tolerance, message)


func near_point(actual: Vector2, expected: Vector2, tolerance: float, message: String) -> void:
	var text: String = "%s: %s, not %s (within %s)" % [message, actual, expected, tolerance]
	check(actual.distance_to(expected) <= tolerance, text)


## The tip of [param figure]'s chain is at its target, to 1e-4 of the chain's reach.
func reaches(figure: Figure, message: String) -> void:
	var gap: float = figure.gap()
	var most: float = 1e-4 * figure.reach()
	check(gap <= most, "%s: misses by %s (of %s)" % [message, gap, most])


## Runs passes until [param figure] is at rest. It has [constant PATIENCE_TO_SETTLE] for that.
func settle(figure: Figure, message: String) -> void:
	var time: float = 0.0
	var moved: float = 0.0
	var before: Array = []
	while time - moved < STILL and moved <= PATIENCE_TO_SETTLE:
		figure.rig.advance(TICK)
		time += TICK
		var now: Array = figure.skeleton.find_children("*", "Bone2D", true, false).map(
			_transform_of
		)
		if now != before:
			moved = time
		before = now
	check(moved <= PATIENCE_TO_SETTLE, message + ": does not come to rest")


## Everything logged as a warning since the last call: one for each of [param fragments], in any
## order, which it contains.
func expect_warnings(fragments: PackedStringArray, message: String) -> void:
	_expect(log_recorder.take(true), fragments, message + ", warnings")


## The same for errors. Those that are not expected fail the test.
func expect_errors(fragments: PackedStringArray, message: String) -> void:
	_expect(log_recorder.take(false), fragments, message + ", errors")


## Forgets errors and warnings that contain one of [param fragments]: they may come or not.
func forgive(fragments: PackedStringArray) -> void:
	for are_warnings: bool in [false, true]:
		for message: String in log_recorder.take(are_warnings):
			var is_forgiven: bool = false
			for fragment: String in fragments:
				is_forgiven = is_forgiven or fragment in message
			if not is_forgiven:
				log_recorder.add(are_warnings, message)


## What was logged and not expected. Only Tendon's own warnings count.
func unexpected() -> PackedStringArray:
	var found: PackedStringArray = log_recorder.take(false)
	for warning: String in log_recorder.take(true):
		if "Tendon" in warning:
			found.append(warning)
	return found


## The classes that the extension adds to the engine, as the engine lists them.
static func extension_classes() -> PackedStringArray:
	var found: PackedStringArray = []
	for kind: String in ClassDB.get_class_list():
		var api: ClassDB.APIType = ClassDB.class_get_api_type(kind)
		if api == ClassDB.API_EXTENSION or api == ClassDB.API_EDITOR_EXTENSION:
			found.append(kind)
	return found


## The classes of all modifiers: what has a status.
static func modifier_classes() -> PackedStringArray:
	var found: PackedStringArray = []
	for kind: String in extension_classes():
		if ClassDB.class_has_method(kind, "get_status", true):
			found.append(kind)
	return found


## A modifier of every kind.
func one_of_each() -> Array[Node]:
	var modifiers: Array[Node] = []
	for kind: String in modifier_classes():
		modifiers.append(ClassDB.instantiate(kind))
	return modifiers


## A modifier of every kind that reaches for a target.
func one_of_each_that_reaches() -> Array[Node]:
	var modifiers: Array[Node] = []
	for modifier: Node in one_of_each():
		if "target" in modifier:
			modifiers.append(modifier)
		else:
			modifier.free()
	return modifiers


## Waits until the nodes have been processed [param count] times.
func frames(count: int = 1) -> void:
	for frame: int in count:
		await get_tree().process_frame


## The same for physics. The first wait is for the beginning of a physics frame.
func physics_frames(count: int = 1) -> void:
	await get_tree().physics_frame
	for frame: int in count:
		await get_tree().physics_frame


func _transform_of(bone: Bone2D) -> Transform2D:
	return bone.transform


func _expect(logged: PackedStringArray, fragments: PackedStringArray, message: String) -> void:
	if not log_recorder.can_hear():
		return
	var left: PackedStringArray = logged.duplicate()
	for fragment: String in fragments:
		for index: int in left.size():
			if fragment in left[index]:
				left.remove_at(index)
				break
	var complete: bool = logged.size() == fragments.size() and left.is_empty()
	check(complete, "%s: %s, not %s" % [message, logged, fragments])


## Whether a script needs a class that the library of games does not have, which is loaded.
func needs_editor_library(script: String) -> bool:
	for kind: String in ["TendonSkin", "TendonParts"]:
		if kind in script and not ClassDB.class_exists(kind):
			return true
	return false
