extends "res://tests/editor_suite.gd"
## What a new user and an animator do in the editor in the first hour, with its own buttons and
## menus, while a rig is previewed: nothing of it may damage the scene. An editor is started for
## this: see [code]first_hour_driver.gd[/code].

const LENGTHS: Array[float] = [60.0, 50.0]
const POSE: Array[float] = [0.25, 0.5]
## What the engine says of scenes that are opened one after another.
const ENGINE_NOISE: PackedStringArray = ["leaked at exit", "bone index not found!"]


func test_overwrite_rest_pose_takes_the_base_pose() -> void:
	if not await _ask_editor():
		return
	var facts: Dictionary = seen["rest"]
	_differ(facts["base"], facts["shown"])
	for moment: String in ["rest", "base after", "undone", "redone"]:
		_same(facts[moment], facts["base"], moment)
	_same(facts["shown after"], facts["shown"], "what is shown stays")
	equal(facts["steps"], 1.0, "undo steps")


func test_keys_of_the_inspector_hold_the_base_pose() -> void:
	if not await _ask_editor():
		return
	var facts: Dictionary = seen["inspector"]
	_differ(facts["base"], facts["shown"])
	for moment: String in ["keys", "redone"]:
		var keys: Dictionary = facts[moment]
		_key(keys, "walk Skeleton/Bone0:rotation", facts["base"][0])
		_key(keys, "RESET Skeleton/Bone0:rotation", facts["base"][0])
		_key(keys, "walk Skeleton/Bone0/Bone1:rotation", facts["base"][1])


func test_keys_of_the_toolbar_hold_the_base_pose() -> void:
	if not await _ask_editor():
		return
	var facts: Dictionary = seen["toolbar"]
	_differ(facts["base"], facts["shown"])
	_key(facts["keys"], "walk Skeleton/Bone0:rotation", facts["base"][0])
	_key(facts["keys"], "walk Skeleton/Bone0/Bone1:rotation", facts["base"][1])
	_key(facts["keys"], "RESET Skeleton/Bone0:rotation", facts["base"][0])


func test_keys_of_a_track_hold_the_base_pose() -> void:
	if not await _ask_editor():
		return
	var facts: Dictionary = seen["track"]
	_differ(facts["base"], facts["shown"])
	var keys: Array = facts["keys"]["walk Skeleton/Bone0/Bone1:rotation"]
	equal(keys.size(), 2, "keys: %s" % [keys])
	near(keys[-1], facts["base"][1], 1e-6, "key")


func test_keys_after_a_drag_hold_the_base_pose() -> void:
	if not await _ask_editor():
		return
	var facts: Dictionary = seen["drag"]
	_differ(facts["base"], facts["shown"])
	check(absf(facts["base"][1] - POSE[1]) > 0.3, "the bone was dragged: %s" % [facts["base"]])
	_key(facts["keys"], "walk Skeleton/Bone0/Bone1:rotation", facts["base"][1])


func test_a_pasted_pose_is_the_base_pose_that_was_copied() -> void:
	if not await _ask_editor():
		return
	_same(seen["pose"]["after"], seen["pose"]["base"], "pasted")


func test_no_trouble() -> void:
	if not await _ask_editor():
		return
	var lines: PackedStringArray = []
	for line: String in output.split("\n"):
		var is_noise: bool = false
		for noise: String in ENGINE_NOISE:
			is_noise = is_noise or noise in line
		if not is_noise:
			lines.append(line)
	output = "\n".join(lines)
	expect_no_trouble(["panic", "SCRIPT ERROR", "Tendon"])


func _key(keys: Dictionary, track: String, expected: float) -> void:
	check(keys.has(track), "%s in %s" % [track, keys.keys()])
	if keys.has(track):
		near((keys[track] as Array)[0], expected, 1e-6, track)


func _same(actual: Array, expected: Array, message: String) -> void:
	equal(actual.size(), expected.size(), message)
	for index: int in mini(actual.size(), expected.size()):
		near(actual[index], expected[index], 1e-5, "%s, bone %d" % [message, index])


func _differ(base: Array, shown: Array) -> void:
	for index: int in base.size():
		check(absf(base[index] - shown[index]) > 0.1, "the rig turns bone %d" % index)


func _ask_editor() -> bool:
	return await ask_editor("first_hour_driver", _make_scenes)


func _make_scenes() -> Dictionary:
	var scenes: Dictionary = {}
	for title: String in ["limb", "bar", "track", "auto", "pose"]:
		scenes[title] = _animated_limb()
	return scenes


## A limb whose solved pose is not its base pose, and a player with a track for one of its bones.
func _animated_limb() -> Node2D:
	var limb: Figure = Figure.new(LENGTHS, POSE)
	limb.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	limb.two_bone()
	limb.target.position = Vector2(-20, 70)
	var animation: Animation = Animation.new()
	var track: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, NodePath("Skeleton/Bone0/Bone1:rotation"))
	animation.track_insert_key(track, 0.0, POSE[1])
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"walk", animation)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.name = "Player"
	player.add_animation_library(&"", library)
	limb.stage.add_child(player)
	return limb.stage
