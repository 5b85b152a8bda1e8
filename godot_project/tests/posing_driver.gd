@tool
extends "editor_tools_driver.gd"
## What [code]test_posing.gd[/code] has an editor do: pull bones in pose mode, with the mouse.
## Prints what it has seen as one line of JSON.

const ZOOMS: Array[float] = [0.1, 0.37, 1.0, 3.0, 10.0]
const DRAGS: int = 60

## Whether scenes are opened with pose mode on: each has its own.
var _poses: bool = false
var _viewport: Control
var _plugin: Node
var _random: RandomNumberGenerator = RandomNumberGenerator.new()


func _stay() -> void:
	await _prepare()
	_seen["button"] = [_button().visible, _button().shortcut.get_as_text()]
	await _press_shortcut()
	_seen["button"].append(_button().button_pressed)
	for scene: String in ["plain", "mirrored", "skewed", "limited"]:
		await _drag_at_random(scene)
	await _drag_otherwise()
	await _drag_driven()
	await _insert_keys()
	await _copy_poses()
	await _mirror_walk()
	await _copy_solved_poses()
	await _key_pasted_poses()


func _prepare() -> void:
	_random.seed = 28
	EditorInterface.set_main_screen_editor("2D")
	_viewport = _found("CanvasItemEditorViewport")[0]
	_plugin = root.find_children("*", "TendonPosePlugin", true, false)[0]
	await _open("plain")


func _press_shortcut() -> void:
	var event: InputEventKey = InputEventKey.new()
	event.keycode = KEY_B
	event.shift_pressed = true
	event.alt_pressed = true
	event.pressed = true
	root.push_input(event)
	_poses = true
	await _wait(5)


func _open(scene: String) -> void:
	await super._open(scene)
	if _poses:
		_button().button_pressed = true


func _button() -> Button:
	for button: Button in _found("Button"):
		if button.text == "Pose" and button.toggle_mode:
			return button
	return null


## Drags of random bones at each zoom, to where a random pose of the limb has the bone's end.
func _drag_at_random(scene: String) -> void:
	await _open(scene)
	var stored: Dictionary = _stored()
	var worst: Dictionary = {"miss": 0.0, "back": 0.0, "over limit": 0.0}
	var facts: Dictionary = {"drags": 0, "others": 0, "steps": 0, "undone": 0, "during": 0}
	for zoom: float in ZOOMS:
		await _look(zoom)
		for drag: int in DRAGS:
			_drag_one(facts, worst)
	facts.merge(worst)
	facts["same"] = _stored() == stored
	_seen[scene] = facts


## All that a file of the scene would contain, by node and property. The text of the file itself
## is no measure: the engine changes last bits of bones whenever it saves.
func _stored() -> Dictionary:
	var stored: Dictionary = {}
	for node: Node in [_root()] + _root().find_children("*", "", true, false):
		for property: Dictionary in node.get_property_list():
			if property["usage"] & PROPERTY_USAGE_STORAGE:
				var key: String = "%s:%s" % [_root().get_path_to(node), property["name"]]
				stored[key] = node.get(property["name"])
	return stored


func _drag_one(facts: Dictionary, worst: Dictionary) -> void:
	var all: Array[Node] = _all_bones()
	var press: Vector2 = _end_of(all[_random.randi_range(0, all.size() - 1)])
	var taken: PackedStringArray = _plugin.call("get_limb_at", press)
	var bone: Bone2D = _node(taken[0])
	press = _end_of(bone)
	if (_plugin.call("get_limb_at", press) as PackedStringArray)[0] != taken[0]:
		# Another bone ends at the same pixel.
		return
	var limb: Array = Array(taken).slice(1).map(_node)
	var goal: Vector2 = _random_end(bone, limb)
	if goal.distance_to(press) < 4.0:
		# A click.
		return
	var before: Array = _rotations(all)
	var version: int = _history().get_version()
	facts["drags"] += 1
	_click(press, true)
	for share: float in [0.3, 0.7, 1.0]:
		_move(press.lerp(goal, share))
	worst["miss"] = maxf(worst["miss"], _end_of(bone).distance_to(goal))
	worst["over limit"] = maxf(worst["over limit"], _over_limit(limb))
	facts["during"] += _history().get_version() - version
	_move(press)
	for index: int in all.size():
		var turn: float = absf(angle_difference(all[index].rotation, before[index]))
		worst["back"] = maxf(worst["back"], rad_to_deg(turn))
	_move(goal)
	_click(goal, false)
	facts["steps"] += _history().get_version() - version
	for index: int in all.size():
		if all[index] not in limb and all[index].rotation != before[index]:
			facts["others"] += 1
	_history().undo()
	facts["undone"] += int(_rotations(all) == before)


