@tool
extends "posing_driver.gd"
## What [code]test_posing_tools.gd[/code] has an editor do: drags that snap or keep an angle, keys
## for what is solved, targets for what is animated, other names for the sides, and the library of
## poses. Prints what it has seen as one line of JSON.

const SIDES: String = "tendon/posing/side_names"


func _stay() -> void:
	await _prepare()
	await _press_shortcut()
	await _keep_angles()
	await _snap()
	await _name_sides()
	await _key_solved_pose()
	await _bake_to_targets()
	await _use_library()
	await _hold_targets()
	await _keep_bends()
	await _mirror_targets()
	await _key_pose()
	await _hide_bones()


## With Alt while a wrist is pulled, and while a hand is.
func _keep_angles() -> void:
	var facts: Dictionary = {}
	for scene: String in ["plain", "skewed"]:
		await _open(scene)
		await _look(1.0)
		for title: String in ["Lower", "Hand"]:
			var hand: Node2D = _root().find_child("Hand")
			var bone: Bone2D = _root().find_child(title)
			var all: Array[Node] = _all_bones()
			var before: Array = _rotations(all)
			var angle: float = _angle_in_skeleton(hand)
			var press: Vector2 = _end_of(bone)
			var goal: Vector2 = press + Vector2(-14, 11)
			var version: int = _history().get_version()
			_click(press, true)
			for keys: Array in [[], [KEY_ALT]]:
				_move(press.lerp(goal, 0.5), false, keys)
				_move(goal, false, keys)
				var turn: float = angle_difference(angle, _angle_in_skeleton(hand))
				facts["%s %s %s" % [scene, title, keys.size()]] = turn
			facts["%s %s miss" % [scene, title]] = _end_of(bone).distance_to(goal)
			facts["%s %s turned" % [scene, title]] = _turned(all, before)
			_click(goal, false)
			facts["%s %s steps" % [scene, title]] = _history().get_version() - version
			_history().undo()
			facts["%s %s undone" % [scene, title]] = _rotations(all) == before
	_seen["kept angles"] = facts


func _angle_in_skeleton(node: Node2D) -> float:
	var skeleton: Node2D = _root().find_child("Skeleton")
	return (skeleton.global_transform.affine_inverse() * node.global_transform).x.angle()


## With Ctrl, and with the editor's buttons; a bone alone by steps of 15°.
func _snap() -> void:
	await _open("plain")
	await _look(1.0)
	var facts: Dictionary = {}
	var grid: Button = null
	for button: Button in _found("Button"):
		if button.tooltip_text.begins_with("Toggle grid snapping"):
			grid = button
	for is_on: bool in [false, true]:
		grid.button_pressed = is_on
		for keys: Array in [[], [KEY_CTRL]]:
			var hand: Bone2D = _root().find_child("Hand")
			var press: Vector2 = _end_of(hand)
			_click(press, true)
			_move(press + Vector2(-13.3, 9.1), false, keys)
			var end: Vector2 = _canvas().affine_inverse() * _end_of(hand)
			facts["%s %s" % [is_on, keys.size()]] = end.distance_to(end.snapped(Vector2(8, 8)))
			_move(press + Vector2(-13.3, 9.1), true, keys)
			var step: float = deg_to_rad(15.0)
			facts["alone %s %s" % [is_on, keys.size()]] = absf(
				hand.rotation - snappedf(hand.rotation, step)
			)
			_click(press, true, false, MOUSE_BUTTON_RIGHT)
	grid.button_pressed = false
	_seen["snapped"] = facts


## The bones of one arm end with "A", those of the other one with "B".
func _name_sides() -> void:
	await _open("twins")
	var default: PackedStringArray = ProjectSettings.get_setting(SIDES)
	var facts: Dictionary = {"default": default}
	for title: String in ["Arm", "Hand"]:
		_root().find_child(title + "_L").name = title + "A"
		_root().find_child(title + "_R").name = title + "B"
	# The scene dock selects again what was selected before.
	await _wait(20)
	var all: Array[Node] = _all_bones()
	var arm: Bone2D = _root().find_child("ArmA")
	arm.rotation += 0.4
	await _select([str(_root().get_path_to(arm))])
	await _pose("Copy Pose")
	var before: Array = _rotations(all)
	for names: String in ["A/B", "no pair"]:
		ProjectSettings.set_setting(SIDES, PackedStringArray([names]))
		facts["told " + names] = await _pose("Paste Mirrored Pose")
	facts["turned"] = _turned(all, before)
	ProjectSettings.set_setting(SIDES, default)
	for title: String in ["Arm", "Hand"]:
		_root().find_child(title + "A").name = title + "_L"
		_root().find_child(title + "B").name = title + "_R"
	await _wait(20)
	_seen["sides"] = facts


