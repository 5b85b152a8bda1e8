extends Node
## What a rig costs in memory: many skeletons before and after each gets one.
##
## The engine counts only what it allocates itself, and that only in debug builds. What the
## whole process holds, which Linux tells, covers the library too, to the page.

const Character := preload("res://bench/character.gd")
const Crowd := preload("res://bench/crowd.gd")

const PAGE: int = 4096


## Measures [param count] skeletons with FABRIK on [param bone_count] bones.
func measure(count: int, bone_count: int) -> Dictionary:
	var result: Dictionary = {"skeletons": count, "bones": bone_count, "bytes_each": {}}
	var crowds: Array[Crowd] = []
	for mover: Crowd.Mover in [Crowd.Mover.TENDON, Crowd.Mover.ENGINE]:
		var empty: Vector2i = _used()
		var crowd: Crowd = Crowd.new(count, bone_count)
		add_child(crowd)
		crowds.append(crowd)
		await _some_frames(crowd)
		var before: Vector2i = _used()
		crowd.give_to(mover, Character.Solver.FABRIK)
		await _some_frames(crowd)
		var after: Vector2i = _used()
		if mover == Crowd.Mover.TENDON:
			result["bytes_each"]["skeleton alone"] = _each(before - empty, count)
		var contestant: String = "tendon" if mover == Crowd.Mover.TENDON else "engine"
		result["bytes_each"][contestant] = _each(after - before, count)
	# Not before: the next would be built from what the last has freed, and seem to need nothing.
	for crowd: Crowd in crowds:
		crowd.free()
	return result


func _some_frames(crowd: Crowd) -> void:
	crowd.run(true)
	for step: int in 3:
		crowd.move_targets(step)
		await get_tree().process_frame
	crowd.run(false)


## Bytes of the whole process, and bytes that the engine has counted.
func _used() -> Vector2i:
	var pages: int = 0
	var file: FileAccess = FileAccess.open("/proc/self/statm", FileAccess.READ)
	if file != null:
		pages = int(file.get_line().get_slice(" ", 1))
	return Vector2i(pages * PAGE, OS.get_static_memory_usage())


func _each(bytes: Vector2i, count: int) -> Dictionary[String, int]:
	@warning_ignore("integer_division")
	return {"process": bytes.x / count, "engine_counted": bytes.y / count}
