extends "res://tests/editor_suite.gd"
## In the editor: with its own library, rigs are previewed. That of games, which the editors for
## phones load, has nothing that keeps solved poses out of scenes, and so no rig shows any. An
## editor is started for this, with the library that the tested addon names: see
## [code]library_driver.gd[/code].

const DRIVER: String = "library_driver"
const ADDON: String = "res://addons/tendon/tendon.gdextension"


func test_rigs_are_previewed_where_scenes_are_kept_clean() -> void:
	var has_tools: bool = ".editor = " in FileAccess.get_file_as_string(ADDON)
	equal(seen.get("follows"), has_tools, "the bone follows the target")
	equal(seen.get("menu"), has_tools, "there is the menu")
	equal(seen.get("saved as it was"), true, "the scene is saved as it was")
	equal(seen.get("follows then"), has_tools, "the same after an update is unpacked")
	equal(seen.get("menu then"), has_tools, "there is the menu after that")
	expect_no_errors(["panic", "SCRIPT ERROR", "Tendon"])


## A release library does not survive being loaded anew, and so its package does not allow it.
func test_a_packaged_library_is_not_exchanged_in_a_running_editor() -> void:
	var text: String = FileAccess.get_file_as_string(ADDON)
	var is_packaged: bool = not ".editor = " in text
	equal("\nreloadable = true" in text, not is_packaged, "the file says that it may be exchanged")
	equal("\nreloadable = false" in text, is_packaged, "the file says that it may not")
	var refused: float = GDExtensionManager.LOAD_STATUS_FAILED
	equal(seen.get("reload") == refused, is_packaged, "the engine refuses: %s" % seen.get("reload"))


func _make_scenes() -> Dictionary:
	var root: Node2D = Node2D.new()
	var skeleton: Skeleton2D = Skeleton2D.new()
	root.add_child(skeleton)
	var bone: Bone2D = Bone2D.new()
	bone.name = "Bone"
	bone.rotation = 0.5
	bone.rest = bone.transform
	bone.set_autocalculate_length_and_angle(false)
	bone.set_length(50)
	skeleton.add_child(bone)
	var target: Marker2D = Marker2D.new()
	target.name = "Target"
	target.position = Vector2(100, 20)
	root.add_child(target)
	var rig: Node = ClassDB.instantiate(&"TendonRig2D")
	skeleton.add_child(rig)
	var modifier: Node = ClassDB.instantiate(&"TendonLookAt2D")
	rig.add_child(modifier)
	modifier.set("bone", bone)
	modifier.set("target", target)
	return {"arm": root}