## Where a pose of [param limb] that is drawn by lot has the end of [param bone].
func _random_end(bone: Bone2D, limb: Array) -> Vector2:
	var before: Array = _rotations(limb)
	for node: Bone2D in limb:
		var limit: Node = node.get_node_or_null("Limit")
		var least: float = limit.get("min_angle") if limit != null else -1.2
		var most: float = limit.get("max_angle") if limit != null else 1.2
		node.rotation = node.rest.get_rotation() + _random.randf_range(least, most)
	var end: Vector2 = _end_of(bone)
	for index: int in limb.size():
		limb[index].rotation = before[index]
	return end


func _over_limit(limb: Array) -> float:
	var over: float = 0.0
	for bone: Bone2D in limb:
		var limit: Node = bone.get_node_or_null("Limit")
		if limit != null:
			var turn: float = angle_difference(bone.rest.get_rotation(), bone.rotation)
			over = maxf(over, limit.get("min_angle") - turn)
			over = maxf(over, turn - limit.get("max_angle"))
	return over


## Turning one bone alone, pins, Escape, clicks, and nothing selected.
func _drag_otherwise() -> void:
	await _open("plain")
	await _look(1.0)
	var all: Array[Node] = _all_bones()
	var hand: Bone2D = _root().find_child("Hand")
	var before: Array = _rotations(all)
	var facts: Dictionary = {}
	var press: Vector2 = _end_of(hand)
	var away: Vector2 = press + Vector2(30, -40)
	_click(press, true)
	_move(away, true)
	facts["alone"] = _turned(all, before)
	var escape: InputEventKey = InputEventKey.new()
	escape.keycode = KEY_ESCAPE
	escape.pressed = true
	_viewport.gui_input.emit(escape)
	facts["escaped"] = _rotations(all) == before
	facts["limb"] = _names(_plugin.call("get_limb_at", press))
	for pinned: String in ["Upper", "Hips"]:
		# Where two bones meet, the lower one would be pinned.
		var at: Vector2 = _middle_of(_root().find_child(pinned))
		_click(at, true, true)
		_click(at, false)
		facts["limb below " + pinned] = _names(_plugin.call("get_limb_at", press))
		_click(at, true, true)
		_click(at, false)
	var version: int = _history().get_version()
	_click(press, true)
	_click(press, false)
	facts["clicked"] = EditorInterface.get_selection().get_selected_nodes().map(
		func(node: Node) -> String: return str(node.name)
	)
	EditorInterface.get_selection().clear()
	await _wait(5)
	_click(press, true)
	_move(away)
	facts["without selection"] = _turned(all, before)
	_click(press, true, false, MOUSE_BUTTON_RIGHT)
	facts["right click"] = _rotations(all) == before
	facts["steps"] = _history().get_version() - version
	_seen["otherwise"] = facts


## A limb that a modifier turns: the target is moved instead.
func _drag_driven() -> void:
	await _open("driven")
	await _select(["Skeleton/Bone0"])
	await _look(1.0)
	var facts: Dictionary = {"base": await _base()}
	var target: Node2D = _node("Target")
	var before: Vector2 = target.position
	var press: Vector2 = _end_of(_node("Skeleton/Bone0/Bone1"))
	_click(press, true)
	for step: int in 6:
		_move(press + Vector2(-6, -4) * step)
		await _wait(2)
	_click(press + Vector2(-30, -20), false)
	await _wait(3)
	var way: Vector2 = target.position - before
	facts["moved"] = [way.x, way.y]
	facts["base after"] = await _base()
	facts["beyond"] = await _drag_beyond()
	_seen["driven"] = facts


