extends Node
## The floor: writes a rotation into each bone and does nothing else.
##
## From native code where the extension was built with its feature [code]bench[/code];
## otherwise from typed GDScript, which is slower.

const NATIVE_CLASS: StringName = &"TendonBenchFloor"

var _native: Node
var _bones: Array[Bone2D] = []
var _angle: float = 0.0


static func is_native() -> bool:
	return ClassDB.class_exists(NATIVE_CLASS)


func _init(bones: Array[Bone2D]) -> void:
	_bones = bones
	if is_native():
		_native = ClassDB.instantiate(NATIVE_CLASS)
		_native.call(&"set_bones", bones)
		_native.set(&"active", true)
		add_child(_native)
		set_process(false)


## A node that only reads [param bones] in every frame, from native code: the floor of a crowd at
## rest. Does nothing where there is no such code.
static func make_reader(bones: Array[Bone2D]) -> Node:
	if not is_native():
		return Node.new()
	var reader: Node = ClassDB.instantiate(NATIVE_CLASS)
	reader.call(&"set_bones", bones)
	reader.set(&"reads", true)
	return reader


func _process(_delta: float) -> void:
	_angle = 0.001 if _angle > 1.0 else _angle + 0.001
	write(_angle)


## What to call for one round of writes, with the angle to write.
func writer() -> Callable:
	return Callable(_native, &"run") if _native != null else write


func write(angle: float) -> void:
	for bone: Bone2D in _bones:
		bone.rotation = angle
