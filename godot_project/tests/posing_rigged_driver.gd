@tool
extends "posing_tools_driver.gd"
## What [code]test_posing_rigged.gd[/code] has an editor do: turn feet that turn like their targets,
## name what is under the mouse, and take pictures of solved poses. Prints what it has seen as one
## line of JSON.


func _stay() -> void:
	await _prepare()
	await _press_shortcut()
	for scene: String in ["foot", "mirrored_foot", "skewed_foot"]:
		_seen[scene] = await _turn_foot(scene)
	await _name_bones()
	await _take_thumbnail()


## Drags the foot by its end, and back, with and without keys.
func _turn_foot(scene: String) -> Dictionary:
	await _open_animation(scene)
	_seek(0.5)
	_key_button(true).button_pressed = true
	await _wait(5)
	await _look(1.0)
	var target: Node2D = _node("Target")
	var foot: Bone2D = _root().find_child("Bone2")
	var before: Array = [target.position, target.rotation, _base_pose()]
	var keys: Dictionary = _keys()
	var version: int = _history().get_version()
	var joint: Vector2 = _canvas() * foot.global_position
	var press: Vector2 = _end_of(foot)
	var goal: Vector2 = joint + (press - joint).rotated(0.6)
	var facts: Dictionary = {}
	_click(press, true)
	for place: Vector2 in [press.lerp(goal, 0.5), press, goal]:
		_move(place)
		await _wait(3)
		facts["back" if place == press else "turned"] = _miss(foot, joint, place)
	_click(goal, false)
	await _wait(5)
	facts["after"] = _miss(foot, joint, goal)
	facts["joint"] = (_canvas() * foot.global_position).distance_to(joint)
	facts["moved"] = target.position.distance_to(before[0])
	facts["rotation"] = angle_difference(before[1], target.rotation)
	facts["steps"] = _history().get_version() - version
	facts["base"] = before[2] == _base_pose()
	facts["keys"] = _keys()["walk Target:rotation"].size()
	facts["key"] = angle_difference(target.rotation, _keys()["walk Target:rotation"][-1])
	_history().undo()
	await _wait(3)
	facts["undone"] = _keys() == keys and target.rotation == before[1]
	_key_button(true).button_pressed = false
	return facts


## The rotations that the rig starts from, wherever it is.
func _base_pose() -> Array:
	var rig: TendonRig2D = _root().find_child("Rig")
	return _all_bones().map(func(bone: Bone2D) -> float: return rig.get_base_rotation(bone))


## By how much the foot does not point to [param place], in radians.
func _miss(foot: Bone2D, joint: Vector2, place: Vector2) -> float:
	return absf((_end_of(foot) - joint).angle_to(place - joint))


func _name_bones() -> void:
	await _open("plain")
	await _look(1.0)
	var facts: Dictionary = {}
	for title: String in ["Hand", "Lower"]:
		_move(_end_of(_root().find_child(title)))
		facts[title] = _plugin.call("get_name_under_mouse")
	_viewport.mouse_exited.emit()
	facts["mouse gone"] = _plugin.call("get_name_under_mouse")
	_seen["names"] = facts


## Stores a pose right after a key has been pressed: bones hold their base pose until the next pass.
func _take_thumbnail() -> void:
	await _open("driven")
	await _select(["Skeleton"])
	_poses_button().button_pressed = true
	await _wait(5)
	var shown: Array = _shown()
	var drawn: Array = []
	var see: Callable = func() -> void: drawn.append(_shown())
	RenderingServer.frame_pre_draw.connect(see)
	var event: InputEventKey = InputEventKey.new()
	event.keycode = KEY_F12
	event.pressed = true
	Input.parse_input_event(event)
	Input.flush_buffered_events()
	var facts: Dictionary = {"shown": shown, "base": _shown()}
	var dock: Control = root.find_children("Poses", "VBoxContainer", true, false)[0]
	for button: Button in dock.find_children("*", "Button", true, false):
		if button.text == "Store":
			button.pressed.emit()
	RenderingServer.frame_pre_draw.disconnect(see)
	facts["drawn"] = drawn[0] if not drawn.is_empty() else []
	facts["base after"] = _shown()
	await _wait(3)
	facts["shown after"] = _shown()
	_poses_button().button_pressed = false
	_seen["thumbnail"] = facts
