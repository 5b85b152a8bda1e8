@tool
extends "posing_driver.gd"
## What [code]test_posing_body.gd[/code] has an editor do: pin feet and hands, and pull the body,
## with the mouse. Prints what it has seen as one line of JSON.

const SCENES: Array[String] = [
	"manikin",
	"mirrored manikin",
	"stretched manikin",
	"skewed manikin",
	"limited manikin",
	"straight manikin",
	"nested manikin",
	"rigged manikin",
	"armed manikin",
	"mirrored armed manikin",
]


func _stay() -> void:
	_random.seed = 58
	EditorInterface.set_main_screen_editor("2D")
	_viewport = _found("CanvasItemEditorViewport")[0]
	_plugin = root.find_children("*", "TendonPosePlugin", true, false)[0]
	_poses = true
	for scene: String in SCENES:
		_seen[scene] = await _pull_body(scene)
	for scene: String in ["carrying manikin", "mirrored carrying manikin"]:
		_seen[scene] = await _pull_carrier(scene)
	_seen["keyed manikin"] = await _key_lean()
	_seen["body manikin"] = await _pull_effector()
	for scene: String in ["manikin", "armed manikin"]:
		_seen["strange " + scene] = await _be_strange(scene)


func _pull_body(scene: String) -> Dictionary:
	await _open(scene)
	await _look(1.0)
	var facts: Dictionary = {"free": await _pull_free()}
	EditorInterface.get_selection().clear()
	EditorInterface.get_selection().add_node(_bone("Hips"))
	await _wait(3)
	await _press_feet()
	facts["pins"] = _pinned()
	var hips: Vector2 = _canvas() * _bone("Hips").global_position
	var down: Vector2 = _way(Vector2(8, 24))
	facts["hips"] = await _pull("Hips", hips, [down * 0.4, down])
	facts["hips"]["miss"] = facts["hips"]["gap"]
	var hand: Vector2 = _end_of(_bone("Hand_L"))
	var far: Vector2 = _way(Vector2(420, -120))
	var steps: int = 160 if scene == "manikin" else 8
	var ways: Array = range(1, steps + 1).map(
		func(step: int) -> Vector2: return far * step / float(steps)
	)
	facts["far"] = await _pull("Hand_L", hand, ways)
	# The arm is too short for that, and the body goes along.
	var near: Vector2 = _way(Vector2(62, -48))
	facts["near"] = await _pull("Hand_L", hand, [near * 0.3, near * 0.6, near])
	facts["back"] = await _pull(
		"Hand_L", hand, [far * 0.1, far * 0.5, far, far * 0.3, Vector2.ZERO]
	)
	if _root().find_child("Rig") == null:
		# There, the target would move.
		var knee: Vector2 = _end_of(_bone("Thigh_L"))
		facts["knee"] = await _pull("Thigh_L", knee, [_way(Vector2(14, -3))])
	await _press_feet()
	facts["place"] = await _pin_place()
	return facts


func _bone(title: String) -> Bone2D:
	return _root().find_child(title)


## A way of the skeleton on the screen.
func _way(way: Vector2) -> Vector2:
	var skeleton: Node2D = _root().find_child("Skeleton")
	return (_canvas() * skeleton.global_transform).basis_xform(way)


func _press_feet() -> void:
	for button: Button in _found("Button"):
		if button.text == "Pin Feet":
			button.pressed.emit()
	await _wait(3)


func _pinned() -> Array:
	var pinned: Array = []
	for bone: Node in _all_bones():
		if bone.has_meta("_tendon_pin_"):
			pinned.append(str(bone.name))
	pinned.sort()
	return pinned


