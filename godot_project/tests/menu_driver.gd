@tool
extends "driver.gd"
## What [code]test_menu.gd[/code] has an editor do: every entry of the Tendon menu, as a user
## would, with undo, redo and saving. Prints what it has seen as one line of JSON.

const UPPER: String = "Skeleton/Hip/Upper"
const LOWER: String = "Skeleton/Hip/Upper/Lower"
const HAND: String = "Skeleton/Hip/Upper/Lower/Hand"
const TAIL: String = "Skeleton/Hip/Tail"


func _stay() -> void:
	await _add_modifiers()
	await _change_poses()
	await _see_what_does_not_fit()
	for scene: String in ["stack", "mirrored_stack", "odd_stack"]:
		await _convert(scene)
	await _bake()
	await _bake_springs()
	await _bake_scripts()
	await _reload()


## Whether the menu is there, and what it offers.
func _see_menu() -> void:
	await _open("nothing")
	_seen["menu"] = [_menu().visible]
	await _open("arm")
	_seen["menu"].append(_menu().visible)
	await _select(["Skeleton"])
	_seen["menu"].append(_menu().visible)
	await _select(["Plain"])
	_seen["menu"].append(_menu().visible)
	_seen["menu of another node"] = _greyed_out().size()
	await _select([LOWER + "/Sprite"])
	var reasons: Dictionary = _greyed_out()
	_seen["menu of a sprite"] = [reasons.has("Add Look-At"), _tooltip("Add Look-At")]
	var popup: PopupMenu = _menu().get_popup()
	_seen["entries without icons"] = []
	_seen["entries"] = 0
	# They are the first group.
	_seen["entries of modifiers"] = 0
	while not popup.is_item_separator(_seen["entries of modifiers"]):
		_seen["entries of modifiers"] += 1
	_seen["menu height"] = popup.get_contents_minimum_size().y / EditorInterface.get_editor_scale()
	for menu: PopupMenu in _with_submenus(popup):
		_see_entries(menu)


func _see_entries(menu: PopupMenu) -> void:
	for item: int in menu.item_count:
		if menu.is_item_separator(item) or menu.get_item_submenu_node(item) != null:
			continue
		_seen["entries"] += 1
		if menu.get_item_icon(item) == null:
			_seen["entries without icons"].append(menu.get_item_text(item))


func _add_modifiers() -> void:
	await _open("arm")
	await _see_menu()
	_seen["base"] = _pose()
	await _add("look at", [HAND], "Add Look-At")
	await _add("two bones of one", [UPPER], "Add Two-Bone IK")
	await _add("two bones of three", [HAND, UPPER, LOWER], "Add Two-Bone IK")
	await _add("ccd", [LOWER, UPPER], "Add CCD IK")
	await _add("fabrik", ["Skeleton/Hip"], "Add FABRIK")
	var ends: Array = ["Skeleton/Hip", HAND, TAIL + "/TailEnd"]
	await _add("full body", ends, "Add Full-Body IK")
	await _add("spline", ["Skeleton/Hip"], "Add Spline IK")
	await _add("spring", [TAIL, TAIL + "/TailEnd"], "Add Spring")
	await _add("copy", [HAND], "Add Copy Transform")
	await _add("script", [HAND], "Add Custom Modifier")
	await _add_legs()
	await _act("limits", ["Skeleton/Hip", UPPER], "Add Joint Limit")
	_seen["limits"] = [_describe(_node("Skeleton/Hip/JointLimit"))]
	_seen["limits"].append(_describe(_node(UPPER + "/JointLimit")))
	await _select([UPPER])
	_seen["limited"] = _greyed_out().get("Add Joint Limit", "")
	# From here on there is a rig.
	await _select([UPPER])
	_choose("Add FABRIK")
	await _wait(5)
	await _act("effector", [LOWER], "Add Effector")
	_seen["effector"] = _describe(_node(_seen["effector selected"][0]))
	await _act("tip", [LOWER], "Add Tip Marker")
	await _add("second", [HAND], "Add Look-At")
	_seen["rigs"] = _node("Skeleton").find_children("*", "TendonRig2D", true, false).size()
	await _open("bare")
	await _add("bare", ["Bone0"], "Add Two-Bone IK")


