extends "res://tests/suite.gd"
## Scripts that free a node as soon as it says something: a signal, an error or a warning.

## A listener to all errors and warnings. It needs a class of Godot 4.5.
const LISTENER: String = "res://tests/log_listener.gd"

var _skeleton: Skeleton2D
var _rig: TendonRig2D
var _node: Node
var _heard: int = 0


func test_a_skeleton_that_is_freed_when_properties_change() -> void:
	for kind: String in _scene_classes():
		for property: StringName in _properties_of(kind):
			for number: int in 4:
				_make(kind)
				_node.property_list_changed.connect(_free_the_skeleton)
				_set_to(property, number)
				_free_the_rest()
	_check_log()
	check(_heard > 20, "%d changes were heard" % _heard)


## The same where an error or a warning is heard.
func test_a_skeleton_that_is_freed_when_something_is_printed() -> void:
	if not log_recorder.can_hear():
		return
	_heard = 0
	var listener: RefCounted = load(LISTENER).new()
	listener.set("heard", func(_is_warning: bool, _text: String) -> void: _free_the_skeleton())
	for kind: String in _scene_classes():
		for property: StringName in _properties_of(kind):
			for value: Variant in [NAN, [3], Vector2(0, INF), "text", -77]:
				_make(kind)
				OS.call("add_logger", listener)
				_node.set(property, value)
				OS.call("remove_logger", listener)
				_free_the_rest()
		for method: Dictionary in ClassDB.class_get_method_list(kind, true):
			if method["flags"] & METHOD_FLAG_VIRTUAL:
				continue
			_make(kind)
			OS.call("add_logger", listener)
			_node.callv(method["name"], (method["args"] as Array).map(_nothing))
			OS.call("remove_logger", listener)
			_free_the_rest()
	_check_log()
	check(_heard > 20, "%d messages were heard" % _heard)


## Anything may have been said, but that something panicked.
func _check_log() -> void:
	for error: String in log_recorder.take(false):
		check(not "panic" in error, error)
	log_recorder.clear()


func _nothing(argument: Dictionary) -> Variant:
	return type_convert(null, argument["type"])


func _make(kind: String) -> void:
	_skeleton = Skeleton2D.new()
	add_child(_skeleton)
	_rig = TendonRig2D.new()
	_rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
	_skeleton.add_child(_rig)
	_node = _rig
	if kind != "TendonRig2D":
		_node = ClassDB.instantiate(kind)
		_rig.add_child(_node)


## Sets a property of the node to one of a few values that it might have.
func _set_to(property: StringName, number: int) -> void:
	match typeof(_node.get(property)):
		TYPE_BOOL:
			_node.set(property, number % 2 == 0)
		TYPE_INT:
			_node.set(property, number)
		TYPE_FLOAT:
			_node.set(property, 0.5 * number)
		TYPE_NIL, TYPE_OBJECT:
			var player: AnimationPlayer = AnimationPlayer.new()
			_node.set(property, [_skeleton, null, player, Curve.new()][number])
			player.free()


func _free_the_skeleton() -> void:
	if is_instance_valid(_skeleton):
		_heard += 1
		_skeleton.free()


func _free_the_rest() -> void:
	if is_instance_valid(_skeleton):
		_skeleton.free()


func _scene_classes() -> PackedStringArray:
	var found: PackedStringArray = []
	for kind: String in extension_classes():
		var is_scene_class: bool = ClassDB.class_get_api_type(kind) == ClassDB.API_EXTENSION
		if is_scene_class and ClassDB.get_parent_class(kind) == &"Node" and not "Bench" in kind:
			found.append(kind)
	return found


## The properties that the class itself adds.
func _properties_of(kind: String) -> Array[StringName]:
	var found: Array[StringName] = []
	for property: Dictionary in ClassDB.class_get_property_list(kind, true):
		if property["usage"] & PROPERTY_USAGE_STORAGE:
			found.append(StringName(property["name"] as String))
	return found