## Pulls a bone from [param press] by each of [param ways] in turn, and takes it back.
func _pull(title: String, press: Vector2, ways: Array) -> Dictionary:
	var all: Array[Node] = _all_bones()
	var before: Array = _held(all)
	var feet: Array = ["L", "R"].map(func(side: String) -> Bone2D: return _bone("Foot_" + side))
	var held: Array = feet.map(func(foot: Bone2D) -> Transform2D: return foot.global_transform)
	var hips: Vector2 = _bone("Hips").position
	var version: int = _history().get_version()
	var facts: Dictionary = {"moved": 0.0, "turned": 0.0, "leap": 0.0, "body": 0.0}
	_click(press, true)
	for step: int in ways.size():
		var way: Vector2 = ways[step]
		var shown: Array = _rotations(all)
		_move(press + way)
		await _wait(1)
		for index: int in all.size():
			var turn: float = absf(angle_difference(shown[index], all[index].rotation))
			# A straight arm bends fast at first.
			if step > 12:
				facts["leap"] = maxf(facts["leap"], turn)
		for index: int in 2:
			var now: Transform2D = feet[index].global_transform
			var was: Transform2D = held[index]
			facts["moved"] = maxf(facts["moved"], now.origin.distance_to(was.origin))
			facts["turned"] = maxf(facts["turned"], rad_to_deg(absf(now.x.angle_to(was.x))))
		facts["body"] = maxf(facts["body"], _bone("Hips").position.distance_to(hips))
	var taken: Vector2 = _canvas() * _bone(title).global_position
	if title != "Hips":
		taken = _end_of(_bone(title))
	facts["gap"] = taken.distance_to(press + ways[-1])
	facts["apart"] = 0.0
	for index: int in all.size():
		var turn: float = angle_difference(before[0][index], all[index].rotation)
		facts["apart"] = maxf(facts["apart"], rad_to_deg(absf(turn)))
	_click(press + ways[-1], false)
	await _wait(3)
	facts["steps"] = _history().get_version() - version
	if facts["steps"] > 0:
		_history().undo()
	await _wait(3)
	facts["undone"] = _held(all) == before
	return facts


## What a pull may change.
func _held(all: Array[Node]) -> Array:
	var targets: Array = _root().find_children("*", "Marker2D").map(
		func(target: Marker2D) -> Vector2: return target.position
	)
	return [_rotations(all), _bone("Hips").position, targets]


## Pulls a hand without pins: within its reach, and far beyond.
func _pull_free() -> Dictionary:
	var hand: Vector2 = _end_of(_bone("Hand_L"))
	var hips: Vector2 = _bone("Hips").position
	var spine: float = _bone("Spine").rotation
	var facts: Dictionary = {}
	_click(hand, true)
	_move(hand + _way(Vector2(-20, -30)))
	await _wait(3)
	facts["within"] = absf(_bone("Spine").rotation - spine)
	_move(hand + _way(Vector2(200, -140)))
	await _wait(3)
	facts["spine"] = rad_to_deg(absf(_bone("Spine").rotation - spine))
	facts["hips"] = _bone("Hips").position.distance_to(hips)
	_click(hand, true, false, MOUSE_BUTTON_RIGHT)
	await _wait(3)
	return facts


## Pins the tip of a hand by its place, pulls the hips, and releases it.
func _pin_place() -> Dictionary:
	var hand: Bone2D = _bone("Hand_R")
	var tip: Vector2 = _end_of(hand)
	var angle: float = hand.global_rotation
	_click_with_ctrl(tip)
	await _wait(3)
	var facts: Dictionary = {"pinned": hand.get_meta("_tendon_pin_", null) is Vector2}
	var press: Vector2 = _canvas() * _bone("Hips").global_position
	var way: Vector2 = _way(Vector2(22, 6))
	facts["moved"] = 0.0
	_click(press, true)
	for share: float in [0.3, 0.6, 1.0]:
		_move(press + way * share)
		await _wait(3)
		facts["moved"] = maxf(facts["moved"], _end_of(hand).distance_to(tip))
	facts["turned"] = rad_to_deg(absf(angle_difference(angle, hand.global_rotation)))
	_click(press, true, false, MOUSE_BUTTON_RIGHT)
	await _wait(3)
	_click_with_ctrl(tip)
	await _wait(3)
	facts["released"] = hand.has_meta("_tendon_pin_")
	return facts


func _click_with_ctrl(place: Vector2) -> void:
	for pressed: bool in [true, false]:
		_click(place, pressed, false, MOUSE_BUTTON_LEFT, true)


## Pins bones of the skeletons that a hand carries, one after the other, and pulls the body.
func _pull_carrier(scene: String) -> Dictionary:
	await _open(scene)
	await _look(1.0)
	var facts: Dictionary = {}
	for title: String in ["Blade", "Flag"]:
		for keeps_angle: bool in [false, true]:
			var tip: Vector2 = _end_of(_bone(title))
			for pressed: bool in [true, false]:
				_click(tip, pressed, keeps_angle, MOUSE_BUTTON_LEFT, not keeps_angle)
			await _wait(3)
			var case: String = title + (", angle" if keeps_angle else "")
			facts[case] = {"pins": _pinned()}
			for pulled: String in ["Hips", "Hand_L"]:
				facts[case][pulled] = await _pull_against(pulled, _bone(title))
			_bone(title).remove_meta("_tendon_pin_")
	return facts


