extends RefCounted
## The kinds of faults by their names, and the parts of a character that each is done to.

const FaultCharacter := preload("res://tests/fault_character.gd")
const CallbackBone := preload("res://tests/callback_bone.gd")
const EveryFunction := preload("res://tests/every_function.gd")

## Beginnings of the names of the parts that a fault is done to.
const PARTS: Dictionary[String, String] = {
	"bone": "Bone",
	"target": "Target",
	"tip": "Tip",
	"pole": "Pole",
	"limit": "Limit",
	"effector": "Effector",
	"obstacle": "Obstacle",
	"path": "Path",
	"modifier": "Modifier",
	"rig": "Rig",
	"skeleton": "Skeleton",
	"ancestor": "Above Stage",
}
const VERBS: PackedStringArray = [
	"free",
	"queue",
	"remove",
	"hand",
	"reparent",
	"duplicate",
	"swap",
	"reorder",
	"numbers",
	"properties",
]
const ACTIONS: PackedStringArray = [
	"wire anything",
	"wire to another character",
	"advance again",
	"restore again",
	"toggle",
	"toggle and free",
	"switch off and advance",
	"set another mode",
	"emit by hand",
	"block signals",
	"advance another rig",
	"another script",
	"scripts with every function",
	"free in a signal",
	"free when something is printed",
	"change the shape",
	"change the curve",
	"scale to nothing",
	"fill the obstacles",
	"many faults",
	"stop processing",
	"enter the tree again",
	"add a second rig",
]
## Those that take several frames, and so cannot be done during a pass.
const SLOW_ACTIONS: PackedStringArray = [
	"pack and instance",
	"save and load",
	"reload the scene",
	"thread group on the rig",
	"thread group above",
	"process modes",
	"pause",
]

## Those that neither move nor free nodes. The engine allows no others while nodes leave the tree.
const MILD: PackedStringArray = [
	"queue",
	"numbers",
	"properties",
	"wire anything",
	"wire to another character",
	"advance again",
	"restore again",
	"toggle",
	"switch off and advance",
	"set another mode",
	"emit by hand",
	"advance another rig",
	"another script",
	"scripts with every function",
	"change the shape",
	"change the curve",
	"scale to nothing",
	"stop processing",
]

const NUMBERS: Array[float] = [
	NAN, INF, -INF, 0.0, -0.0, 1e-45, -1e-39, 1e-310, 1e20, -1e30, 3.4e38, 1e308, -1.0, 6e6, 0.3
]
const INTEGERS: Array[int] = [-1, 0, 1, 99, 2147483647, -2147483648, 9223372036854775807]
## Where the transforms of nodes can be set, beside what they store.
const TRANSFORMS: PackedStringArray = [
	"transform", "global_transform", "global_position", "global_rotation", "global_scale"
]

## Of each process its own. A scene of which two write may have two nodes of one name and parent: as
## soon as their parent is freed, the engine (4.6) crashes when the first one is freed, too.
static var _scene: String = "user://fault_%d.tscn" % OS.get_process_id()

var tree: SceneTree
var character: FaultCharacter
## A character that must not be affected.
var other: FaultCharacter
var random: RandomNumberGenerator
## The node whose signal is heard while the fault is done. The engine refuses to free it then.
var emitter: Node

## The tasks that free nodes on threads, with the ID of what each frees.
var _tasks: Dictionary[int, int] = {}


## The names of all kinds.
static func names() -> PackedStringArray:
	var found: PackedStringArray = []
	for verb: String in VERBS:
		for noun: String in PARTS:
			found.append(verb + " " + noun)
	return found + ACTIONS + SLOW_ACTIONS


static func is_mild(kind: String) -> bool:
	var verb: String = kind.get_slice(" ", 0)
	return kind in MILD or (verb in MILD and verb in VERBS)


## Commits a fault. Those of [constant SLOW_ACTIONS] must be awaited.
func commit(kind: String) -> void:
	if kind in SLOW_ACTIONS:
		await call("_" + kind.replace(" ", "_"))
	elif kind in ACTIONS:
		call("_" + kind.replace(" ", "_"))
	else:
		var words: PackedStringArray = kind.split(" ")
		var victims: Array[Node] = []
		for beginning: String in PARTS[words[1]].split(" "):
			victims.append_array(character.find(beginning))
		if not victims.is_empty():
			call("_" + words[0], victims[random.randi() % victims.size()])


