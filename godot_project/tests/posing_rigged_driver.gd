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
	for scene: String in ["free_foot", "mirrored_free_foot"]:
		_seen[scene] = {"pinned": await _move_above_pin(scene), "alt": await _drag_with_alt(scene)}
	_seen["pulled"] = await _pull_above_pin()
	_seen["bends"] = await _pull_ankle()
	_seen["pins"] = await _press_with_alt()
	for scene: String in ["free_foot", "mirrored_free_foot"]:
		_seen[scene]["end"] = await _pull_to(scene, "Bone2", [Vector2(-6, -22), Vector2(4, -14)])
	for scene: String in ["head", "skewed_head"]:
		_seen[scene] = await _pull_to(scene, "Bone1", [Vector2(-25, 10), Vector2(14, 17)])
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


## Moves the root of a leg whose foot is pinned.
func _move_above_pin(scene: String) -> Dictionary:
	await _open(scene)
	await _look(1.0)
	var foot: Bone2D = _root().find_child("Bone2")
	await _pin(foot)
	var joint: Vector2 = _canvas() * foot.global_position
	var along: Vector2 = _end_of(foot) - joint
	var press: Vector2 = _canvas() * (_root().find_child("Bone0") as Bone2D).global_position
	var version: int = _history().get_version()
	var facts: Dictionary = {"turned": 0.0, "moved": 0.0}
	_click(press, true)
	for way: Vector2 in [Vector2(0, 8), Vector2(10, 15), Vector2(4, 12)]:
		_move(press + way)
		await _wait(3)
		_note_worst(facts, foot, joint, along)
	_click(press + Vector2(4, 12), false)
	await _wait(5)
	_note_worst(facts, foot, joint, along)
	facts["steps"] = _history().get_version() - version
	_history().undo()
	await _wait(3)
	_note_worst(facts, foot, joint, along)
	await _pin(foot)
	return facts


## Pulls a leg that is nearly straight by its ankle: the knee stays on its side.
func _pull_ankle() -> Array:
	await _open("plain")
	await _look(1.0)
	var thigh: Bone2D = _root().find_child("Thigh")
	var shin: Bone2D = _root().find_child("Shin")
	var bends: Array = []
	for bend: float in [0.12, -0.12]:
		shin.rotation = bend
		await _wait(3)
		var press: Vector2 = _end_of(shin)
		var up: Vector2 = (_canvas() * thigh.global_position - press).normalized() * 30.0
		_click(press, true)
		for side: float in [0.0, 25.0, -25.0]:
			_move(press + up + side * up.orthogonal().normalized())
			await _wait(3)
			bends.append(signf(bend) * shin.rotation)
		_click(press, true, false, MOUSE_BUTTON_RIGHT)
		await _wait(3)
	return bends


## Presses with Alt at an ankle, and releases there, or elsewhere.
func _press_with_alt() -> Dictionary:
	await _open("plain")
	await _look(1.0)
	var facts: Dictionary = {}
	var foot: Bone2D = _root().find_child("Foot")
	var press: Vector2 = _end_of(_root().find_child("Shin"))
	for title: String in ["clicked", "clicked again"]:
		_click(press, true, true)
		_click(press, false)
		await _wait(3)
		facts[title] = foot.has_meta("_tendon_pin_")
	var along: Vector2 = _end_of(foot) - press
	var goal: Vector2 = press + Vector2(-9, -22)
	_click(press, true, true)
	_move(goal, false, [KEY_ALT])
	await _wait(3)
	_click(goal, false)
	await _wait(3)
	facts["dragged"] = foot.has_meta("_tendon_pin_")
	var joint: Vector2 = _canvas() * foot.global_position
	facts["miss"] = joint.distance_to(goal)
	facts["turned"] = absf((_end_of(foot) - joint).angle_to(along))
	_history().undo()
	await _wait(3)
	return facts


## Pulls a bone at its end, which its target does not hold: by how much its direction misses the
## mouse at most, in radians, and how far its end is from there.
func _pull_to(scene: String, title: String, ways: Array) -> Dictionary:
	await _open(scene)
	await _look(1.0)
	var bone: Bone2D = _root().find_child(title)
	var press: Vector2 = _end_of(bone)
	var version: int = _history().get_version()
	var facts: Dictionary = {"angle": 0.0, "miss": 0.0}
	_click(press, true)
	for way: Vector2 in [ways[0], Vector2.ZERO, ways[1]]:
		_move(press + way)
		await _wait(3)
		var joint: Vector2 = _canvas() * bone.global_position
		var miss: float = (_end_of(bone) - joint).angle_to(press + way - joint)
		facts["angle"] = maxf(facts["angle"], absf(miss))
		facts["miss"] = maxf(facts["miss"], _end_of(bone).distance_to(press + way))
	_click(press + ways[1], false)
	await _wait(5)
	facts["after"] = _end_of(bone).distance_to(press + ways[1])
	facts["steps"] = _history().get_version() - version
	_history().undo()
	await _wait(3)
	facts["undone"] = _end_of(bone).distance_to(press)
	return facts