## Pulls a bone, and takes it back: how far the mouse and what is pinned are missed.
func _pull_against(title: String, pinned: Bone2D) -> Dictionary:
	var press: Vector2 = _canvas() * _bone(title).global_position
	var way: Vector2 = _way(Vector2(16, 12))
	if title != "Hips":
		press = _end_of(_bone(title))
		way = _way(Vector2(130, -60))
	var before: Array = _held(_all_bones())
	# What keeps its angle may be stretched by what carries it.
	var place: Callable = _end_of
	if pinned.get_meta("_tendon_pin_") is bool:
		place = func(bone: Bone2D) -> Vector2: return bone.global_position
	var at: Vector2 = place.call(pinned)
	var angle: float = pinned.global_rotation
	var version: int = _history().get_version()
	var told: PackedStringArray = _toasts()
	var facts: Dictionary = {"moved": 0.0, "turned": 0.0}
	_click(press, true)
	for share: float in [0.2, 0.6, 1.0]:
		_move(press + way * share)
		await _wait(2)
		var off: float = place.call(pinned).distance_to(at)
		facts["moved"] = maxf(facts["moved"], off)
		var turn: float = rad_to_deg(absf(angle_difference(angle, pinned.global_rotation)))
		facts["turned"] = maxf(facts["turned"], turn)
	_click(press + way, false)
	await _wait(3)
	facts["told"] = _told_since(told)
	facts["steps"] = _history().get_version() - version
	_history().undo()
	await _wait(3)
	facts["undone"] = _held(_all_bones()) == before
	return facts


## Pulls a hand that a target drives so far that the body leans, while drags insert keys.
func _key_lean() -> Dictionary:
	await _open_animation("keyed manikin")
	_seek(0.5)
	await _wait(3)
	await _look(1.0)
	_key_button(true).button_pressed = true
	await _wait(3)
	var keys: Dictionary = _keys()
	var version: int = _history().get_version()
	var press: Vector2 = _end_of(_bone("Hand_L"))
	var way: Vector2 = _way(Vector2(150, -110))
	_click(press, true)
	for share: float in [0.3, 0.7, 1.0]:
		_move(press + way * share)
		await _wait(2)
	_click(press + way, false)
	await _wait(3)
	var target: Node2D = _root().find_child("TargetArmL")
	var facts: Dictionary = {
		"before": keys,
		"keys": _keys(),
		"spine": _bone("Spine").rotation,
		"target": [target.position.x, target.position.y],
		"steps": _history().get_version() - version,
	}
	_history().undo()
	await _wait(3)
	facts["undone"] = _keys() == keys
	_history().redo()
	await _wait(3)
	facts["redone"] = _keys() == facts["keys"]
	_key_button(true).button_pressed = false
	return facts


## Pulls a hand that is an effector of a full body.
func _pull_effector() -> Dictionary:
	await _open("body manikin")
	await _look(1.0)
	var press: Vector2 = _end_of(_bone("Hand_L"))
	var way: Vector2 = _way(Vector2(44, -20))
	var foot: Bone2D = _bone("Foot_L")
	var place: Transform2D = foot.global_transform
	var hips: Vector2 = _bone("Hips").position
	var targets: Array = _held([])[2]
	var version: int = _history().get_version()
	_click(press, true)
	for share: float in [0.25, 0.5, 0.75, 1.0]:
		_move(press + way * share)
		await _wait(5)
	# The body moves in time.
	await _wait(120)
	var facts: Dictionary = {
		"gap": _end_of(_bone("Hand_L")).distance_to(press + way),
		"moved": foot.global_position.distance_to(place.origin),
		"turned": rad_to_deg(absf(foot.global_transform.x.angle_to(place.x))),
		"body": _bone("Hips").position.distance_to(hips),
	}
	_click(press + way, false)
	await _wait(5)
	facts["steps"] = _history().get_version() - version
	_history().undo()
	await _wait(3)
	facts["undone"] = _held([])[2] == targets
	return facts


