extends RefCounted
## Scripts that define every function that the engine calls of a node. They have a property
## [code]called[/code]: a [Dictionary] with the names of those that were called.

## What a custom modifier's script has of its own.
const OWN: StringName = &"_process_modification"

static var _scripts: Dictionary[String, GDScript] = {}


## The script for [param node], which also does what the node's own script does.
static func script_for(node: Node) -> GDScript:
	var own: Script = node.get_script()
	var base: String = node.get_class()
	if own != null and not own.resource_path.is_empty():
		base = '"%s"' % own.resource_path
	if not base in _scripts:
		_scripts[base] = _make(node.get_class(), base)
	return _scripts[base]


static func _make(kind: String, base: String) -> GDScript:
	var lines: PackedStringArray = ["extends " + base, "", "var called: Dictionary = {}"]
	for method: Dictionary in ClassDB.class_get_method_list(kind):
		if method["flags"] & METHOD_FLAG_VIRTUAL and method["name"] != OWN:
			lines.append_array(_definition(method))
	var script: GDScript = GDScript.new()
	script.source_code = "\n".join(lines)
	script.reload()
	return script


## One that notes its name and returns what its type has by default.
static func _definition(method: Dictionary) -> PackedStringArray:
	var arguments: PackedStringArray = []
	for argument: Dictionary in method["args"]:
		arguments.append("_%d: %s" % [arguments.size(), _type_of(argument, "Variant")])
	var title: String = method["name"]
	var result: String = _type_of(method["return"], "void")
	var head: Array = [title, ", ".join(arguments), result]
	var lines: PackedStringArray = ["", "", "func %s(%s) -> %s:" % head]
	if title == "_init":
		lines.append("\tpass")
		return lines
	lines.append('\tcalled["%s"] = true' % title)
	if result != "void":
		var value: Variant = type_convert(null, method["return"]["type"])
		lines.append("\treturn " + var_to_str(value))
	return lines


## The type of an argument or of a result, as a script names it.
static func _type_of(described: Dictionary, none: String) -> String:
	match described["type"]:
		TYPE_NIL:
			var is_any: bool = described["usage"] & PROPERTY_USAGE_NIL_IS_VARIANT
			return "Variant" if is_any else none
		TYPE_OBJECT:
			return described["class_name"] if described["class_name"] else "Object"
		TYPE_ARRAY when described["hint"] == PROPERTY_HINT_ARRAY_TYPE:
			return "Array[%s]" % described["hint_string"]
	return type_string(described["type"])
