extends SceneTree
## A crowd whose characters are created and freed all the time, in every way. They must leave
## nothing behind, neither objects nor memory.
##
## [code]godot --headless --fixed-fps 60 --path godot_project --script res://tests/soak.gd
## [-- FRAMES][/code]
##
## Ten times, all are freed, and what is left is counted. The first count is what the engine itself
## keeps.

const FaultCharacter := preload("res://tests/fault_character.gd")

const FRAMES: int = 5_000
const CHECKPOINTS: int = 10
const BIRTHS: int = 2
const MOST_ALIVE: int = 24
const SEED: int = 4711
## How much more the engine's own lists and the allocator may take after the first tenth, bytes.
const MOST_STATIC: int = 65_536
const MOST_RESIDENT: int = 4_194_304
const PAGE: int = 4096

var _random: RandomNumberGenerator = RandomNumberGenerator.new()
var _scenes: Array[PackedScene] = []
var _alive: Array[Node] = []
var _births: int = 0
## How often a modifier of each class has reached what it is for.
var _reached: Dictionary[String, int] = {}
var _wrong: PackedStringArray = []


func _initialize() -> void:
	var words: PackedStringArray = OS.get_cmdline_user_args()
	var frames: int = words[0].to_int() if words.size() > 0 else FRAMES
	# Without a window the engine would sleep in each frame.
	OS.low_processor_usage_mode_sleep_usec = 1
	_random.seed = SEED
	await process_frame
	for plan: int in FaultCharacter.PLANS.size():
		_scenes.append(_scene(plan))
	print("  frame   births  objects   nodes  static memory  resident memory (bytes)")
	var first: Dictionary[String, int] = {}
	var last: Dictionary[String, int] = {}
	for checkpoint: int in CHECKPOINTS:
		for frame: int in frames / CHECKPOINTS:
			_live()
			await process_frame
		last = await _count()
		first = last if first.is_empty() else first
		var line: Array = [(checkpoint + 1) * (frames / CHECKPOINTS), _births] + last.values()
		print("%7d %8d %8d %7d %14d %16d" % line)
	_compare(first, last)
	_scenes.clear()
	for what: String in _wrong:
		printerr(what)
	print("SOAK: %d wrong, %d frames, %d births" % [_wrong.size(), frames, _births])
	quit()


## One frame of the crowd.
func _live() -> void:
	for birth: int in BIRTHS:
		_bear()
	while _alive.size() > MOST_ALIVE:
		_die(_alive.pop_at(_random.randi() % _alive.size()))
	for character: Node in _alive:
		var target: Node2D = character.get_node("Target")
		target.position = Vector2.from_angle(_random.randf() * TAU) * 60
		(character as Node2D).position = Vector2.from_angle(_random.randf() * TAU) * 20
		for modifier: Node in character.find_children("Modifier*", "", true, false):
			_disturb(modifier)
			if modifier.call("get_status") == TendonFABRIK2D.STATUS_REACHED:
				var kind: String = modifier.get_class()
				_reached[kind] = _reached.get(kind, 0) + 1


## What a game does to modifiers that move by themselves.
func _disturb(modifier: Node) -> void:
	if modifier is TendonRagdoll2D:
		(modifier as TendonRagdoll2D).simulating = true
	if modifier is TendonSpring2D:
		var spring: TendonSpring2D = modifier
		spring.apply_impulse(Vector2.from_angle(_random.randf() * TAU) * 200)
		spring.gravity.y = 500.0 * (_random.randi() % 2)
		if _random.randi() % 50 == 0:
			spring.reset()
	elif modifier is TendonSplineIK2D:
		(modifier as TendonSplineIK2D).progress += 3.0
	elif modifier is TendonCopyTransform2D:
		(modifier as TendonCopyTransform2D).bone_max = 1.0 + _random.randf()


func _bear() -> void:
	var character: Node = null
	if not _alive.is_empty() and _random.randf() < 0.2:
		character = _alive[_random.randi() % _alive.size()].duplicate()
	else:
		character = _scenes[_random.randi() % _scenes.size()].instantiate()
	root.add_child(character)
	_alive.append(character)
	_births += 1


func _die(character: Node) -> void:
	match _random.randi() % 6:
		0:
			character.free()
		1:
			character.queue_free()
		2:
			root.remove_child(character)
			character.free()
		3:
			_first(character, "Rig").free()
			character.queue_free()
		4:
			_first(character, "Bone2").free()
			_first(character, "Rig").call("advance", 0.0)
			character.free()
		5:
			_first(character, "Rig").set("active", false)
			_first(character, "Skeleton").free()
			character.free()


func _first(character: Node, title: String) -> Node:
	return character.find_children(title, "", true, false)[0]


## What is left when all are freed.
func _count() -> Dictionary[String, int]:
	while not _alive.is_empty():
		_die(_alive.pop_back())
	for frame: int in 3:
		await process_frame
	return {
		"objects": int(Performance.get_monitor(Performance.OBJECT_COUNT)),
		"nodes": int(Performance.get_monitor(Performance.OBJECT_NODE_COUNT)),
		"static memory": OS.get_static_memory_usage(),
		"resident memory": _resident_memory(),
	}


## Of this process, in bytes; 0 where the system does not tell.
func _resident_memory() -> int:
	var file: FileAccess = FileAccess.open("/proc/self/statm", FileAccess.READ)
	return file.get_line().get_slice(" ", 1).to_int() * PAGE if file != null else 0


func _compare(first: Dictionary[String, int], last: Dictionary[String, int]) -> void:
	var most: Dictionary[String, int] = {
		"objects": 0, "nodes": 0, "static memory": MOST_STATIC, "resident memory": MOST_RESIDENT
	}
	for what: String in most:
		var more: int = last[what] - first[what]
		if more > most[what]:
			_wrong.append("%s: %d more than after the first tenth" % [what, more])
	for kind: String in FaultCharacter.MODIFIERS.values():
		if _reached.get(kind, 0) == 0:
			_wrong.append("no %s was ever solved" % kind)


func _scene(plan: int) -> PackedScene:
	var character: FaultCharacter = FaultCharacter.new(plan, root)
	character.rig().callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	var stage: Node = character.part(&"Stage")
	for node: Node in stage.find_children("*", "", true, false):
		node.owner = stage
	var scene: PackedScene = PackedScene.new()
	scene.pack(stage)
	character.free_all()
	return scene