## Where no animation is edited, at a time without keys, and taken back.
func _key_solved_pose() -> void:
	await _open("solved_keys")
	await _select(["Skeleton"])
	var facts: Dictionary = {"without": await _pose("Key Solved Pose")}
	await _open_animation("solved_keys")
	_seek(0.5)
	await _wait(5)
	await _select(["Skeleton"])
	var version: int = _history().get_version()
	facts["shown"] = _shown()
	facts["before"] = await _base()
	facts["keys before"] = _keys()
	facts["told"] = await _pose("Key Solved Pose")
	facts["steps"] = _history().get_version() - version
	facts["keys"] = _keys()
	facts["base"] = await _base()
	facts["shown after"] = _shown()
	# A base pose that equals what is shown cannot be told from it.
	_node("Skeleton/Rig").set("preview_in_editor", false)
	for time: float in [0.0, 0.5]:
		_seek(time)
		await _wait(5)
	facts["played"] = _shown()
	_node("Skeleton/Rig").set("preview_in_editor", true)
	_history().undo()
	await _wait(3)
	_seek(0.5)
	await _wait(3)
	facts["undone"] = _keys() == facts["keys before"]
	facts["base undone"] = await _base()
	await _select(["Skeleton/Bone0/Bone1"])
	await _pose("Key Solved Pose")
	facts["of one bone"] = _keys()
	_seen["key solved"] = facts


## Swinging limbs with a target each become keys of these targets, whatever these are placed in.
func _bake_to_targets() -> void:
	await _open_animation("swing")
	(_node("Target") as Node2D).top_level = true
	(_node("Target").get_parent() as Node2D).position = Vector2(30, -20)
	await _select(["Skeleton/Rig"])
	var facts: Dictionary = {"keys before": _keys(), "base": await _base()}
	await _pose("Bake to Targets…")
	var window: ConfirmationDialog = null
	for dialog: ConfirmationDialog in _found("ConfirmationDialog"):
		if dialog.title == "Bake to Targets":
			window = dialog
	facts["open"] = window.visible
	facts["offered"] = []
	for choice: CheckBox in window.find_children("*", "CheckBox", true, false):
		facts["offered"].append([choice.text, choice.button_pressed])
	var version: int = _history().get_version()
	var before: PackedStringArray = _toasts()
	window.hide()
	window.confirmed.emit()
	await _wait(5)
	facts["told"] = _told_since(before)
	facts["steps"] = _history().get_version() - version
	facts["base after"] = await _base()
	facts["keys"] = _keys()
	facts["worst"] = _worst_difference()
	await _wait(5)
	_history().undo()
	await _wait(3)
	facts["undone"] = _keys() == facts["keys before"]
	_seen["targets"] = facts


## By how much the solved pose differs from the bones' keys, at times between the samples.
func _worst_difference() -> Dictionary:
	var player: AnimationPlayer = _node("Player")
	var animation: Animation = player.get_animation("swing")
	var rig: TendonRig2D = _node("Skeleton/Rig")
	var worst: Dictionary = {"angle": 0.0, "gap": 0.0, "reached": true}
	for step: int in 200:
		var time: float = animation.length * (step + 0.37) / 200.0
		player.assigned_animation = "swing"
		rig.restore_pose()
		player.seek(time, true)
		var animated: Array = _bones().map(func(bone: Bone2D) -> float: return bone.rotation)
		var end: Vector2 = _end_of(_bones()[-1])
		rig.advance(0.0)
		for index: int in animated.size():
			var turn: float = angle_difference(animated[index], _bones()[index].rotation)
			worst["angle"] = maxf(worst["angle"], absf(rad_to_deg(turn)))
		worst["gap"] = maxf(worst["gap"], _end_of(_bones()[-1]).distance_to(end))
	rig.restore_pose()
	return worst


