extends Node
## Runs scenes for [code]scripts/bench --count[/code]: with their rigs, with rigs that are off,
## and with native code that turns the same bones instead.
##
## [code]packaging/count_marks.c[/code] sees what is set in the environment, and counts.

const BoneWriter := preload("res://bench/bone_writer.gd")
const Scenes := preload("res://bench/count_scenes.gd")

const MARK: String = "TENDON_COUNT"
## Frames that are counted, and those before.
const FRAMES: int = 20
const WARM_UP: int = 40
## Frames until a body lies, and until chains and bodies are at rest.
const FALL: int = 240
const SETTLING: int = 900

var _scene: Scenes
var _step: int = 0
var _moves: bool = true


func _ready() -> void:
	process_priority = -1000
	process_physics_priority = -1000
	_run.call_deferred()


func _physics_process(_delta: float) -> void:
	if _scene == null or not _moves:
		return
	_step += 1
	for mover: Callable in _scene.movers:
		mover.call(_step)


func _run() -> void:
	for title: String in Scenes.COUNTS:
		if _is_wanted(title):
			await _count_scene(title)
	if _is_wanted("all rigs off"):
		await _count_rigs_that_are_off()
	print("COUNTED")
	get_tree().quit()


## Whether an argument names that scene, or none names any.
func _is_wanted(title: String) -> bool:
	var names: PackedStringArray = OS.get_cmdline_user_args()
	return names.is_empty() or title in names


func _count_scene(title: String) -> void:
	_open(title)
	var warm_up: int = WARM_UP
	if "lying" in title:
		warm_up = FALL
	elif "at rest" in title:
		await _pass(2)
		_moves = false
		warm_up = SETTLING
	await _pass(warm_up)
	await _count(title, "on")
	for rig: TendonRig2D in _scene.rigs:
		rig.active = false
	await _pass(4)
	await _count(title, "off")
	if BoneWriter.is_native() and _moves:
		_scene.add_child(BoneWriter.new(_scene.bones))
		await _count(title, "floor")
	await _close()


## Whole frames with rigs that are off, beside the same without any.
func _count_rigs_that_are_off() -> void:
	_open("two bones")
	_moves = false
	for rig: TendonRig2D in _scene.rigs:
		rig.active = false
	await _pass(WARM_UP)
	await _count("all rigs off", "on")
	for rig: TendonRig2D in _scene.rigs:
		rig.free()
	await _pass(4)
	await _count("all rigs off", "off")
	await _close()


func _open(title: String) -> void:
	_step = 0
	_moves = true
	_scene = Scenes.new(title)
	add_child(_scene)


func _close() -> void:
	_scene.free()
	_scene = null
	await _pass(2)


func _count(title: String, part: String) -> void:
	OS.set_environment(MARK, "begin")
	# The first ones fill the caches.
	await _pass(2)
	OS.set_environment(MARK, "zero")
	await _pass(FRAMES)
	var count: int = Scenes.COUNTS.get(title, 1)
	OS.set_environment(MARK, "%s:%s:%d" % [title, part, count * FRAMES])


func _pass(frames: int) -> void:
	for frame: int in frames:
		await get_tree().process_frame
