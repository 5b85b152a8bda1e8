@tool
extends "menu_driver.gd"
## What [code]test_rig_character.gd[/code] has an editor do. Prints what it has seen as one line of
## JSON.


func _stay() -> void:
	await _rig_character()


## A whole character: what the window says, what is added, and that it is one step.
func _rig_character() -> void:
	await _open("person")
	await _select(["Skeleton"])
	var before: Array = _pose()
	var facts: Dictionary = {}
	_choose("Rig a Character…")
	await _wait(5)
	var window: AcceptDialog = _dialog("Rig a Character")
	facts["told"] = window.dialog_text
	var history: UndoRedo = _history()
	var version: int = history.get_version()
	window.hide()
	window.confirmed.emit()
	await _wait(20)
	facts["steps"] = history.get_version() - version
	facts["added"] = []
	for modifier: Node in _node("Skeleton/TendonRig2D").get_children():
		facts["added"].append("%s %s" % [modifier.name, modifier.get_class()])
	facts["targets"] = []
	for node: Node in _root().get_children():
		if str(node.name).ends_with("Target"):
			facts["targets"].append(str(node.name))
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


func _history() -> UndoRedo:
	var manager: EditorUndoRedoManager = EditorInterface.get_editor_undo_redo()
	return manager.get_history_undo_redo(manager.get_object_history_id(_root()))