## A gait, with feet and modifiers that reach. It is gone again at the end.
func _add_legs() -> void:
	await _act("legs", [TAIL, UPPER], "Add Legs That Step")
	var facts: Dictionary = {}
	for node: Node in _node("Skeleton/TendonRig2D").find_children("*", "", true, false):
		facts[str(node.name)] = _describe(node)
	_seen["legs"] = facts
	_press_menu("Undo")
	await _wait(5)
	await _select([TAIL])
	_choose("Add FABRIK")
	await _wait(5)
	await _act("placement", [TAIL, UPPER], "Add Foot Placement")
	var names: Array = _node("Skeleton/TendonRig2D").get_children().map(_name_of)
	_seen["placed legs"] = names
	var feet: Array[Node] = _node("Skeleton/TendonRig2D/HipFootPlacement").get_children()
	_seen["placed feet"] = feet.map(_limb_of)
	_press_menu("Undo")
	await _wait(5)
	_seen["placement undone"] = _node("Skeleton/TendonRig2D").get_child_count()
	_press_menu("Undo")
	await _wait(5)


func _name_of(node: Node) -> String:
	return node.name


func _limb_of(foot: TendonFoot2D) -> String:
	return foot.limb.name


func _change_poses() -> void:
	await _open("posed")
	await _wait(5)
	_seen["solved"] = _pose() + _places()
	var goal: Node2D = _node("Goal")
	var place: Transform2D = goal.transform
	await _act("apply", ["Skeleton"], "Apply Solved Pose")
	_seen["applied"] = _base()
	_press_menu("Undo")
	await _wait(5)
	_seen["not applied"] = _base()
	await _act("reset", [UPPER, LOWER], "Reset Pose")
	_seen["reset"] = _base()
	await _select([UPPER, LOWER])
	_choose("Reset Pose")
	_seen["reset again"] = await _told()
	await _select(["Skeleton"])
	_choose("Reset Pose")
	await _wait(5)
	_seen["reset all"] = _base()
	# The reset has brought it to where the limb ends at rest: there is nothing to solve.
	goal.transform = place
	await _wait(5)
	await _act("preview", ["Skeleton"], "Preview in Editor")
	_seen["preview"] = _node("Skeleton/Rig").get("preview_in_editor")
	await _act("apply unseen", ["Skeleton/Rig/Arm"], "Apply Solved Pose")
	_seen["applied unseen"] = _base()


## The tooltips of the entries that are greyed out, for a few selections.
func _see_what_does_not_fit() -> void:
	await _open("arm")
	var reasons: Dictionary = {}
	for paths: Array in [
		["Skeleton"], [HAND], [UPPER, TAIL], ["Skeleton", "Other"], ["Stray"], [UPPER]
	]:
		await _select(paths)
		reasons[" ".join(paths)] = _greyed_out()
	_seen["reasons"] = reasons
	_seen["tooltip"] = _tooltip("Add Two-Bone IK")
	await _select(["Stray"])
	_choose("Add FABRIK")
	_seen["told"] = await _told()
	await _open("bare")
	await _select(["Bone0"])
	reasons["Bone0"] = _greyed_out()


func _convert(scene: String) -> void:
	await _open(scene)
	await _wait(60)
	var facts: Dictionary = {"before": _gaps()}
	await _act(scene, ["Skeleton"], "Convert Modification Stack")
	facts["report"] = await _told()
	# A chain that the engine had kept away from its target swings over.
	facts["after"] = await _at_rest(_gaps)
	facts["nodes"] = {}
	for type: String in ["TendonRig2D", "TendonJointLimit2D"]:
		for node: Node in _node("Skeleton").find_children("*", type, true, false):
			facts["nodes"][str(_root().get_path_to(node))] = _describe(node)
			for child: Node in node.get_children():
				facts["nodes"][str(child.name)] = _describe(child)
	await _select(["Skeleton"])
	facts["again"] = _greyed_out().get("Convert Modification Stack", "")
	_seen[scene] = facts


