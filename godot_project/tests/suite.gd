extends Node
## What all suites share: the checks, and a place in the tree for what a test builds.

const Figure := preload("res://tests/figure.gd")
const LogWatch := preload("res://tests/log_watch.gd")

var failures: PackedStringArray = []
var check_count: int = 0
var log_watch: LogWatch
## Seconds after which a test that awaits something is given up.
var patience: float = 30.0


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


## Everything logged as a warning since the last call: one for each of [param fragments], in any
## order, which it contains.
func expect_warnings(fragments: PackedStringArray, message: String) -> void:
	_expect(log_watch.take(true), fragments, message + ", warnings")


## The same for errors. Those that are not expected fail the test.
func expect_errors(fragments: PackedStringArray, message: String) -> void:
	_expect(log_watch.take(false), fragments, message + ", errors")


## Forgets errors and warnings that contain one of [param fragments]: they may come or not.
func forgive(fragments: PackedStringArray) -> void:
	for are_warnings: bool in [false, true]:
		for message: String in log_watch.take(are_warnings):
			var is_forgiven: bool = false
			for fragment: String in fragments:
				is_forgiven = is_forgiven or fragment in message
			if not is_forgiven:
				log_watch.add(are_warnings, message)


## What was logged and not expected. Warnings matter if they are Tendon's.
func unexpected() -> PackedStringArray:
	var found: PackedStringArray = log_watch.take(false)
	for warning: String in log_watch.take(true):
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


## Waits until the nodes have been processed [param count] times.
func frames(count: int = 1) -> void:
	for frame: int in count:
		await get_tree().process_frame


## The same for physics. The first wait is for the beginning of a physics frame.
func physics_frames(count: int = 1) -> void:
	await get_tree().physics_frame
	for frame: int in count:
		await get_tree().physics_frame


func _expect(logged: PackedStringArray, fragments: PackedStringArray, message: String) -> void:
	if not log_watch.can_hear():
		return
	var left: PackedStringArray = logged.duplicate()
	for fragment: String in fragments:
		for index: int in left.size():
			if fragment in left[index]:
				left.remove_at(index)
				break
	var complete: bool = logged.size() == fragments.size() and left.is_empty()
	check(complete, "%s: %s, not %s" % [message, logged, fragments])
