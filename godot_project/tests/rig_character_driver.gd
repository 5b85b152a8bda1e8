@tool
extends "menu_driver.gd"
## What [code]test_rig_character.gd[/code] has an editor do. Prints what it has seen as one line of
## JSON.


func _stay() -> void:
	await _rig_character()
	await _rig_walker()
	await _rig_without_rest()


## A whole character: what the window says, what is added, and that it is one step.
func _rig_character() -> void:
	await _open("person")
	await _select(["Skeleton"])
	var before: Array = _pose()
	var facts: Dictionary = {}
	_choose("Rig a Character…")
	await _wait(5)
	var window: AcceptDialog = _dialog("Rig a Character")
	facts["told"] = _text_in(window)
	facts["offers"] = _choices_in(window)
	facts["motions"] = _motions_in(window)
	var history: UndoRedo = _history()
	var version: int = history.get_version()
	window.hide()
	window.confirmed.emit()
	await _wait(20)
	facts["steps"] = history.get_version() - version
	facts["added"] = []
	for modifier: Node in _node("Skeleton/TendonRig2D").get_children():
		facts["added"].append("%s %s" % [modifier.name, modifier.get_class()])
	facts["selected"] = EditorInterface.get_selection().get_selected_nodes().map(
		func(node: Node) -> String: return node.name
	)
	facts["targets"] = []
	for node: Node in _root().find_children("*Target", "Marker2D", true, false):
		facts["targets"].append("%s/%s" % [node.get_parent().name, node.name])
	facts["moved"] = 0.0
	var after: Array = _pose()
	for bone: int in before.size():
		var turn: float = absf(angle_difference(before[bone], after[bone]))
		facts["moved"] = maxf(facts["moved"], turn)
	await _select(["Skeleton"])
	facts["again"] = _greyed_out().get("Rig a Character…", "")
	history.undo()
	await _wait(5)
	facts["undone"] = not _root().has_node("Skeleton/TendonRig2D") and _pose() == before
	_seen["character"] = facts


## One with legs, which an animation moves: with feet and limits.
func _rig_walker() -> void:
	await _open("walker")
	await _select(["Skeleton"])
	var before: Array = _pose()
	var file: String = await _save()
	var facts: Dictionary = {}
	_choose("Rig a Character…")
	await _wait(5)
	var window: AcceptDialog = _dialog("Rig a Character")
	facts["offers"] = _choices_in(window)
	facts["told"] = _text_in(window)
	var choices: Array[Node] = window.find_children("*", "CheckBox", true, false)
	var places: Array = choices.map(func(choice: CheckBox) -> Vector2: return choice.position)
	for choice: CheckBox in choices:
		choice.button_pressed = true
	await _wait(2)
	facts["choices stay"] = (
		places == choices.map(func(choice: CheckBox) -> Vector2: return choice.position)
	)
	facts["told of both"] = _text_in(window)
	var version: int = _history().get_version()
	window.hide()
	window.confirmed.emit()
	await _wait(20)
	facts["steps"] = _history().get_version() - version
	facts["order"] = []
	facts["names"] = []
	facts["feet"] = {}
	for modifier: Node in _node("Skeleton/TendonRig2D").get_children():
		facts["order"].append(modifier.get_class())
		facts["names"].append(str(modifier.name))
		for foot: Node in modifier.get_children():
			facts["feet"][str(foot.name)] = [
				str(foot.get("limb").name), str(foot.get("foot_bone").name)
			]
			facts["led"] = foot.get("limb").get("target") == null
	facts["warnings"] = await _read_warnings()
	facts["limits"] = {}
	for limit: TendonJointLimit2D in _node("Skeleton").find_children(
		"*", "TendonJointLimit2D", true, false
	):
		facts["limits"][str(limit.get_parent().name)] = [
			roundf(rad_to_deg(limit.min_angle)), roundf(rad_to_deg(limit.max_angle))
		]
	facts["moved"] = 0.0
	var after: Array = _pose()
	for bone: int in before.size():
		var turn: float = absf(angle_difference(before[bone], after[bone]))
		facts["moved"] = maxf(facts["moved"], turn)
	_history().undo()
	await _wait(5)
	facts["undone"] = await _save() == file
	await _rig_by_choice(facts)
	_seen["walker"] = facts


