@tool
extends "driver.gd"
## What [code]test_library.gd[/code] has an editor do: a target is moved, and the scene is saved.

const SCENE: String = "res://arm.tscn"


func _stay() -> void:
	EditorInterface.open_scene_from_path(SCENE)
	await _wait(10)
	EditorInterface.save_scene()
	var before: String = FileAccess.get_file_as_string(SCENE)
	var root: Node = EditorInterface.get_edited_scene_root()
	var bone: Bone2D = root.find_child("Bone")
	var target: Node2D = root.find_child("Target")
	var place: Vector2 = target.position
	target.position = Vector2(0, 100)
	await _wait(5)
	_seen["follows"] = bone.rotation != 0.5
	target.position = place
	await _wait(5)
	EditorInterface.save_scene()
	_seen["saved as it was"] = FileAccess.get_file_as_string(SCENE) == before
	var buttons: Array[Node] = EditorInterface.get_base_control().find_children(
		"*", "MenuButton", true, false
	)
	_seen["menu"] = buttons.any(func(button: MenuButton) -> bool: return button.text == "Tendon")