## A pose is stored, applied with a click, blended, renamed and removed; and applied to another
## character.
func _use_library() -> void:
	await _open("twins")
	await _select(["Skeleton"])
	await _pose("Reset Pose")
	_poses_button().button_pressed = true
	await _wait(5)
	var dock: Control = root.find_children("Poses", "VBoxContainer", true, false)[0]
	var list: ItemList = dock.find_children("*", "ItemList", true, false)[0]
	var all: Array[Node] = _all_bones()
	var rest: Array = _rotations(all)
	for bone: Bone2D in all:
		bone.rotation += _random.randf_range(-1.5, 1.5)
		bone.position += Vector2(3, -4)
	var stored: Array = _transforms(all)
	var arm: Bone2D = _root().find_child("Arm_L")
	var bend: float = angle_difference(arm.rest.get_rotation(), arm.rotation)
	var facts: Dictionary = {"empty": list.item_count}
	facts["told"] = await _press_in(dock, "Store", "Bent")
	facts["listed"] = _items(list)
	facts["file"] = FileAccess.get_file_as_string("res://poses.tres").left(60)
	await _pose("Reset Pose")
	var version: int = _history().get_version()
	await _click_item(list, 0)
	facts["applied"] = _gap(_transforms(all), stored)
	facts["steps"] = _history().get_version() - version
	var slider: HSlider = dock.find_children("*", "HSlider", true, false)[0]
	slider.drag_started.emit()
	for share: float in [0.9, 0.2, 0.5]:
		slider.value = share
		await _wait(2)
	var half: Array = _rotations(all)
	facts["steps while held"] = _history().get_version() - version
	slider.drag_ended.emit(true)
	facts["half"] = 0.0
	for index: int in all.size():
		var whole: float = angle_difference(rest[index], stored[index].get_rotation())
		var turn: float = angle_difference(rest[index], half[index])
		facts["half"] = maxf(facts["half"], absf(turn - 0.5 * whole))
	facts["stays"] = _rotations(all) == half
	facts["steps of the slider"] = _history().get_version() - version
	_history().undo()
	facts["undone"] = _gap(_transforms(all), stored)
	slider.value = 1.0
	await _press_in(dock, "Rename", "Crouch")
	facts["renamed"] = _items(list)
	facts["chosen"] = Array(list.get_selected_items())
	await _press_in(dock, "Store", "Second")
	facts["second"] = _items(list)
	_history().undo()
	await _wait(3)
	facts["taken back"] = _items(list)
	facts["in the file"] = _poses_in_file()
	await _open("other_twins")
	EditorInterface.get_selection().clear()
	await _wait(3)
	list.select(0)
	await _click_item(list, 0)
	arm = _root().find_child("Arm_L")
	facts["in another scene"] = angle_difference(
		bend, angle_difference(arm.rest.get_rotation(), arm.rotation)
	)
	await _press_in(dock, "Remove", "")
	facts["removed"] = _items(list)
	_poses_button().button_pressed = false
	facts["closed"] = root.find_children("Poses", "VBoxContainer", true, false).is_empty()
	_seen["library"] = facts


## A pose of a limb that is brought to a target: stored, applied, blended, copied and pasted.
func _hold_targets() -> void:
	await _open("driven")
	await _select(["Skeleton"])
	var target: Node2D = _node("Target")
	var before: Vector2 = target.position
	_poses_button().button_pressed = true
	await _wait(5)
	var dock: Control = root.find_children("Poses", "VBoxContainer", true, false)[0]
	var list: ItemList = dock.find_children("*", "ItemList", true, false)[0]
	var raised: Vector2 = before + Vector2(24, -40)
	target.position = raised
	target.rotation = 0.6
	await _wait(3)
	var facts: Dictionary = {"shown": _shown()}
	await _press_in(dock, "Store", "Raised")
	await _pose("Copy Pose")
	target.position = before
	target.rotation = 0.0
	await _wait(3)
	var version: int = _history().get_version()
	await _click_item(list, _items(list).find("Raised"))
	await _wait(3)
	facts["applied"] = target.position.distance_to(raised) + absf(target.rotation - 0.6)
	facts["shown after"] = _shown()
	facts["steps"] = _history().get_version() - version
	(dock.find_children("*", "HSlider", true, false)[0] as HSlider).value = 0.5
	await _wait(3)
	facts["half"] = target.position.distance_to(before.lerp(raised, 0.5))
	while _history().get_version() > version:
		_history().undo()
	facts["undone"] = target.position == before
	await _pose("Paste Pose")
	facts["pasted"] = target.position.distance_to(raised)
	_poses_button().button_pressed = false
	_seen["targets held"] = facts


## To which side a limb bends is a part of its pose: stored, applied, blended, copied, pasted and
## reset.
func _keep_bends() -> void:
	var facts: Dictionary = {}
	for scene: String in ["driven", "driven mirrored"]:
		facts[scene] = await _keep_bend(scene)
	_seen["bends"] = facts


