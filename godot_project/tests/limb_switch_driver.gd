@tool
extends "posing_driver.gd"
## What [code]test_limb_switch.gd[/code] has an editor do: switch limbs between targets and poses of
## their bones, with a drag of the mouse in between. Prints what it has seen as one line of JSON.

const TO_BONES: String = "Limb to FK"
const TO_TARGET: String = "Limb to IK"


func _stay() -> void:
	await _prepare()
	await _press_shortcut()
	for scene: String in ["arm", "poled", "straight", "grip", "chain", "tree", "look"]:
		await _switch(scene)
	await _switch_with_keys()
	await _refuse()


## There and back, with another pose of the bones in between, and taken back.
func _switch(scene: String) -> void:
	await _open(scene)
	await _look(1.0)
	await _select([str(_root().get_path_to(_all_bones()[-1]))])
	var modifier: Node = _modifier()
	var all: Array[Node] = _all_bones()
	var facts: Dictionary = {"shown": _rotations(all)}
	var before: Dictionary = _scene_state(all, modifier)
	var version: int = _history().get_version()
	facts["told"] = await _pose(TO_BONES)
	await _wait(5)
	facts["active"] = [modifier.get("active")]
	facts["as bones"] = _rotations(all)
	await _bend(all[all.size() - 2 if all.size() > 1 else 0])
	facts["bent"] = _rotations(all)
	facts["places"] = _ends(all)
	facts["told back"] = await _pose(TO_TARGET)
	await _wait(5)
	facts["active"].append(modifier.get("active"))
	facts["as target"] = _rotations(all)
	facts["places after"] = _ends(all)
	facts["steps"] = _history().get_version() - version
	while _history().get_version() > version:
		_history().undo()
	await _wait(5)
	var after: Dictionary = _scene_state(all, modifier)
	facts["undone"] = before.keys().filter(func(it: String) -> bool: return before[it] != after[it])
	_seen[scene] = facts


func _modifier() -> Node:
	return _root().find_child("Rig", true, false).get_child(0)


## Turns a bone with the mouse, as far as that reaches.
func _bend(bone: Bone2D) -> void:
	var press: Vector2 = _end_of(bone)
	var joint: Vector2 = _canvas() * bone.global_position
	var goal: Vector2 = joint + (press - joint).rotated(-0.5)
	_click(press, true)
	_move(press.lerp(goal, 0.5), true)
	_move(goal, true)
	_click(goal, false)
	await _wait(5)


## What a scene file has of it.
func _scene_state(all: Array[Node], modifier: Node) -> Dictionary:
	var rig: Node = modifier.get_parent()
	rig.call("restore_pose")
	var state: Dictionary = {"pose": _transforms(all), "active": modifier.get("active")}
	state["bend"] = modifier.get("flip_bend_direction")
	for title: String in ["Target", "Second", "Pole"]:
		var node: Node2D = _root().find_child(title, true, false)
		if node != null:
			state[title] = node.transform
	return state


## With an animation that is edited: bones, the target and the switch get keys, there and back.
func _switch_with_keys() -> void:
	await _open_animation("keyed")
	_seek(0.4)
	await _wait(5)
	await _select(["Skeleton/Bone0"])
	var facts: Dictionary = {"before": _keys(), "shown": _shown()}
	facts["told"] = await _pose(TO_BONES)
	await _wait(5)
	facts["keys"] = _keys()
	_seek(0.8)
	await _wait(5)
	facts["shown later"] = _shown()
	facts["told back"] = await _pose(TO_TARGET)
	await _wait(5)
	facts["all keys"] = _keys()
	facts["shown after"] = _shown()
	facts["active"] = []
	for time: float in [0.2, 0.4, 0.6, 0.8, 1.0]:
		_seek(time)
		await _wait(5)
		facts["active"].append(_node("Skeleton/Rig/Arm").get("active"))
	_seek(0.4)
	await _wait(5)
	facts["played"] = _shown()
	_history().undo()
	_history().undo()
	await _wait(5)
	facts["undone"] = _keys() == facts["before"]
	_seen["keys"] = facts


func _refuse() -> void:
	await _open("arm")
	await _select(["Target"])
	var facts: Dictionary = {"by its target": await _pose(TO_TARGET)}
	await _open("shared")
	_root().find_child("Rig", true, false).get_child(0).set("active", false)
	await _wait(5)
	await _select([str(_root().get_path_to(_all_bones()[0]))])
	facts["shared"] = await _pose(TO_TARGET)
	await _open("arm")
	await _select([str(_root().get_path_to(_all_bones()[0]))])
	facts["second"] = await _pose("Add Two-Bone IK")
	_seen["refused"] = facts
