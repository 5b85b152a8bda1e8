@tool
extends "posing_driver.gd"
## What [code]test_posing_pictures.gd[/code] has an editor do: pull bones by what they carry and
## where animations play, and look at the toolbar. Prints what it has seen as one line of JSON.


func _stay() -> void:
	await _prepare()
	await _see_toolbar()
	await _reload()
	await _press_shortcut()
	await _open("plain")
	await _see_modes()
	await _take_pictures()
	await _miss()
	await _pull_what_plays()
	await _watch_overlay()
	await _pin()
	await _move_root()
	await _move_root_of_rig()


func _bar() -> Array:
	return _button().get_parent().get_children()


func _shown_in_bar() -> Array:
	return _bar().map(func(it: Button) -> bool: return it.is_visible_in_tree())


func _see_toolbar() -> void:
	var facts: Dictionary = {"first": _button().get_parent().get_index(), "shown": _shown_in_bar()}
	facts["order"] = _bar().map(func(it: Button) -> String: return it.text)
	await _open("empty")
	facts["without a skeleton"] = _shown_in_bar()
	var skeleton: Skeleton2D = Skeleton2D.new()
	_root().add_child(skeleton)
	EditorInterface.get_selection().add_node(skeleton)
	await _wait(5)
	facts["skeleton added"] = _shown_in_bar()
	skeleton.free()
	_seen["toolbar"] = facts


## A scene is loaded again while a bone of it is selected.
func _reload() -> void:
	for path: String in ["Skeleton/Bone0", "Skeleton", "Skeleton/Rig"]:
		await _open("driven")
		await _select([path])
		EditorInterface.reload_scene_from_path("res://driven.tscn")
		await _wait(60)


func _see_modes() -> void:
	var modes: Array = [_button().button_pressed]
	for scene: String in ["puppet", "plain"]:
		_poses = false
		await _open(scene)
		modes.append(_button().button_pressed)
	_poses = true
	_seen["toolbar"]["modes"] = modes


func _on_screen(place: Vector2) -> Vector2:
	return _canvas() * place


func _taken_at(place: Vector2) -> Array:
	return _names(_plugin.call("get_limb_at", _on_screen(place)))


func _take_pictures() -> void:
	await _open("puppet")
	await _look(1.0)
	var lower: Bone2D = _root().find_child("Bone1")
	var sprite: Sprite2D = _root().find_child("Sleeve")
	var facts: Dictionary = {"side": _taken_at(Vector2(100, 170))}
	# The strip is above the arm; the sprite's half that cannot be seen is beside the bone.
	(_root().find_child("Skin") as Polygon2D).hide()
	facts["sprite"] = _taken_at(lower.global_position + Vector2(50, -25))
	facts["transparent"] = _taken_at(lower.global_position + Vector2(50, 17))
	var all: Array[Node] = _all_bones()
	var before: Array = _rotations(all)
	var place: Transform2D = sprite.transform
	var version: int = _history().get_version()
	var press: Vector2 = _on_screen(lower.global_position + Vector2(50, -25))
	_click(press, true)
	for step: int in 4:
		_move(press + Vector2(0, 10) * step)
	facts["turned"] = _turned(all, before)
	_click(press + Vector2(0, 30), false)
	facts["sprite stays"] = sprite.transform == place
	facts["steps"] = _history().get_version() - version
	_history().undo()
	facts["undone"] = _rotations(all) == before
	(_root().find_child("Skin") as Polygon2D).show()
	lower.rotation = PI / 2
	# The right end of the strip is to the right of the lower bone now, which hangs down.
	facts["skin"] = _taken_at(lower.global_position + Vector2(65, 70))
	lower.rotation = before[1]
	_seen["pictures"] = facts


## Drags where no bone is, while something is selected that the editor's own tool would move.
func _miss() -> void:
	await _open("puppet")
	var facts: Dictionary = {}
	for keys: Array in [[], [KEY_ALT]]:
		await _select(["Background" if keys.is_empty() else "Skeleton"])
		var stored: Dictionary = _stored()
		var version: int = _history().get_version()
		var press: Vector2 = _on_screen(Vector2(300, 300))
		_click(press, true, not keys.is_empty())
		for step: int in 4:
			_move(press + Vector2(20, 10) * step, false, keys)
			await _wait(2)
		_click(press + Vector2(60, 30), false, not keys.is_empty())
		await _wait(3)
		var steps: int = _history().get_version() - version
		facts["plain" if keys.is_empty() else "alt"] = [_stored() == stored, steps]
	_seen["misses"] = facts


func _pull_what_plays() -> void:
	await _open("playing")
	await _look(1.0)
	var version: int = _history().get_version()
	var facts: Dictionary = {"pulled": await _pull_end()}
	await _select(["Skeleton"])
	facts["reset"] = await _pose("Reset Pose")
	facts["steps"] = _history().get_version() - version
	_node("Tree").set("active", false)
	await _wait(3)
	await _pull_end()
	facts["steps once it is off"] = _history().get_version() - version
	_seen["playing"] = facts