## The same while the target is out of reach, and out of the window: the limb follows the mouse at
## once.
func _drag_beyond() -> Dictionary:
	var bone: Bone2D = _node("Skeleton/Bone0/Bone1")
	var target: Node2D = _node("Target")
	target.position = Vector2(3000, 2000)
	await _wait(5)
	var facts: Dictionary = {"status": _node("Skeleton/Rig").get_child(0).call("get_status")}
	var version: int = _history().get_version()
	var press: Vector2 = _end_of(bone)
	var goal: Vector2 = press + (_canvas() * bone.get_parent().global_position - press) * 0.5
	_click(press, true)
	for share: float in [0.2, 0.5, 0.8, 1.0]:
		_move(press.lerp(goal, share))
		await _wait(2)
	facts["gap"] = _end_of(bone).distance_to(goal)
	_click(goal, false)
	await _wait(3)
	facts["gap after"] = _end_of(bone).distance_to(goal)
	facts["steps"] = _history().get_version() - version
	_history().undo()
	facts["undone"] = target.position == Vector2(3000, 2000)
	return facts


func _insert_keys() -> void:
	var facts: Dictionary = {}
	for automatic: bool in [false, true]:
		await _open_animation("keys")
		_seek(0.5)
		await _wait(3)
		await _look(1.0)
		_key_button(true).button_pressed = automatic
		await _wait(3)
		var version: int = _history().get_version()
		var before: PackedStringArray = _toasts()
		var keys: Dictionary = _keys()
		var press: Vector2 = _end_of(_root().find_child("Hand"))
		_click(press, true)
		_move(press + Vector2(-25, 20))
		_click(press + Vector2(-25, 20), false)
		await _wait(3)
		var rotations: Dictionary = {}
		for bone: Node in _all_bones():
			rotations[str(bone.name)] = bone.get("rotation")
		var case: Dictionary = {"rotations": rotations, "keys": _keys(), "before": keys}
		case["steps"] = _history().get_version() - version
		case["told"] = _told_since(before)
		_history().undo()
		case["after"] = _keys()
		case["undone"] = _keys() == keys
		facts["on" if automatic else "off"] = case
	_key_button(true).button_pressed = false
	_seen["keys"] = facts


## Poses that are copied, reset, pasted and mirrored, and pasted to another character.
func _copy_poses() -> void:
	await _open("twins")
	await _select(["Skeleton"])
	var all: Array[Node] = _all_bones()
	for bone: Bone2D in all:
		bone.rotation += _random.randf_range(-1.5, 1.5)
		bone.position += Vector2(_random.randf_range(-5, 5), _random.randf_range(-5, 5))
	var facts: Dictionary = {"refused": await _pose("Paste Mirrored Pose")}
	var before: Array = _transforms(all)
	var ends: Dictionary = _ends(all)
	var version: int = _history().get_version()
	facts["told"] = await _pose("Copy Pose")
	facts["steps of a copy"] = _history().get_version() - version
	await _pose("Reset Pose")
	var rests: Array = all.map(func(bone: Bone2D) -> Transform2D: return bone.rest)
	facts["reset"] = _gap(_transforms(all), rests)
	_history().undo()
	facts["undone"] = _transforms(all) == before
	_history().redo()
	await _pose("Paste Pose")
	facts["pasted"] = _gap(_transforms(all), before)
	var mirrored: String = await _pose("Paste Mirrored Pose")
	facts["mirrored"] = {"before": ends, "after": _ends(all), "told": mirrored}
	facts["steps"] = _history().get_version() - version
	await _pose("Copy Pose")
	await _pose("Paste Mirrored Pose")
	facts["twice"] = _gap(_transforms(all), before)
	version = _history().get_version()
	facts["again"] = [await _pose("Paste Mirrored Pose"), _history().get_version() - version]
	await _copy_selected(facts, all)
	_seen["poses"] = facts


## One arm is copied, and the pose goes to the other one, and to another character.
func _copy_selected(facts: Dictionary, all: Array[Node]) -> void:
	await _select(["Skeleton"])
	await _pose("Reset Pose")
	var arm: Bone2D = _root().find_child("Arm_L")
	await _select([str(_root().get_path_to(arm))])
	arm.rotation += 0.7
	await _pose("Copy Pose")
	var before: Array = _rotations(all)
	await _pose("Paste Mirrored Pose")
	facts["other arm"] = _turned(all, before)
	before = _rotations(all)
	await _pose("Reset Pose")
	facts["reset alone"] = _turned(all, before)
	await _open("other_twins")
	await _select([str(_root().get_path_to(_root().find_child("Skeleton")))])
	all = _all_bones()
	before = _rotations(all)
	await _pose("Paste Pose")
	facts["in another scene"] = _turned(all, before)
	arm = _root().find_child("Arm_L")
	facts["turn"] = angle_difference(arm.rest.get_rotation(), arm.rotation)
	await _open("driven")
	await _select(["Skeleton"])
	facts["no such bones"] = await _pose("Paste Pose")


