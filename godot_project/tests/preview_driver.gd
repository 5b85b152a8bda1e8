@tool
extends "driver.gd"
## What [code]test_preview.gd[/code] has an editor do to scenes that are being previewed. Prints
## what has come of it as one line of JSON: for each question, what was found and what should have
## been.

const SCENE: String = "res://%s.tscn"

var _undo_redo: EditorUndoRedoManager


func _stay() -> void:
	_undo_redo = EditorInterface.get_editor_undo_redo()
	for scene: String in ["limb", "tail", "mapped", "level", "heir"]:
		await _save_again_and_again(scene)
	await _save_what_is_carried_from_afar()
	for scene: String in ["limb", "tail"]:
		await _turn_in_inspector(scene)
		await _turn_in_viewport(scene)
		await _copy_character(scene)
		await _copy_bone(scene)
		await _leave_and_return(scene)
	await _save_with_reset_track()
	await _show_status()
	await _read_help()
	await _reload_extension()


## Saves with the target at many places, and at last where it was.
func _save_again_and_again(scene: String) -> void:
	await _open(scene)
	var before: String = _save(scene)
	var target: Node2D = _root().find_child("Target")
	var place: Vector2 = target.position
	var poses: Dictionary = {}
	for count: int in 12:
		target.position = place + Vector2(7 * count, -3 * count)
		await _wait(2)
		poses[str(_poses(_root().find_child("Skeleton")))] = true
		_save(scene)
	_ask(scene + ": the limb follows at once", poses.size(), 12)
	target.position = place
	await _wait(2)
	_ask(scene + ": saved again and again", _save(scene), before)


## A picture elsewhere in the tree, which a RemoteTransform2D below a bone moves.
func _save_what_is_carried_from_afar() -> void:
	await _open("remote")
	var target: Node2D = _root().find_child("Target")
	var saved: Dictionary = {}
	var shown: Dictionary = {}
	for count: int in 4:
		target.position += Vector2(7, -3)
		await _wait(3)
		shown[(_root().find_child("Drawn") as Node2D).position] = true
		var own: String = _save("remote").get_slice('[node name="Drawn"', 1)
		saved[own.get_slice("[node", 0)] = true
	_ask("remote: the picture follows at once", shown.size(), 4)
	_ask("remote: saved again and again", saved.size(), 1)


## Sets a bone's rotation as the inspector does: undo gives it what it held.
func _turn_in_inspector(scene: String) -> void:
	await _open(scene)
	var before: String = _save(scene)
	await _wait(3)
	var solved: float = _bone().rotation
	_undo_redo.create_action("Set rotation", UndoRedo.MERGE_DISABLE, _root())
	_undo_redo.add_do_property(_bone(), "rotation", 1.25)
	_undo_redo.add_undo_property(_bone(), "rotation", solved)
	_undo_redo.commit_action()
	await _wait(3)
	var turned: String = _save(scene)
	_ask(scene + ": a bone turned in the inspector is saved", "rotation = 1.25\n" in turned, true)
	await _travel(scene + ", inspector", scene, before, turned)


## Turns a bone over several frames as the viewport does, which remembers all of its state.
func _turn_in_viewport(scene: String) -> void:
	var before: String = _save(scene)
	await _wait(3)
	var start: Variant = _bone().call("_edit_get_state")
	for step: int in 5:
		_bone().rotation = 0.5 + 0.05 * step
		await _wait(1)
	await _wait(2)
	var end: Variant = _bone().call("_edit_get_state")
	_undo_redo.create_action("Rotate", UndoRedo.MERGE_DISABLE, _root())
	_undo_redo.add_do_method(_bone(), "_edit_set_state", end)
	_undo_redo.add_undo_method(_bone(), "_edit_set_state", start)
	_undo_redo.commit_action()
	await _wait(3)
	var turned: String = _save(scene)
	_ask(scene + ": a bone turned in the viewport is saved", "rotation = 0.7\n" in turned, true)
	await _travel(scene + ", viewport", scene, before, turned)


## Undoes and redoes the last action, together with one that moves the target.
func _travel(about: String, scene: String, before: String, turned: String) -> void:
	_press(KEY_Z)
	await _wait(3)
	_ask(about + ": undone", _save(scene), before)
	_press(KEY_Z, true)
	await _wait(3)
	_ask(about + ": redone", _save(scene), turned)
	var target: Node2D = _root().find_child("Target")
	_undo_redo.create_action("Move target", UndoRedo.MERGE_DISABLE, _root())
	_undo_redo.add_do_property(target, "position", target.position + Vector2(9, 9))
	_undo_redo.add_undo_property(target, "position", target.position)
	_undo_redo.commit_action()
	await _wait(3)
	_press(KEY_Z)
	await _wait(3)
	_ask(about + ": another action undone", _save(scene), turned)
	_press(KEY_Z, true)
	_press(KEY_Z)
	_press(KEY_Z)
	await _wait(3)
	_ask(about + ": two undone at once", _save(scene), before)


