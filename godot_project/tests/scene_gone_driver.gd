@tool
extends "posing_driver.gd"
## What [code]test_scene_gone.gd[/code] has an editor do: hold something with the mouse, or leave a
## window open, while its scene goes or changes. Prints what it has seen as one line of JSON.

const HOLDS: PackedStringArray = ["target", "posed target", "bone", "limit", "stroke"]
const CHANGES: PackedStringArray = [
	"other tab", "tab and back", "closed", "loaded again", "deleted", "freed", "renamed", "moved"
]
const HELD: PackedStringArray = [
	"Target:position", "Skin:bones", "Skeleton/Still/Limit:max_angle", "Skeleton/Free:rotation"
]
const WINDOWS: PackedStringArray = ["Bake to Animation…", "Bake to Targets…", "Skin to Bones…"]
const ARM: String = "Skeleton/Rig/Arm"
const LIMIT: String = "Skeleton/Still/Limit"


func _stay() -> void:
	await _prepare()
	for hold: String in HOLDS:
		for change: String in CHANGES:
			_seen["%s, %s" % [hold, change]] = await _hold_while(hold, change)
	for entry: String in WINDOWS:
		_seen[entry] = await _leave_window_open(entry)


## Whether a window that was opened for a scene is open, there and in another scene.
func _leave_window_open(entry: String) -> Array:
	await _show("arm")
	await _select(["Skeleton", "Skin"] if "Skin" in entry else ["Skeleton"])
	await _pose(entry)
	var open: Array = []
	for scene: String in ["arm", "other"]:
		if scene == "other":
			await _show("other")
		open.append(
			_found("ConfirmationDialog").any(
				func(it: Window) -> bool: return it.visible and it.title in entry
			)
		)
	return open


func _hold_while(hold: String, change: String) -> Dictionary:
	print("HOLDING %s, %s" % [hold, change])
	await _open("arm")
	var facts: Dictionary = {"stored": _stored()}
	var place: Vector2 = await _take(hold)
	for step: int in 4:
		_move(place + Vector2(-7, -5) * step)
		await _wait(2)
	facts["held"] = _stored() != facts["stored"]
	var before: Dictionary = facts["stored"]
	await _change(change)
	var foreign: Array = _foreign()
	for step: int in 3:
		_move(place + Vector2(9, 5) * step)
		await _wait(2)
	_click(place + Vector2(18, 10), false)
	await _wait(6)
	facts["newly selected"] = _foreign().filter(func(it: Node) -> bool: return not it in foreign)
	facts["changed"] = []
	if change in ["other tab", "tab and back"]:
		await _show("arm")
		var after: Dictionary = _stored()
		for held: String in HELD:
			if after[held] != before[held]:
				facts["changed"].append(held)
	var selection: EditorSelection = EditorInterface.get_selection()
	facts["blocked"] = selection.is_blocking_signals()
	await _leave(change)
	facts.erase("stored")
	return facts


## What is selected and not in the scene that is edited. The engine leaves some of a scene that was
## loaded again.
func _foreign() -> Array:
	return EditorInterface.get_selection().get_selected_nodes().filter(
		func(node: Node) -> bool: return node != _root() and not _root().is_ancestor_of(node)
	)


## The brush takes events as they come from the window.
func _push(event: InputEventMouse) -> void:
	if not _weights_button().button_pressed:
		super._push(event)
		return
	event.position = _viewport.get_global_transform_with_canvas() * event.position
	event.global_position = event.position
	_viewport.get_viewport().push_input(event, true)


## Presses the mouse where [param hold] is taken. Returns that place.
func _take(hold: String) -> Vector2:
	_button().button_pressed = hold in ["posed target", "bone"]
	_weights_button().button_pressed = hold == "stroke"
	await _wait(3)
	await _look(1.0)
	var place: Vector2 = _end_of(_node("Skeleton/Bone0/Bone1"))
	match hold:
		"target", "limit":
			await _select([ARM if hold == "target" else LIMIT])
			var gizmos: Node = root.find_children("*", "TendonGizmoPlugin", true, false)[0]
			var handles: Dictionary = gizmos.call(&"get_handles")
			var key: String = "Target:position" if hold == "target" else LIMIT + ":max_angle"
			place = handles[key]
		"bone":
			await _select(["Skeleton/Free"])
			place = _end_of(_node("Skeleton/Free"))
		"stroke":
			await _select(["Skin"])
			var skin: Node2D = _node("Skin")
			place = _canvas() * skin.global_transform * Vector2(10, 5)
		_:
			await _select(["Skeleton/Bone0"])
	_move(place)
	await _wait(2)
	_click(place, true)
	return place


func _weights_button() -> Button:
	for button: Button in _found("Button"):
		if button.text == "Weights" and button.toggle_mode:
			return button
	return null


func _change(change: String) -> void:
	var parts: Array = ["Target", "Skeleton", "Skin"].map(_node)
	match change:
		"other tab":
			await _show("other")
		"tab and back":
			await _show("other")
			await _show("arm")
		"closed":
			EditorInterface.close_scene()
		"loaded again":
			EditorInterface.reload_scene_from_path("res://arm.tscn")
		"deleted":
			var history: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
			history.create_action("Delete", UndoRedo.MERGE_DISABLE, _root())
			for part: Node in parts:
				history.add_do_method(_root(), "remove_child", part)
				history.add_undo_method(_root(), "add_child", part, true)
				history.add_undo_property(part, "owner", _root())
				history.add_undo_reference(part)
			history.commit_action()
		"freed":
			for part: Node in parts:
				part.free()
		"renamed":
			for part: Node in parts:
				part.name += "Renamed"
		"moved":
			var folder: Node2D = Node2D.new()
			folder.position = Vector2(3, 4)
			_root().add_child(folder)
			for part: Node in parts:
				part.reparent(folder)
	await _wait(8)


## Brings the tab of a scene to the front, as Ctrl+Tab does.
func _show(scene: String) -> void:
	EditorInterface.open_scene_from_path("res://%s.tscn" % scene)
	await _wait(8)


## Has the scene as it is in its file.
func _leave(change: String) -> void:
	_button().button_pressed = false
	_weights_button().button_pressed = false
	if change == "deleted":
		_history().undo()
		await _wait(5)
	if change != "closed":
		await _show("arm")
		EditorInterface.close_scene()
		await _wait(8)