## Each of the eight poses of a walk, pasted mirrored, is to be the one half a walk later.
func _mirror_walk() -> void:
	await _open("walk")
	await _select(["Skeleton"])
	var facts: Dictionary = {"gap": 0.0, "stride": 0.0}
	for phase: int in 8:
		var before: Array = _stride(phase)
		await _pose("Copy Pose")
		await _pose("Paste Mirrored Pose")
		var mirrored: Array = _rotations(_all_bones())
		var other: Array = _stride(phase + 4)
		for bone: int in other.size():
			var gap: float = absf(angle_difference(mirrored[bone], other[bone]))
			var stride: float = absf(angle_difference(before[bone], other[bone]))
			facts["gap"] = maxf(facts["gap"], gap)
			facts["stride"] = maxf(facts["stride"], stride)
	_seen["walk"] = facts


## Gives the legs a pose of a walk. Returns the rotations of all bones.
func _stride(phase: int) -> Array:
	for bone: Bone2D in _all_bones():
		var turn: float = TAU * phase / 8.0 + (PI if str(bone.name).ends_with("R") else 0.0)
		if str(bone.name).begins_with("Thigh"):
			bone.rotation = bone.rest.get_rotation() + 0.6 * sin(turn)
		elif str(bone.name).begins_with("Shin"):
			bone.rotation = bone.rest.get_rotation() + 0.5 * maxf(0.0, cos(turn))
	return _rotations(_all_bones())


## While a rig is previewed, the base pose is copied and set.
func _copy_solved_poses() -> void:
	await _open("driven")
	await _select(["Skeleton"])
	var version: int = _history().get_version()
	var facts: Dictionary = {"base": await _base(), "shown": _shown()}
	await _pose("Copy Pose")
	facts["told"] = await _pose("Paste Pose")
	facts["steps"] = _history().get_version() - version
	facts["base after"] = await _base()
	await _pose("Reset Pose")
	await _pose("Paste Pose")
	facts["base pasted"] = await _base()
	_seen["solved poses"] = facts


func _key_pasted_poses() -> void:
	await _open("plain")
	var path: String = str(_root().get_path_to(_root().find_child("Skeleton")))
	for title: String in ["Upper", "Lower"]:
		var bone: Bone2D = _root().find_child(title)
		bone.rotation += 0.5
		bone.position += Vector2(4, -3)
	await _select([path])
	await _pose("Copy Pose")
	await _open_animation("keys")
	_seek(0.5)
	await _wait(3)
	_key_button(true).button_pressed = true
	await _select([path])
	var keys: Dictionary = _keys()
	var facts: Dictionary = {"told": await _pose("Paste Pose"), "keys": _keys()}
	_history().undo()
	facts["undone"] = _keys() == keys
	_key_button(true).button_pressed = false
	_seen["keyed poses"] = facts


## Chooses an entry of the Tendon menu. Returns what the editor says then, or why the entry is
## disabled.
func _pose(title: String) -> String:
	_tendon_menu().about_to_popup.emit()
	for menu: PopupMenu in _with_submenus(_tendon_menu()):
		var item: int = _item(menu, title)
		if item < 0:
			continue
		if menu.is_item_disabled(item):
			return menu.get_item_tooltip(item)
		var before: PackedStringArray = _toasts()
		menu.id_pressed.emit(menu.get_item_id(item))
		await _wait(3)
		for dialog: AcceptDialog in _found("AcceptDialog"):
			if dialog.title == "Tendon" and dialog.visible:
				dialog.hide()
				return dialog.dialog_text
		return _told_since(before)
	return "There is no such entry."


func _item(menu: PopupMenu, title: String) -> int:
	for item: int in menu.item_count:
		if menu.get_item_text(item) == title:
			return item
	return -1