## Waits for the threads of the fault.
func finish() -> void:
	for task: int in _tasks:
		WorkerThreadPool.wait_for_task_completion(task)
		# The engine refuses to free what still emits a signal, or runs a method, on the main thread.
		if is_instance_id_valid(_tasks[task]):
			instance_from_id(_tasks[task]).free()
	_tasks.clear()


func _any() -> Node:
	var found: Array[Node] = character.all()
	return found[random.randi() % found.size()]


func _number() -> float:
	return NUMBERS[random.randi() % NUMBERS.size()]


func _free(node: Node) -> void:
	if _is_or_has(node, CallbackBone.busy) or node == emitter:
		node.queue_free()
	else:
		node.free()


static func _is_or_has(node: Node, other_node: Node) -> bool:
	return other_node != null and (node == other_node or node.is_ancestor_of(other_node))


func _queue(node: Node) -> void:
	node.queue_free()


func _remove(node: Node) -> void:
	if node.get_parent() != null:
		node.get_parent().remove_child(node)


## Removes a node and has a thread free it, as a game may that frees much at once. The passes go on.
func _hand(node: Node) -> void:
	_remove(node)
	var is_needed: bool = _is_or_has(node, CallbackBone.busy) or _is_or_has(node, emitter)
	if is_needed or node.is_inside_tree() or node.get_parent() != null:
		return
	character.forget(node)
	if _has_skeleton(node):
		# A skeleton whose bones have left sets them up in the next idle moment, on the main thread: it
		# must not be freed meanwhile (the engine, 4.6, crashes without Tendon, too).
		_free_on_thread.call_deferred(node)
	else:
		_free_on_thread(node)


func _free_on_thread(node: Node) -> void:
	var freed: int = node.get_instance_id()
	_tasks[WorkerThreadPool.add_task(node.free)] = freed


static func _has_skeleton(node: Node) -> bool:
	return node is Skeleton2D or not node.find_children("*", "Skeleton2D", true, false).is_empty()


func _reparent(node: Node) -> void:
	var parent: Node = _any()
	if parent != node and not node.is_ancestor_of(parent) and node.get_parent() != null:
		if random.randf() < 0.5 and node.is_inside_tree() and parent.is_inside_tree():
			node.reparent(parent, random.randf() < 0.5)
		else:
			node.get_parent().remove_child(node)
			parent.add_child(node)


func _duplicate(node: Node) -> void:
	var flags: int = random.randi() % 16
	var copy: Node = node.duplicate(flags)
	if node.get_parent() != null:
		node.get_parent().add_child(copy)
		node.get_parent().move_child(copy, random.randi() % node.get_parent().get_child_count())
	else:
		copy.free()


## Another node takes its place, of the same class or a plain one.
func _swap(node: Node) -> void:
	if node.get_parent() == null:
		return
	var fresh: Node = Node2D.new()
	if random.randf() < 0.7:
		fresh.free()
		fresh = ClassDB.instantiate(node.get_class())
	node.replace_by(fresh, random.randf() < 0.5)


func _reorder(node: Node) -> void:
	if node.get_parent() != null:
		node.get_parent().move_child(node, random.randi() % node.get_parent().get_child_count())


func _numbers(node: Node) -> void:
	for count: int in 1 + random.randi() % 4:
		var found: Array[StringName] = _members(node, [TYPE_FLOAT, TYPE_INT, TYPE_VECTOR2])
		if node is Node2D:
			for member: String in TRANSFORMS:
				found.append(StringName(member))
		var member: StringName = found[random.randi() % found.size()]
		if member.begins_with("global") and not node.is_inside_tree():
			continue
		node.set(member, _bad(typeof(node.get(member))))


func _properties(node: Node) -> void:
	var kinds: Array[int] = [TYPE_BOOL, TYPE_INT, TYPE_FLOAT, TYPE_VECTOR2, TYPE_TRANSFORM2D]
	for count: int in 1 + random.randi() % 8:
		# The first ones may have had it freed.
		if not is_instance_valid(node):
			return
		var found: Array[StringName] = _members(node, kinds)
		var member: StringName = found[random.randi() % found.size()]
		var kind: int = typeof(node.get(member))
		if random.randf() < 0.05:
			kind = kinds[random.randi() % kinds.size()]
		node.set(member, _good(kind) if random.randf() < 0.6 else _bad(kind))