func _keep_bend(scene: String) -> Dictionary:
	await _open(scene)
	await _select([str(_root().get_path_to(_root().find_child("Skeleton")))])
	var limb: TendonTwoBoneIK2D = _root().find_children("*", "TendonTwoBoneIK2D", true, false)[0]
	_poses_button().button_pressed = true
	await _wait(5)
	var dock: Control = root.find_children("Poses", "VBoxContainer", true, false)[0]
	var list: ItemList = dock.find_children("*", "ItemList", true, false)[0]
	var facts: Dictionary = {"at first": _rotations(_all_bones())}
	facts["at rest"] = _all_bones().map(func(it: Bone2D) -> float: return it.rest.get_rotation())
	limb.flip_bend_direction = true
	await _wait(5)
	facts["flipped"] = _rotations(_all_bones())
	await _press_in(dock, "Store", "Flipped " + scene)
	await _pose("Copy Pose")
	var version: int = _history().get_version()
	facts["told"] = await _pose("Reset Pose")
	await _wait(3)
	facts["reset"] = [limb.flip_bend_direction, _history().get_version() - version]
	facts["shown when reset"] = _rotations(_all_bones())
	_history().undo()
	await _wait(3)
	facts["reset undone"] = limb.flip_bend_direction
	_history().redo()
	await _wait(3)
	await _click_item(list, _items(list).find("Flipped " + scene))
	await _wait(3)
	facts["applied"] = [limb.flip_bend_direction, _history().get_version() - version]
	facts["shown when applied"] = _rotations(_all_bones())
	var slider: HSlider = dock.find_children("*", "HSlider", true, false)[0]
	for share: float in [0.2, 0.9]:
		slider.value = share
		await _wait(2)
		facts["at %s" % share] = limb.flip_bend_direction
	slider.value = 1.0
	while _history().get_version() > version + 1:
		_history().undo()
	facts["undone"] = limb.flip_bend_direction
	await _pose("Paste Pose")
	facts["pasted"] = limb.flip_bend_direction
	_poses_button().button_pressed = false
	return facts


## The poses of two arms with targets, mirrored, and mirrored again.
func _mirror_targets() -> void:
	await _open("rigged_twins")
	await _select(["Skeleton"])
	await _wait(5)
	var first: Node2D = _node("First")
	var second: Node2D = _node("Second")
	var rig: TendonRig2D = _node("Skeleton/Rig")
	var all: Array[Node] = _all_bones()
	for state: Array in [[first, Vector2(14, -9), 0.4], [second, Vector2(3, 17), -0.9]]:
		(state[0] as Node2D).position += state[1]
		(state[0] as Node2D).rotation = state[2]
	rig.advance(0.0)
	var facts: Dictionary = {"before": _ends(all)}
	var places: Array = [first.transform, second.transform]
	facts["told"] = await _pose("Copy Pose")
	await _pose("Paste Mirrored Pose")
	for pass_count: int in 30:
		rig.advance(0.1)
	facts["after"] = _ends(all)
	await _pose("Copy Pose")
	await _pose("Paste Mirrored Pose")
	facts["twice"] = _gap([first.transform, second.transform], places)
	_seen["targets mirrored"] = facts


## The base pose of a whole character, of a limb, and of what is brought to a target, as keys.
func _key_pose() -> void:
	var facts: Dictionary = {}
	await _open("plain")
	await _select(["Skeleton"])
	facts["without"] = await _pose("Key Whole Character")
	for title: String in ["Key Limb", "Key Whole Character"]:
		await _open_animation("keys")
		_seek(0.5)
		await _wait(3)
		var hand: Node = _root().find_child("Hand")
		var path: String = "Skeleton" if title != "Key Limb" else str(_root().get_path_to(hand))
		await _select([path])
		var upper: Bone2D = _root().find_child("Upper")
		upper.rotation = upper.rest.get_rotation() + 0.4
		var version: int = _history().get_version()
		var before: Dictionary = _keys()
		var case: Dictionary = {"told": await _pose(title), "keys": _keys(), "before": before}
		var track: String = "%s:rotation" % _root().get_path_to(upper)
		case["posed"] = angle_difference(case["keys"]["walk " + track][0], upper.rotation)
		case["reset"] = angle_difference(
			case["keys"]["RESET " + track][0], upper.rest.get_rotation()
		)
		case["stays"] = absf(angle_difference(upper.rest.get_rotation(), upper.rotation))
		case["steps"] = _history().get_version() - version
		_history().undo()
		await _wait(3)
		case["undone"] = _keys() == before
		facts[title] = case
	await _open_animation("swing")
	await _select(["Skeleton"])
	facts["interpolations"] = await _key_as_elsewhere()
	var target: Node2D = _node("Target")
	target.position += Vector2(-15, 12)
	var place: Vector2 = target.position
	await _pose("Key Whole Character")
	facts["with a target"] = _keys().keys()
	facts["target stays"] = target.position == place
	# The target is on the top level.
	var at_rest: Vector2 = _keys()["RESET Target:position"][0]
	facts["target at rest"] = at_rest.distance_to(_tip_at_rest())
	_history().undo()
	_seen["keyed pose"] = facts