func _bake() -> void:
	await _open("walk")
	await _wait(5)
	var facts: Dictionary = {"solved": await _play(true), "unbaked": await _play(false)}
	var files: Dictionary = {"before": await _save()}
	await _select(["Skeleton"])
	_choose("Bake to Animation…")
	await _wait(3)
	var dialog: AcceptDialog = _dialog("Bake to Animation")
	var range_fields: Array[Node] = dialog.find_children("*", "SpinBox", true, false)
	facts["asked"] = [dialog.visible, range_fields[0].get("value"), range_fields[1].get("value")]
	facts["state"] = _state()
	dialog.get_ok_button().pressed.emit()
	facts["state after"] = _state()
	await _wait(5)
	files["after"] = await _save()
	facts["keys"] = _measure_keys()
	facts["baked"] = await _play(false)
	await _undo_and_redo(files)
	_seen["bake files"] = files
	_press_menu("Undo")
	facts["refused"] = _bake_by_script(0.5, 1.0, 0.0)
	facts["not refused"] = _bake_by_script(0.5, 1.0, 60.0)
	await _wait(3)
	facts["part"] = await _play(false)
	facts["reset"] = _read_reset()
	facts["at rest"] = _pose()
	_press_menu("Undo")
	await _wait(3)
	var before: Dictionary = _measure_keys()
	facts["copied"] = _bake_by_script(0.0, 2.0, 60.0, true)
	await _wait(3)
	facts["left alone"] = _measure_keys() == before
	facts["list"] = _node("Player").call("get_animation_list")
	_press_menu("Undo")
	await _wait(3)
	facts["list undone"] = _node("Player").call("get_animation_list")
	_seen["bake"] = facts


func _bake_springs() -> void:
	await _open("swing")
	await _wait(5)
	var facts: Dictionary = {"unbaked": await _play(false)}
	facts["refused"] = _bake_by_script(0.0, 2.0, 60.0)
	await _wait(3)
	facts["baked"] = await _play(false)
	_seen["bake springs"] = facts


func _bake_scripts() -> void:
	await _open("scripted")
	await _wait(5)
	var facts: Dictionary = {"unbaked": await _play(false)}
	facts["scaled"] = await _play(true, _scale)
	facts["refused"] = _bake_by_script(0.0, 2.0, 60.0)
	await _wait(3)
	facts["baked"] = await _play(false)
	facts["baked scale"] = await _play(false, _scale)
	facts["scale keys"] = _measure_keys().get(TAIL + "/TailEnd:scale")
	facts["reset scale"] = str(_read_reset().get(TAIL + "/TailEnd:scale"))
	_seen["bake scripts"] = facts


## The keys of RESET, by the paths of their tracks.
func _read_reset() -> Dictionary:
	var player: AnimationPlayer = _node("Player")
	var keys: Dictionary = {}
	if player.has_animation("RESET"):
		var reset: Animation = player.get_animation("RESET")
		for track: int in reset.get_track_count():
			keys[str(reset.track_get_path(track))] = reset.track_get_key_value(track, 0)
	return keys


func _bake_by_script(from: float, to: float, rate: float, into_copy: bool = false) -> String:
	var plugins: Array[Node] = root.find_children("*", "TendonMenuPlugin", true, false)
	var ends: Array = [_node("Skeleton"), _node("Player"), &"walk", from, to]
	return plugins[0].callv("bake", ends + [rate, deg_to_rad(0.1), 0.1, into_copy])


## After the extension is reloaded, the menu exists once and works.
func _reload() -> void:
	GDExtensionManager.reload_extension("res://tendon.gdextension")
	await _wait(10)
	var menus: Array = _found("MenuButton").filter(
		func(button: MenuButton) -> bool: return button.text == "Tendon"
	)
	_seen["menus after reload"] = menus.size()
	await _open("bare")
	await _add("reloaded", ["Bone0"], "Add FABRIK")