func _transforms(bones: Array) -> Array:
	return bones.map(func(bone: Bone2D) -> Transform2D: return bone.transform)


func _gap(transforms: Array, others: Array) -> float:
	var gap: float = 0.0
	for index: int in transforms.size():
		var transform: Transform2D = transforms[index]
		for axis: int in 2:
			gap = maxf(gap, transform[axis].distance_to(others[index][axis]))
		# In pixels, of which there are a hundred.
		gap = maxf(gap, 0.01 * transform.origin.distance_to(others[index].origin))
	return gap


## Where bones end in the skeleton, by name.
func _ends(bones: Array) -> Dictionary:
	var skeleton: Node2D = _root().find_child("Skeleton")
	var to_skeleton: Transform2D = skeleton.global_transform.affine_inverse()
	var ends: Dictionary = {}
	for bone: Bone2D in bones:
		var end: Vector2 = to_skeleton * (_canvas().affine_inverse() * _end_of(bone))
		ends[str(bone.name)] = [end.x, end.y]
	return ends


func _seek(time: float) -> void:
	for editor: Node in _found("AnimationTimelineEdit"):
		editor.emit_signal("timeline_changed", time, false)


func _all_bones() -> Array[Node]:
	return _root().find_children("*", "Bone2D", true, false)


func _rotations(bones: Array) -> Array:
	return bones.map(func(bone: Bone2D) -> float: return bone.rotation)


func _turned(bones: Array, before: Array) -> Array:
	var turned: Array = []
	for index: int in bones.size():
		if bones[index].rotation != before[index]:
			turned.append(str(bones[index].name))
	return turned


func _names(paths: PackedStringArray) -> Array:
	return Array(paths).map(func(path: String) -> String: return path.get_file())


## Where a bone ends on the screen.
func _end_of(bone: Bone2D) -> Vector2:
	var end: Vector2 = Vector2.from_angle(bone.get_bone_angle()) * bone.get_length()
	for child: Node in bone.get_children():
		if child is Bone2D and bone.get_autocalculate_length_and_angle():
			end = (child as Bone2D).position
			break
	return _canvas() * (bone.global_transform * end)


## A place on the line of a bone on the screen.
func _middle_of(bone: Bone2D) -> Vector2:
	return (_canvas() * bone.global_position).lerp(_end_of(bone), 0.6)


func _canvas() -> Transform2D:
	return EditorInterface.get_editor_viewport_2d().global_canvas_transform


## Has the viewport show the scene at [param zoom], with all bones away from the rulers.
func _look(zoom: float) -> void:
	for widget: Node in _found("EditorZoomWidget"):
		if _viewport.get_parent().is_ancestor_of(widget) or widget.is_visible_in_tree():
			widget.emit_signal("zoom_changed", zoom)
	await _wait(3)
	var least: Vector2 = Vector2.INF
	for bone: Bone2D in _all_bones():
		least = least.min(bone.global_position).min(_canvas().affine_inverse() * _end_of(bone))
	least -= Vector2(100, 100) / zoom
	for bar: Node in _viewport.get_parent().find_children("*", "ScrollBar", true, false):
		var values: Range = bar
		values.allow_lesser = true
		values.allow_greater = true
		values.value = least.x if bar is HScrollBar else least.y
	await _wait(5)
	_seen["zoom %s" % zoom] = _canvas().get_scale().x


func _move(place: Vector2, shift: bool = false, keys: Array = []) -> void:
	var event: InputEventMouseMotion = InputEventMouseMotion.new()
	event.alt_pressed = KEY_ALT in keys
	event.ctrl_pressed = KEY_CTRL in keys
	event.position = place
	event.global_position = place
	event.shift_pressed = shift
	event.button_mask = MOUSE_BUTTON_MASK_LEFT
	_push(event)


func _click(
	place: Vector2,
	pressed: bool,
	alt: bool = false,
	button: MouseButton = MOUSE_BUTTON_LEFT,
	ctrl: bool = false
) -> void:
	var event: InputEventMouseButton = InputEventMouseButton.new()
	event.position = place
	event.global_position = place
	event.button_index = button
	event.pressed = pressed
	event.alt_pressed = alt
	event.ctrl_pressed = ctrl
	_push(event)


func _push(event: InputEventMouse) -> void:
	_viewport.gui_input.emit(event)