## Duplicates the whole character in the scene dock, and takes that back.
func _copy_character(scene: String) -> void:
	await _open(scene)
	var before: String = _save(scene)
	await _wait(3)
	var skeleton: Node = _root().find_child("Skeleton")
	var copy: Node = await _duplicate(skeleton)
	# The copy begins without memory.
	skeleton.get_node("Rig").call("reset")
	await _wait(2)
	_ask(scene + ": the copy is live", _poses(copy) == _poses(skeleton), true)
	copy.get_node("Rig").set("active", false)
	skeleton.get_node("Rig").set("active", false)
	_ask(scene + ": a character's copy has its base pose", _poses(copy), _poses(skeleton))
	skeleton.get_node("Rig").set("active", true)
	_press(KEY_Z)
	await _wait(3)
	_ask(scene + ": after copying a character", _save(scene), before)


## Duplicates a bone and what hangs on it, and takes that back.
func _copy_bone(scene: String) -> void:
	var before: String = _save(scene)
	await _wait(3)
	var copy: Node2D = await _duplicate(_bone())
	_root().find_child("Rig").set("active", false)
	_ask(scene + ": a bone's copy has its base pose", copy.rotation, _bone().rotation)
	_root().find_child("Rig").set("active", true)
	_press(KEY_Z)
	await _wait(3)
	_ask(scene + ": after copying a bone", _save(scene), before)


func _leave_and_return(scene: String) -> void:
	var before: String = _save(scene)
	await _wait(3)
	await _open("empty")
	EditorInterface.save_all_scenes()
	_ask(scene + ": saved in the background", _text(scene), before)
	await _open(scene)
	_ask(scene + ": after another tab", _save(scene), before)
	if EditorInterface.has_method("close_scene"):
		EditorInterface.call("close_scene")
		await _wait(5)
		_ask(scene + ": after closing its tab", _text(scene), before)


## An animation player puts its RESET pose into what is saved, and the present one back.
func _save_with_reset_track() -> void:
	await _open("reset")
	_root().find_child("Rig").set("active", false)
	var base: Array = _poses(_root().find_child("Skeleton"))
	_root().find_child("Rig").set("active", true)
	await _wait(3)
	var before: String = _save("reset")
	_ask("reset: the RESET pose is saved", "rotation = 0.33\n" in before, true)
	await _wait(3)
	_ask("reset: again", _save("reset"), before)
	await _wait(3)
	_root().find_child("Rig").set("active", false)
	_ask("reset: the base pose stays", _poses(_root().find_child("Skeleton")), base)


func _show_status() -> void:
	await _open("tail")
	var before: String = _save("tail")
	var modifier: Node = _root().find_child("Rig").get_child(0)
	EditorInterface.edit_node(modifier)
	await _wait(15)
	_ask("status: reached", _shown_status(), "Reached, 0.00 px, ")
	var target: Node2D = _root().find_child("Target")
	var place: Vector2 = target.position
	target.position = Vector2(9000, 0)
	await _settle()
	_ask("status: far away", _shown_status().begins_with("Out of reach, 8"), true)
	target.position = place
	modifier.set("target", null)
	await _settle()
	_ask("status: advice", _shown_status(), 'Idle, , Set "Target" to the Node2D to follow.')
	modifier.set("target", target)
	modifier.set("active", false)
	await _settle()
	_ask("status: inactive", _shown_status(), "Inactive, , ")
	modifier.set("active", true)
	await _settle()
	await _show_joint()
	_ask("status: nothing of it is saved", _save("tail"), before)


## A limit tells how its bone stands.
func _show_joint() -> void:
	var rig: Node = _root().find_child("Rig")
	rig.set("active", false)
	var limit: Node = ClassDB.instantiate("TendonJointLimit2D")
	_bone().add_child(limit)
	EditorInterface.edit_node(limit)
	await _wait(15)
	_ask("status: within the limit", _shown_status(), "Within its limit, 0.0°, ")
	limit.set("max_angle", 0.0)
	await _settle()
	_ask("status: at the limit", _shown_status(), "At its limit, 0.0°, ")
	var given: float = _bone().rotation
	_bone().rotation += deg_to_rad(12.0)
	limit.set("space", 1)
	await _settle()
	_ask("status: beyond the limit", _shown_status(), "Beyond its limit, 12.0°, ")
	_bone().rotation = given
	limit.free()
	rig.set("active", true)
	await _wait(3)