## What a scene would keep of the node, of these types.
func _members(node: Node, kinds: Array[int]) -> Array[StringName]:
	var found: Array[StringName] = []
	for property: Dictionary in node.get_property_list():
		var title: String = property["name"]
		if title.begins_with("process_") or title in FaultCharacter.LEFT_ALONE:
			continue
		if property["usage"] & PROPERTY_USAGE_STORAGE and property["type"] in kinds:
			found.append(StringName(title))
	return found


func _bad(kind: int) -> Variant:
	match kind:
		TYPE_BOOL:
			return random.randf() < 0.5
		TYPE_INT:
			return INTEGERS[random.randi() % INTEGERS.size()]
		TYPE_FLOAT:
			return _number()
		TYPE_VECTOR2:
			return Vector2(_number(), _number())
		TYPE_TRANSFORM2D:
			var columns: Array[Vector2] = []
			for count: int in 3:
				columns.append(Vector2(_number(), _number()))
			return Transform2D(columns[0], columns[1], columns[2])
	return null


func _good(kind: int) -> Variant:
	match kind:
		TYPE_BOOL:
			return random.randf() < 0.5
		TYPE_INT:
			return random.randi() % 5
		TYPE_FLOAT:
			return random.randf_range(-1.0, 2.0)
		TYPE_VECTOR2:
			return Vector2(random.randf_range(-60, 60), random.randf_range(-60, 60))
		TYPE_TRANSFORM2D:
			var stretch: Vector2 = Vector2(random.randf_range(-2, 2), random.randf_range(-2, 2))
			return Transform2D(random.randf() * TAU, stretch, random.randf() - 0.5, Vector2.ONE)
	return null


func _wire_anything() -> void:
	_wire(character.all())


func _wire_to_another_character() -> void:
	_wire(other.all())


## Sets node properties of the modifiers to any of [param candidates].
func _wire(candidates: Array[Node]) -> void:
	for node: Node in character.find("Modifier") + character.find("Effector"):
		for property: Dictionary in node.get_property_list():
			if property["hint"] != PROPERTY_HINT_NODE_TYPE or random.randf() < 0.4:
				continue
			var candidate: Node = candidates[random.randi() % candidates.size()]
			if random.randf() < 0.15:
				node.set(property["name"], null)
			elif candidate.is_class(property["hint_string"]):
				node.set(property["name"], candidate)


func _advance_again() -> void:
	for count: int in 3:
		character.advance()


func _restore_again() -> void:
	for count: int in 3:
		if character.rig() != null:
			character.rig().restore_pose()


func _toggle() -> void:
	for count: int in 3:
		for node: Node in (
			character.find("Modifier") + character.find("Rig") + character.find("Limit")
		):
			if is_instance_valid(node):
				node.set("active", random.randf() < 0.5)


func _toggle_and_free() -> void:
	if character.rig() != null:
		character.arm(random.randi() % 7, _free_the_rig)
		character.rig().active = false
	_free_the_rig()


func _free_the_rig() -> void:
	if character.rig() != null:
		_free(character.rig())


func _switch_off_and_advance() -> void:
	if character.rig() != null:
		character.arm(random.randi() % 7, _on_and_advance)
		character.rig().active = false


func _on_and_advance() -> void:
	if character.rig() != null:
		character.rig().active = true
	character.advance()


func _set_another_mode() -> void:
	if character.rig() != null:
		var mode: int = [0, 1, 2, 0, 1, 2, -1, 77][random.randi() % 8]
		character.rig().set("callback_mode_process", mode)


func _emit_by_hand() -> void:
	if character.rig() != null:
		character.rig().modification_processed.emit()
	for node: Node in character.find("Modifier"):
		node.emit_signal("target_lost")
	for node: Node in character.find("Skeleton"):
		node.emit_signal("bone_setup_changed")
	for node: Node in character.all():
		node.property_list_changed.emit()


func _block_signals() -> void:
	for node: Node in character.all():
		node.set_block_signals(random.randf() < 0.5)
	_reparent(_any())