## Drags the target of a leg at the end of its shin, with Alt.
func _drag_with_alt(scene: String) -> Dictionary:
	await _open_animation(scene)
	_seek(0.5)
	_key_button(true).button_pressed = true
	await _wait(5)
	await _look(1.0)
	var foot: Bone2D = _root().find_child("Bone2")
	var target: Node2D = _node("Target")
	var joint: Vector2 = _canvas() * foot.global_position
	var along: Vector2 = _end_of(foot) - joint
	var before: Array = [target.position, foot.rotation, _keys()]
	var version: int = _history().get_version()
	var facts: Dictionary = {"turned": 0.0, "moved": 0.0}
	_click(joint, true)
	for way: Vector2 in [Vector2(-2, -20), Vector2(-8, -14), Vector2(5, -11)]:
		_move(joint + way, false, [KEY_ALT])
		await _wait(3)
		_note_worst(facts, foot, joint + way, along)
	_click(joint + Vector2(5, -11), false)
	await _wait(5)
	_note_worst(facts, foot, joint + Vector2(5, -11), along)
	facts["way"] = target.position.distance_to(before[0])
	facts["turn"] = absf(angle_difference(before[1], foot.rotation))
	facts["steps"] = _history().get_version() - version
	_history().undo()
	await _wait(3)
	facts["undone"] = target.position == before[0] and foot.rotation == before[1]
	facts["keys undone"] = _keys() == before[2]
	# Escape brings both back.
	_click(joint, true)
	_move(joint + Vector2(5, -11), false, [KEY_ALT])
	await _wait(3)
	_click(joint, true, false, MOUSE_BUTTON_RIGHT)
	await _wait(3)
	facts["cancelled"] = target.position == before[0] and foot.rotation == before[1]
	facts["steps after"] = _history().get_version() - version
	_key_button(true).button_pressed = false
	return facts


## Pulls the upper arm of a character without a rig, whose hand is pinned.
func _pull_above_pin() -> Dictionary:
	await _open("plain")
	await _look(1.0)
	var hand: Bone2D = _root().find_child("Hand")
	await _pin(hand)
	var joint: Vector2 = _canvas() * hand.global_position
	var along: Vector2 = _end_of(hand) - joint
	var upper: Bone2D = _root().find_child("Upper")
	var before: float = upper.rotation
	var press: Vector2 = _end_of(upper)
	var facts: Dictionary = {"turned": 0.0, "moved": 0.0, "pulled": 0.0}
	_click(press, true)
	# On the other side of the line to the hand the elbow bends the other way.
	var shoulder: Vector2 = _canvas() * upper.global_position
	var line: Vector2 = joint - shoulder
	var beyond: Vector2 = press - 2.0 * (press - shoulder).slide(line.normalized())
	for goal: Vector2 in [press + Vector2(30, 10), press, beyond]:
		_move(goal)
		await _wait(3)
		_note_worst(facts, hand, joint, along)
		facts["pulled"] = maxf(facts["pulled"], absf(upper.rotation - before))
	facts["miss"] = _end_of(upper).distance_to(beyond)
	_click(beyond, false)
	await _wait(3)
	_history().undo()
	await _wait(3)
	facts["undone"] = upper.rotation == before
	await _pin(hand)
	return facts


## Pins a bone, or releases it.
func _pin(bone: Bone2D) -> void:
	for is_pressed: bool in [true, false]:
		_click(_end_of(bone), is_pressed, true)
	await _wait(3)


## By how much a bone has left a place and a direction at most, in pixels and radians.
func _note_worst(facts: Dictionary, bone: Bone2D, place: Vector2, along: Vector2) -> void:
	var joint: Vector2 = _canvas() * bone.global_position
	facts["moved"] = maxf(facts["moved"], joint.distance_to(place))
	facts["turned"] = maxf(facts["turned"], absf((_end_of(bone) - joint).angle_to(along)))


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