## What nobody expects while a hand is pulled, whose target is moved in one of the scenes.
func _be_strange(scene: String) -> Dictionary:
	await _open(scene)
	await _look(1.0)
	var facts: Dictionary = {"left": []}
	for title: String in ["tool", "many", "undo", "lock", "pin gone", "rig off"]:
		facts[title] = await _pull_strangely(title)
	for title: String in ["zoom", "tab", "deleted"]:
		facts[title] = await _disturb(title, scene)
	return facts


## One pull of a hand in some state of the editor: how far it is from the mouse, and how many steps
## that makes.
func _pull_strangely(title: String) -> Dictionary:
	var foot: Bone2D = _bone("Foot_L")
	var target: Node = _root().find_child("TargetArmL")
	var locked: Node = target if target != null else _bone("Hand_L")
	var rig: Node = _root().find_child("Rig")
	match title:
		"tool":
			_tool_buttons()[1].pressed.emit()
		"many":
			await _select([".", str(_root().get_path_to(foot))])
		"lock":
			locked.set_meta("_edit_lock_", true)
		"pin gone":
			foot.set_meta("_tendon_pin_", true)
			foot.get_parent().remove_child(foot)
		"rig off":
			if rig != null:
				rig.set("active", false)
	await _wait(3)
	var hand: Bone2D = _bone("Hand_L")
	var press: Vector2 = _end_of(hand)
	var goal: Vector2 = press + _way(Vector2(-24, -34))
	var before: Array = _held(_all_bones())
	var version: int = _history().get_version()
	var told: PackedStringArray = _toasts()
	_click(press, true)
	for share: float in [0.5, 1.0]:
		_move(press.lerp(goal, share))
		await _wait(2)
		if title == "undo" and share < 1.0:
			_history().undo()
			version = _history().get_version()
	var facts: Dictionary = {"gap": _end_of(hand).distance_to(goal)}
	_click(goal, false)
	await _wait(3)
	facts["steps"] = _history().get_version() - version
	facts["told"] = _told_since(told)
	if facts["steps"] > 0:
		_history().undo()
	await _wait(3)
	facts["undone"] = _held(_all_bones()) == before
	match title:
		"tool":
			_tool_buttons()[0].pressed.emit()
		"many":
			await _select([])
		"lock":
			locked.remove_meta("_edit_lock_")
		"pin gone":
			_bone("Shin_L").add_child(foot)
			foot.owner = _root()
			foot.remove_meta("_tendon_pin_")
		"rig off":
			if rig != null:
				rig.set("active", true)
	await _wait(5)
	return facts


## The tools of the 2D editor: to select, to move, and others.
func _tool_buttons() -> Array:
	return _found("Button").filter(
		func(button: Button) -> bool:
			return button.toggle_mode and button.pressed.get_connections().any(_is_tool)
	)


func _is_tool(connection: Dictionary) -> bool:
	return "_button_tool_select" in str(connection["callable"])


## What happens while a hand is held: the view changes, another scene is shown, or what is pulled is
## deleted.
func _disturb(title: String, scene: String) -> Dictionary:
	var hand: Bone2D = _bone("Hand_L")
	var press: Vector2 = _end_of(hand)
	var before: Array = _held(_all_bones())
	_click(press, true)
	_move(press + _way(Vector2(-12, -20)))
	await _wait(2)
	var goal: Vector2 = press + _way(Vector2(-20, -30))
	var facts: Dictionary = {}
	match title:
		"zoom":
			await _look(1.7)
			goal = _canvas() * (_bone("Hips").global_position + Vector2(60, -40))
			_move(goal)
			await _wait(2)
			facts["gap"] = _end_of(hand).distance_to(goal)
			_click(goal, true, false, MOUSE_BUTTON_RIGHT)
			await _look(1.0)
		"tab":
			await _open("rigged manikin")
			_move(goal)
			_click(goal, false)
			await _open(scene)
		"deleted":
			var target: Node = _root().find_child("TargetArmL")
			var gone: Node = target if target != null else hand
			var parent: Node = gone.get_parent()
			parent.remove_child(gone)
			await _wait(2)
			_move(goal)
			_click(goal, false)
			parent.add_child(gone)
			gone.owner = _root()
	await _wait(5)
	var after: Array = _held(_all_bones())
	after[2].sort()
	before[2].sort()
	facts["as before"] = after == before
	return facts