## Does [param title] for the selection [param paths], undoes, and does it again; saves each time.
func _act(about: String, paths: Array, title: String) -> void:
	var files: Dictionary = {"before": await _save()}
	await _select(paths)
	_choose(title)
	await _wait(5)
	files["after"] = await _save()
	var selected: Array = []
	for node: Node in EditorInterface.get_selection().get_selected_nodes():
		selected.append(str(_root().get_path_to(node)))
	_seen[about + " selected"] = selected
	await _undo_and_redo(files)
	_seen[about + " files"] = files


## The same for a modifier, which is gone again at the end.
func _add(about: String, paths: Array, title: String) -> void:
	await _act(about, paths, title)
	var node: Node = _root().get_node_or_null(_seen[about + " selected"][0])
	if node != null:
		var facts: Dictionary = _describe(node)
		var target: Variant = node.get("path_2d" if "path_2d" in node else "target")
		facts["name"] = str(node.name)
		if target != null:
			facts["target"] = str((target as Node2D).name)
			facts["target's parent"] = str(_root().get_path_to((target as Node).get_parent()))
		facts["distance"] = node.call("get_target_distance")
		_seen[about] = facts
	_seen[about + " pose"] = _pose()
	_press_menu("Undo")
	await _wait(5)


func _undo_and_redo(files: Dictionary) -> void:
	_press_menu("Undo")
	await _wait(5)
	files["undone"] = await _save()
	_press_menu("Redo")
	await _wait(5)
	files["redone"] = await _save()


## What the window says.
func _told() -> String:
	await _wait(3)
	var dialog: AcceptDialog = _dialog("Tendon")
	var text: String = dialog.dialog_text if dialog != null and dialog.visible else ""
	if dialog != null:
		dialog.hide()
	return text


func _menu() -> MenuButton:
	for button: MenuButton in _found("MenuButton"):
		if button.text == "Tendon":
			return button
	return null


## The entries that are greyed out, and why.
func _greyed_out() -> Dictionary:
	_menu().get_popup().about_to_popup.emit()
	var reasons: Dictionary = {}
	for popup: PopupMenu in _with_submenus(_menu().get_popup()):
		for item: int in popup.item_count:
			if popup.is_item_disabled(item) and not popup.is_item_separator(item):
				reasons[popup.get_item_text(item)] = popup.get_item_tooltip(item)
	return reasons


func _tooltip(title: String) -> String:
	for popup: PopupMenu in _with_submenus(_menu().get_popup()):
		for item: int in popup.item_count:
			if popup.get_item_text(item) == title:
				return popup.get_item_tooltip(item)
	return ""


func _choose(title: String) -> void:
	for popup: PopupMenu in _with_submenus(_menu().get_popup()):
		for item: int in popup.item_count:
			if popup.get_item_text(item) == title:
				popup.id_pressed.emit(popup.get_item_id(item))


## Chooses an entry of one of the editor's own menus.
func _press_menu(title: String) -> void:
	for popup: PopupMenu in _found("PopupMenu"):
		for item: int in popup.item_count:
			if popup.get_item_text(item) == title and popup.get_item_shortcut(item) != null:
				popup.id_pressed.emit(popup.get_item_id(item))
				return


func _dialog(title: String) -> AcceptDialog:
	for dialog: AcceptDialog in _found("AcceptDialog"):
		if dialog.title == title:
			return dialog
	return null


func _found(type: String) -> Array[Node]:
	return EditorInterface.get_base_control().find_children("*", type, true, false)


func _open(scene: String) -> void:
	EditorInterface.open_scene_from_path("res://%s.tscn" % scene)
	await _wait(20)


func _save() -> String:
	EditorInterface.save_scene()
	await _wait(3)
	return FileAccess.get_file_as_string(_root().scene_file_path)


func _select(paths: Array) -> void:
	var selection: EditorSelection = EditorInterface.get_selection()
	selection.clear()
	for path: String in paths:
		selection.add_node(_node(path))
	await _wait(3)