## How a bone without a track is keyed, which another animation turns without regard to angles.
func _key_as_elsewhere() -> Array:
	var player: AnimationPlayer = _node("Player")
	var edited: Animation = player.get_animation("swing")
	var path: NodePath = "%s:rotation" % _root().get_path_to(_bones()[0])
	var own: int = edited.find_track(path, Animation.TYPE_VALUE)
	var kept: Animation = edited.duplicate()
	edited.remove_track(own)
	var other: Animation = Animation.new()
	other.track_set_path(other.add_track(Animation.TYPE_VALUE), path)
	other.track_set_interpolation_type(0, Animation.INTERPOLATION_CUBIC)
	other.track_insert_key(0, 0.0, 0.2)
	player.get_animation_library("").add_animation("other", other)
	await _pose("Key Whole Character")
	var types: Array = []
	for title: String in ["swing", "RESET"]:
		var animation: Animation = player.get_animation(title)
		var track: int = animation.find_track(path, Animation.TYPE_VALUE)
		types.append(animation.track_get_interpolation_type(track))
	_history().undo()
	player.get_animation_library("").remove_animation("other")
	kept.copy_track(own, edited)
	await _wait(3)
	return types


## Where the arm ends in its rest pose.
func _tip_at_rest() -> Vector2:
	var skeleton: Node2D = _node("Skeleton")
	var frame: Transform2D = skeleton.global_transform
	for bone: Bone2D in _bones():
		frame *= bone.rest
	return frame * Vector2(_bones()[-1].get_length(), 0)


## Bones that are hidden cannot be taken; they are shown again, and both can be undone.
func _hide_bones() -> void:
	await _open("plain")
	await _look(1.0)
	var hand: Bone2D = _root().find_child("Hand")
	var place: Vector2 = _end_of(hand)
	var facts: Dictionary = {"before": _limb_at(place)}
	await _select(["Skeleton"])
	facts["none"] = await _pose("Hide Bones")
	facts["none to show"] = await _pose("Show All Bones")
	await _select([str(_root().get_path_to(hand))])
	await _pose("Hide Bones")
	facts["hidden"] = _limb_at(place)
	var before: float = hand.rotation
	_click(place, true)
	_move(place + Vector2(20, -15))
	_move(place + Vector2(30, -25))
	_click(place + Vector2(30, -25), false)
	facts["stays"] = hand.rotation == before
	facts["again"] = await _pose("Hide Bones")
	EditorInterface.save_scene()
	facts["saved"] = "_tendon_hidden_" in FileAccess.get_file_as_string("res://plain.tscn")
	_history().undo()
	facts["undone"] = _limb_at(place)
	_history().redo()
	await _select(["Skeleton"])
	await _pose("Show All Bones")
	facts["shown"] = _limb_at(place)
	_seen["hidden"] = facts


func _limb_at(place: Vector2) -> Array:
	return _names(_plugin.call("get_limb_at", place))


func _poses_button() -> Button:
	for button: Button in _found("Button"):
		if button.text == "Poses" and button.toggle_mode:
			return button
	return null


func _poses_in_file() -> Array:
	var mode: ResourceLoader.CacheMode = ResourceLoader.CACHE_MODE_IGNORE
	return Array(ResourceLoader.load("res://poses.tres", "", mode).call("get_pose_list"))


func _items(list: ItemList) -> Array:
	return range(list.item_count).map(func(index: int) -> String: return list.get_item_text(index))


## Types [param text] into the dock, and presses a button. Returns what the editor says then.
func _press_in(dock: Control, title: String, text: String) -> String:
	(dock.find_children("*", "LineEdit", true, false)[-1] as LineEdit).text = text
	var before: PackedStringArray = _toasts()
	for button: Button in dock.find_children("*", "Button", true, false):
		if button.text == title:
			button.pressed.emit()
	await _wait(3)
	return _told_since(before)


## Clicks an item with the mouse.
func _click_item(list: ItemList, index: int) -> void:
	var place: Vector2 = list.get_item_rect(index).get_center()
	for is_pressed: bool in [true, false]:
		var event: InputEventMouseButton = InputEventMouseButton.new()
		event.button_index = MOUSE_BUTTON_LEFT
		event.pressed = is_pressed
		event.position = list.get_global_transform_with_canvas() * place
		event.global_position = event.position
		list.get_viewport().push_input(event, true)
	await _wait(3)