func _advance_another_rig() -> void:
	other.advance()
	other.rig().restore_pose()
	other.advance()


func _another_script() -> void:
	for node: Node in [character.rig()] + character.find("Modifier"):
		if node != null:
			var script: GDScript = GDScript.new()
			script.source_code = "extends %s\n" % node.get_class()
			script.reload()
			node.set_script(script)


func _scripts_with_every_function() -> void:
	for node: Node in character.all():
		if node.get_class().begins_with("Tendon"):
			var callback: Variant = node.get("callback")
			node.set_script(EveryFunction.script_for(node))
			if callback is Callable:
				node.set("callback", callback)


## A part is freed by what listens to changes of the properties of the others.
func _free_in_a_signal() -> void:
	var victim: Node = _any()
	for node: Node in character.all():
		if node.get_class().begins_with("Tendon") and node != victim:
			var action: Callable = _free_if_valid.bind(node, victim)
			node.property_list_changed.connect(action, CONNECT_ONE_SHOT)
	for count: int in 6:
		if not character.all().is_empty():
			_properties(_any())
	# Repairing sets properties, too.
	for node: Node in character.all():
		for connection: Dictionary in node.property_list_changed.get_connections():
			node.property_list_changed.disconnect(connection["callable"])


func _free_if_valid(speaker: Variant, victim: Variant) -> void:
	var is_needed: bool = is_same(speaker, victim) or is_same(emitter, victim)
	if is_instance_valid(victim) and not is_needed:
		_free(victim as Node)


## The same for what listens to the log. That needs Godot 4.5.
func _free_when_something_is_printed() -> void:
	if not ClassDB.class_exists(&"Logger"):
		return
	var listener: RefCounted = load("res://tests/log_listener.gd").new()
	var victim: Node = _any()
	listener.set(
		"heard", func(_is_warning: bool, _text: String) -> void: _free_if_valid(null, victim)
	)
	OS.call("add_logger", listener)
	for node: Node in character.all():
		if is_instance_valid(node) and node.get_class().begins_with("Tendon"):
			if "obstacles" in node:
				node.set("obstacles", [3])
			if is_instance_valid(node) and node is TendonRig2D:
				(node as TendonRig2D).get_base_rotation(null)
	if character.rig() != null:
		character.rig().advance(0.0)
	OS.call("remove_logger", listener)


func _change_the_shape() -> void:
	for node: Node in character.find("Obstacle"):
		var rectangle: RectangleShape2D = RectangleShape2D.new()
		var segment: SegmentShape2D = SegmentShape2D.new()
		var capsule: CapsuleShape2D = CapsuleShape2D.new()
		var circle: CircleShape2D = CircleShape2D.new()
		segment.a = _bad(TYPE_VECTOR2)
		rectangle.set("size", _bad(TYPE_VECTOR2))
		capsule.set("height", _number())
		circle.set("radius", _number())
		var shapes: Array[Shape2D] = [
			rectangle, segment, capsule, circle, WorldBoundaryShape2D.new(), null
		]
		(node as CollisionShape2D).shape = shapes[random.randi() % shapes.size()]


func _change_the_curve() -> void:
	for node: Node in character.find("Path"):
		var path: Path2D = node as Path2D
		if path.curve == null or random.randf() < 0.2:
			path.curve = Curve2D.new() if random.randf() < 0.7 else null
			continue
		var curve: Curve2D = path.curve
		var index: int = random.randi() % 4 - 1
		match random.randi() % 6:
			0:
				curve.clear_points()
			1:
				curve.add_point(_bad(TYPE_VECTOR2), _bad(TYPE_VECTOR2))
			2:
				curve.bake_interval = _number()
			3 when index in range(curve.point_count):
				curve.set_point_position(index, _bad(TYPE_VECTOR2))
			4 when index in range(curve.point_count):
				curve.set_point_out(index, _bad(TYPE_VECTOR2))
			5 when index in range(curve.point_count):
				curve.remove_point(index)


func _scale_to_nothing() -> void:
	var places: Array[Node] = (
		character.find("Bone") + character.find("Skeleton") + character.find("Above")
	)
	if not places.is_empty():
		var place: Node2D = places[random.randi() % places.size()]
		place.transform = Transform2D(Vector2.ZERO, Vector2.ZERO, place.position)