func _shown_status() -> String:
	var rows: Array[Node] = EditorInterface.get_inspector().find_children(
		"*", "TendonStatusRow", true, false
	)
	if rows.size() != 1:
		return "%d rows" % rows.size()
	var parts: PackedStringArray = []
	for label: Label in rows[0].find_children("*", "Label", true, false):
		parts.append(label.text)
	return ", ".join(parts)


## The text of each public class's page of the help.
func _read_help() -> void:
	var pages: Dictionary = {}
	var editor: ScriptEditor = EditorInterface.get_script_editor()
	for kind: String in ClassDB.get_class_list():
		if kind.begins_with("Tendon") and ClassDB.is_class_enabled(kind):
			pages[kind] = ""
	for kind: String in pages:
		editor.goto_help("class_name:" + kind)
		await _wait(3)
	for page: Node in editor.find_children("*", "EditorHelp", true, false):
		for text: RichTextLabel in page.find_children("*", "RichTextLabel", true, false):
			if pages.has(str(page.name)):
				pages[str(page.name)] += text.get_parsed_text()
	_seen["help"] = pages


func _reload_extension() -> void:
	await _open("tail")
	var before: String = _save("tail")
	await _wait(3)
	var solved: Array = _poses(_root().find_child("Skeleton"))
	print("RELOAD begins")
	var status: int = GDExtensionManager.reload_extension("res://tendon.gdextension")
	# As when the editor itself reloads it, which it does for changed files only.
	GDExtensionManager.extensions_reloaded.emit()
	await _wait(10)
	print("RELOAD ends")
	_ask("reload: goes well", status, GDExtensionManager.LOAD_STATUS_OK)
	_ask("reload: solved again", _poses(_root().find_child("Skeleton")), solved)
	var second: Node = _root().find_child("Rig").get_child(1)
	_ask("reload: properties are kept", second.get("tolerance"), 0.25)
	_ask("reload: base poses", _save("tail"), before)
	await _wait(3)
	var target: Node2D = _root().find_child("Target")
	target.position += Vector2(5, 5)
	await _wait(3)
	_ask("reload: still follows", _poses(_root().find_child("Skeleton")) != solved, true)
	await _read_help()


func _ask(question: String, found: Variant, expected: Variant) -> void:
	_seen[question] = {"found": found, "expected": expected}


func _open(scene: String) -> void:
	EditorInterface.open_scene_from_path(SCENE % scene)
	await _wait(10)


## Saves the scene that is open, and returns what is in its file then.
func _save(scene: String) -> String:
	EditorInterface.save_scene()
	return _text(scene)


func _text(scene: String) -> String:
	return FileAccess.get_file_as_string(SCENE % scene)


func _root() -> Node:
	return EditorInterface.get_edited_scene_root()


func _bone() -> Node2D:
	return _root().find_child("Bone1", true, false)


## Presses a key together with Ctrl.
func _press(key: Key, shift: bool = false) -> void:
	for pressed: bool in [true, false]:
		var event: InputEventKey = InputEventKey.new()
		event.keycode = key
		event.physical_keycode = key
		event.ctrl_pressed = true
		event.shift_pressed = shift
		event.pressed = pressed
		root.push_input(event)


## Duplicates [param node] with the key of the scene dock.
func _duplicate(node: Node) -> Node:
	var before: Array[Node] = node.get_parent().get_children()
	EditorInterface.get_selection().clear()
	EditorInterface.get_selection().add_node(node)
	await _wait(2)
	var base: Control = EditorInterface.get_base_control()
	for dock: Node in base.find_children("*", "SceneTreeDock", true, false):
		(dock.find_children("*", "Tree", true, false)[0] as Tree).grab_focus()
	_press(KEY_D)
	await _wait(3)
	for child: Node in node.get_parent().get_children():
		if not child in before:
			return child
	return null


func _poses(skeleton: Node) -> Array:
	var rotations: Array = []
	for bone: Node in skeleton.find_children("Bone*", "Bone2D", true, false):
		rotations.append(bone.get("rotation"))
	return rotations


## Long enough for the status in the inspector to be looked at again.
func _settle() -> void:
	await create_timer(0.4).timeout
	await _wait(3)