## One leg springs, and the other one is left to its animation.
func _rig_by_choice(facts: Dictionary) -> void:
	await _select(["Skeleton"])
	_choose("Rig a Character…")
	await _wait(5)
	var window: AcceptDialog = _dialog("Rig a Character")
	for choice: CheckBox in window.find_children("*", "CheckBox", true, false):
		choice.button_pressed = false
	facts["told of targets"] = _text_in(window)
	_choose_motion(window, "LeftLeg", 1)
	_choose_motion(window, "RightLeg", 2)
	await _wait(2)
	facts["told of choice"] = _text_in(window)
	window.hide()
	window.confirmed.emit()
	await _wait(20)
	facts["chosen"] = _node("Skeleton/TendonRig2D").get_children().map(
		func(node: Node) -> String: return node.name
	)
	_history().undo()
	await _wait(5)


## Bones without a rest pose get the present one, in the same step. Pose mode says it is missing.
func _rig_without_rest() -> void:
	await _open("restless")
	var facts: Dictionary = {"posing": await _switch_pose_mode()}
	await _select(["Skeleton"])
	_choose("Rig a Character…")
	await _wait(5)
	var window: AcceptDialog = _dialog("Rig a Character")
	facts["offers"] = _choices_in(window)
	facts["told"] = _text_in(window)
	for choice: CheckBox in window.find_children("*", "CheckBox", true, false):
		choice.button_pressed = choice.text == "Joint limits"
	await _wait(2)
	facts["told without"] = _text_in(window)
	for choice: CheckBox in window.find_children("*", "CheckBox", true, false):
		choice.button_pressed = true
	await _wait(2)
	facts["told of limits"] = _text_in(window)
	var version: int = _history().get_version()
	window.hide()
	window.confirmed.emit()
	await _wait(20)
	facts["steps"] = _history().get_version() - version
	facts["rests"] = _rests_as_posed()
	facts["limits"] = _node("Skeleton").find_children("*", "TendonJointLimit2D", true, false).size()
	_history().undo()
	await _wait(5)
	facts["undone"] = _rests_as_posed()
	_seen["restless"] = facts


## How many bones have the pose that they hold as their rest pose.
func _rests_as_posed() -> int:
	var bones: Array[Node] = _node("Skeleton").find_children("*", "Bone2D", true, false)
	var as_posed: Callable = func(it: Bone2D) -> bool: return it.rest.is_equal_approx(it.transform)
	return bones.filter(as_posed).size()


## What is told as pose mode begins.
func _switch_pose_mode() -> bool:
	var base: Control = EditorInterface.get_base_control()
	var switches: Array[Node] = base.find_children("*", "Button", true, false).filter(
		func(it: Button) -> bool: return it.text == "Pose" and it.toggle_mode
	)
	var switch: Button = switches[0]
	switch.button_pressed = true
	await _wait(5)
	var labels: Array[Node] = base.find_children("*", "Label", true, false)
	var is_told: bool = labels.any(
		func(it: Label) -> bool: return it.text.begins_with("There is no rest pose of 12 bones")
	)
	switch.button_pressed = false
	await _wait(2)
	return is_told


func _text_in(window: Window) -> String:
	var longest: String = ""
	for label: Label in window.find_children("*", "Label", true, false):
		if label.text.length() > longest.length():
			longest = label.text
	return longest


## How the parts can be moved, by their names.
func _motions_in(window: Window) -> Dictionary:
	var motions: Dictionary = {}
	for choice: OptionButton in window.find_children("*", "OptionButton", true, false):
		var title: Label = choice.get_parent().get_child(choice.get_index() - 1)
		motions[title.text] = range(choice.item_count).map(choice.get_item_text)
	return motions


func _choose_motion(window: Window, part: String, motion: int) -> void:
	for choice: OptionButton in window.find_children("*", "OptionButton", true, false):
		var title: Label = choice.get_parent().get_child(choice.get_index() - 1)
		if title.text == part:
			choice.select(motion)
			choice.item_selected.emit(motion)


## The choices of a window that are shown, and whether they are made.
func _choices_in(window: Window) -> Dictionary:
	var choices: Dictionary = {}
	for choice: CheckBox in window.find_children("*", "CheckBox", true, false):
		if choice.visible:
			choices[choice.text] = choice.button_pressed
	return choices


func _history() -> UndoRedo:
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	return manager.get_history_undo_redo(manager.get_object_history_id(_root()))