func _fill_the_obstacles() -> void:
	for node: Node in character.find("Modifier"):
		if "obstacles" in node:
			var line: Array[CollisionShape2D] = node.get("obstacles")
			for count: int in random.randi() % 4:
				var stray: CollisionShape2D = CollisionShape2D.new()
				stray.shape = CircleShape2D.new()
				_any().add_child(stray)
				line.append(stray if random.randf() < 0.7 else null)
				if random.randf() < 0.3:
					stray.free()


func _many_faults() -> void:
	var kinds: PackedStringArray = names()
	for count: int in 6:
		var kind: String = kinds[random.randi() % (kinds.size() - SLOW_ACTIONS.size())]
		if kind != "many faults" and not character.all().is_empty():
			commit(kind)


func _stop_processing() -> void:
	if character.rig() != null:
		character.rig().set_process(random.randf() < 0.5)
		character.rig().set_physics_process(random.randf() < 0.5)
		character.rig().process_priority = random.randi_range(-200, 200)


func _enter_the_tree_again() -> void:
	for count: int in 3:
		var node: Node = _any()
		var parent: Node = node.get_parent()
		if parent != null:
			parent.remove_child(node)
			parent.add_child(node)


func _add_a_second_rig() -> void:
	var skeleton: Node = character.part(&"Skeleton")
	if skeleton != null:
		var rig: TendonRig2D = TendonRig2D.new()
		var look: TendonLookAt2D = TendonLookAt2D.new()
		look.bone = character.part(&"Bone0") as Bone2D
		look.target = character.part(&"Target") as Node2D
		rig.add_child(look)
		skeleton.add_child(rig)
		skeleton.move_child(rig, random.randi() % skeleton.get_child_count())
		rig.advance(0.0)


func _packed() -> PackedScene:
	var stage: Node = character.part(&"Stage")
	for node: Node in stage.find_children("*", "", true, false):
		node.owner = stage
	var scene: PackedScene = PackedScene.new()
	scene.pack(stage)
	return scene


func _pack_and_instance() -> void:
	var copy: Node = _packed().instantiate()
	character.part(&"Stage").get_parent().add_child(copy)
	var rig: TendonRig2D = copy.find_children("Rig", "TendonRig2D", true, false)[0]
	rig.advance(0.0)
	await tree.process_frame


func _save_and_load() -> void:
	ResourceSaver.save(_packed(), _scene)
	var scene: PackedScene = ResourceLoader.load(_scene, "", ResourceLoader.CACHE_MODE_IGNORE)
	DirAccess.remove_absolute(_scene)
	character.part(&"Stage").get_parent().add_child(scene.instantiate())
	await tree.process_frame


func _reload_the_scene() -> void:
	ResourceSaver.save(_packed(), _scene)
	tree.change_scene_to_file(_scene)
	for count: int in 2:
		await tree.process_frame
		await tree.process_frame
		var rig: TendonRig2D = tree.current_scene.find_children("Rig", "", true, false)[0]
		rig.advance(0.0)
		rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
		tree.reload_current_scene()
	await tree.process_frame
	tree.unload_current_scene()
	await tree.process_frame
	DirAccess.remove_absolute(_scene)


func _thread_group_on_the_rig() -> void:
	await _put_into_group(character.part(&"Rig"))


func _thread_group_above() -> void:
	var places: Array[Node] = (
		character.find("Above") + character.find("Stage") + character.find("Skeleton")
	)
	await _put_into_group(places[random.randi() % places.size()])


func _put_into_group(leader: Node) -> void:
	character.rig().callback_mode_process = random.randi() % 2
	for count: int in 3:
		leader.process_thread_group = 1 + random.randi() % 2
		await tree.process_frame
	leader.process_thread_group = Node.PROCESS_THREAD_GROUP_INHERIT
	await tree.process_frame


func _process_modes() -> void:
	character.rig().callback_mode_process = random.randi() % 2
	for count: int in 3:
		_any().process_mode = random.randi() % 5
		await tree.process_frame


func _pause() -> void:
	character.rig().callback_mode_process = random.randi() % 2
	tree.paused = true
	await tree.process_frame
	commit(names()[random.randi() % (VERBS.size() * PARTS.size())])
	await tree.process_frame
	tree.paused = false