func _root() -> Node:
	return EditorInterface.get_edited_scene_root()


func _node(path: String) -> Node:
	return _root().get_node(path)


## A node's class, what its own properties are set to, and whether it is saved.
func _describe(node: Node) -> Dictionary:
	var facts: Dictionary = {"class": node.get_class(), "owned": node.owner == _root()}
	for property: Dictionary in ClassDB.class_get_property_list(node.get_class(), true):
		var value: Variant = node.get(property["name"])
		facts[property["name"]] = str(_root().get_path_to(value)) if value is Node else value
	return facts


## How far the tip of each limb is from its target; for the head, by how much it looks past it.
func _gaps() -> Dictionary:
	var gaps: Dictionary = {}
	for target: Node2D in _node("Targets").get_children():
		var tip: Node2D = _root().find_child(target.name + "Tip")
		gaps[target.name] = tip.global_position.distance_to(target.global_position)
		if target.name == "Head":
			var head: Node2D = tip.get_parent()
			var way: Vector2 = target.global_position - head.global_position
			gaps["Head"] = absf((tip.global_position - head.global_position).angle_to(way))
	return gaps


## The bones' rotations and positions without the rig.
func _base() -> Array:
	_node("Skeleton/Rig").set("active", false)
	var base: Array = _pose() + _places()
	_node("Skeleton/Rig").set("active", true)
	return base


## The pose at each of a hundred steps of the walk, with the rig or without it.
func _play(with_rig: bool, read: Callable = _pose_and_places) -> Array:
	var rig: TendonRig2D = _node("Skeleton/Rig")
	rig.active = with_rig
	rig.restore_pose()
	var before: Array = _state()
	var player: AnimationPlayer = _node("Player")
	player.play("walk")
	var poses: Array = []
	for step: int in 121:
		rig.restore_pose()
		player.seek(step / 60.0, true)
		rig.advance(0.0)
		poses.append(read.call())
	player.stop()
	rig.restore_pose()
	_restore(before)
	rig.active = true
	return poses


func _pose_and_places() -> Array:
	return _pose() + _places()


## The scale along the end of the tail.
func _scale() -> float:
	return (_node(TAIL + "/TailEnd") as Node2D).scale.x


func _bones() -> Array[Node]:
	var skeleton: Node = _root() if _root() is Skeleton2D else _node("Skeleton")
	return skeleton.find_children("*", "Bone2D", true, false)


func _pose() -> Array:
	return _bones().map(func(bone: Bone2D) -> float: return bone.rotation)


func _places() -> Array:
	return _bones().map(func(bone: Bone2D) -> float: return bone.position.length())


## What an animation may have moved, to the last bit, and what the player is at.
func _state() -> Array:
	var state: Array = []
	_node("Skeleton/Rig").call("restore_pose")
	for node: Node2D in _bones() + [_node("Goal")]:
		state.append_array([node.position.x, node.position.y, node.rotation])
	var player: AnimationPlayer = _node("Player")
	state.append_array([player.assigned_animation, player.is_playing()])
	return state


func _restore(state: Array) -> void:
	var index: int = 0
	for node: Node2D in _bones() + [_node("Goal")]:
		node.position = Vector2(state[index], state[index + 1])
		node.rotation = state[index + 2]
		index += 3


## For each track, the number of its keys, and how far apart two in a row are at most.
func _measure_keys() -> Dictionary:
	var animation: Animation = _node("Player").call("get_animation", "walk")
	var tracks: Dictionary = {}
	for track: int in animation.get_track_count():
		var count: int = animation.track_get_key_count(track)
		var widest: float = 0.0
		for key: int in range(1, count):
			var before: Variant = animation.track_get_key_value(track, key - 1)
			var gap: Variant = animation.track_get_key_value(track, key) - before
			widest = maxf(widest, gap.length() if gap is Vector2 else absf(gap))
		tracks[str(animation.track_get_path(track))] = [count, widest]
	return tracks