## Pulls the end of the arm. Returns what the editor says then.
func _pull_end() -> String:
	var before: PackedStringArray = _toasts()
	var press: Vector2 = _end_of(_node("Skeleton/Bone0/Bone1"))
	_click(press, true)
	_move(press + Vector2(-12, 15))
	_click(press + Vector2(-12, 15), false)
	await _wait(3)
	return _told_since(before)


## How often the viewport is drawn in some frames without the mouse.
func _watch_overlay() -> void:
	await _open("plain")
	EditorInterface.get_selection().clear()
	await _wait(20)
	var count: Array[int] = [0]
	_viewport.draw.connect(func() -> void: count[0] += 1)
	await _wait(10)
	var facts: Dictionary = {"at rest": count[0]}
	(_root().find_child("Hand") as Bone2D).rotation += 0.3
	await _wait(10)
	facts["moved"] = count[0] - facts["at rest"]
	_move(_end_of(_root().find_child("Hand")))
	facts["under the mouse"] = _names(_plugin.call("get_limb_under_mouse"))
	_viewport.mouse_exited.emit()
	facts["mouse gone"] = _names(_plugin.call("get_limb_under_mouse"))
	_poses = false
	await _open("driven")
	await _select(["Skeleton/Rig"])
	await _wait(20)
	count[0] = 0
	await _wait(10)
	facts["gizmos at rest"] = count[0]
	(_node("Target") as Node2D).position += Vector2(-9, 14)
	await _wait(10)
	facts["gizmos of what was moved"] = count[0] - facts["gizmos at rest"]
	_poses = true
	_seen["drawn"] = facts


func _pin() -> void:
	await _open("plain")
	await _look(1.0)
	var version: int = _history().get_version()
	var at: Vector2 = _middle_of(_root().find_child("Upper"))
	_click(at, true, true)
	_click(at, false)
	var facts: Dictionary = {"steps": _history().get_version() - version}
	EditorInterface.save_scene()
	EditorInterface.reload_scene_from_path("res://plain.tscn")
	await _wait(20)
	await _open("plain")
	await _look(1.0)
	facts["saved"] = "_tendon_pin_" in FileAccess.get_file_as_string("res://plain.tscn")
	facts["limb"] = _names(_plugin.call("get_limb_at", _end_of(_root().find_child("Hand"))))
	at = _end_of(_root().find_child("Upper"))
	_click(at, true, true)
	_click(at, false)
	_history().undo()
	facts["undone"] = (_root().find_child("Upper") as Bone2D).has_meta("_tendon_pin_")
	# Released again: it would hold the hips, as the spine cannot be shorter.
	at = _middle_of(_root().find_child("Upper"))
	_click(at, true, true)
	_click(at, false)
	_seen["pins"] = facts


## Moves the hips towards a foot that is pinned.
func _move_root() -> void:
	await _open("puppet")
	await _open("plain")
	await _look(1.0)
	var all: Array[Node] = _all_bones()
	var hips: Bone2D = _root().find_child("Hips")
	var foot: Bone2D = _root().find_child("Foot")
	var at: Vector2 = _end_of(foot)
	_click(at, true, true)
	_click(at, false)
	var version: int = _history().get_version()
	# The engine works out a transform again whenever a property is set.
	var before: Array = [_rotations(all), hips.position]
	var held: Transform2D = foot.global_transform
	var free: Vector2 = (_root().find_child("Leg") as Bone2D).global_position
	var way: Vector2 = (foot.global_position - hips.global_position).normalized() * 14.0
	var press: Vector2 = _on_screen(hips.global_position)
	var facts: Dictionary = {"taken": _names(_plugin.call("get_limb_at", press))}
	var start: Vector2 = hips.global_position
	_click(press, true)
	for share: float in [0.4, 0.8, 1.0]:
		_move(press + way * share)
	_click(press + way, false)
	facts["miss"] = hips.global_position.distance_to(start + way)
	facts["foot"] = foot.global_position.distance_to(held.origin)
	facts["foot turned"] = angle_difference(foot.global_rotation, held.get_rotation())
	var leg: Bone2D = _root().find_child("Leg")
	facts["free"] = leg.global_position.distance_to(free + way)
	facts["steps"] = _history().get_version() - version
	_history().undo()
	facts["undone"] = [_rotations(all), hips.position] == before
	_history().undo()
	_seen["root"] = facts


## The same where a modifier holds the end of the limb.
func _move_root_of_rig() -> void:
	await _open("driven")
	await _look(1.0)
	var rig: TendonRig2D = _node("Skeleton/Rig")
	rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	var target: Node2D = _node("Target")
	target.position = Vector2(70, 50)
	await _wait(5)
	var bone: Bone2D = _node("Skeleton/Bone0")
	var place: Vector2 = target.position
	var press: Vector2 = _on_screen(bone.global_position)
	var start: Vector2 = bone.global_position
	_click(press, true)
	_move(press + Vector2(9, 7))
	_click(press + Vector2(9, 7), false)
	await _wait(5)
	var facts: Dictionary = {"miss": bone.global_position.distance_to(start + Vector2(9, 7))}
	facts["target"] = target.position.distance_to(place)
	facts["gap"] = _end_of(_node("Skeleton/Bone0/Bone1")).distance_to(_on_screen(place))
	_seen["root of a rig"] = facts
