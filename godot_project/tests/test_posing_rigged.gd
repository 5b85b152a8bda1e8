extends "res://tests/posing_suite.gd"
## Pose mode and the library of poses with characters that a rig poses, in an editor: see
## [code]posing_rigged_driver.gd[/code].

const DRIVER: String = "posing_rigged_driver"
const FEET: Dictionary[String, String] = {
	"foot": "plain",
	"mirrored_foot": "mirrored in x",
	"skewed_foot": "stretched, skewed and mirrored",
}


func _make_scenes() -> Dictionary:
	var scenes: Dictionary = super._make_scenes()
	for scene: String in FEET:
		scenes[scene] = _footed(FEET[scene], true)
	scenes["head"] = _looking("plain")
	scenes["skewed_head"] = _looking("stretched, skewed and mirrored")
	scenes["free_foot"] = _footed("plain", false)
	scenes["mirrored_free_foot"] = _footed("mirrored in x", false)
	return scenes


## A head that looks at a target far in front of it.
func _looking(ancestors: String) -> Node2D:
	var figure: Figure = Figure.new([60.0, 30.0], [-1.5, 0.3], Figure.ANCESTORS[ancestors])
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.look_at().bone = figure.bones[1]
	add_child(figure.stage)
	figure.target.position = figure.skeleton.global_transform * Vector2(160, -150)
	remove_child(figure.stage)
	return figure.stage


## A leg with a target, which has keys. The foot may turn like that.
func _footed(ancestors: String, matches: bool) -> Node2D:
	var turns: Array = [1.2, 0.6, -1.1]
	var figure: Figure = Figure.new([60.0, 50.0, 24.0], turns, Figure.ANCESTORS[ancestors])
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	var leg: TendonTwoBoneIK2D = figure.two_bone()
	leg.bone_two = figure.bones[1]
	leg.match_target_rotation = matches
	add_child(figure.stage)
	var frame: Transform2D = figure.skeleton.global_transform
	figure.target.position = frame * Vector2(20, 85)
	figure.target.rotation = frame.x.angle()
	remove_child(figure.stage)
	var animation: Animation = Animation.new()
	for property: String in ["position", "rotation"]:
		var track: int = animation.add_track(Animation.TYPE_VALUE)
		animation.track_set_path(track, "Target:" + property)
		animation.track_insert_key(track, 0.0, figure.target.get(property))
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation("walk", animation)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.name = "Player"
	player.add_animation_library(&"", library)
	figure.stage.add_child(player)
	return figure.stage


func test_a_foot_that_turns_like_its_target_turns_it() -> void:
	for scene: String in FEET:
		var facts: Dictionary = seen[scene]
		for about: String in ["turned", "back", "after"]:
			check(facts[about] < 0.01, "%s: %s, misses by %s" % [scene, about, facts[about]])
		check(facts["joint"] < 0.05, "%s: the joint stays: %s px" % [scene, facts["joint"]])
		equal(facts["moved"], 0.0, scene + ": the target is not moved")
		check(absf(facts["rotation"]) > 0.2, "%s: turned: %s" % [scene, facts["rotation"]])
		equal(facts["steps"], 1.0, scene + ": one step")
		check(facts["base"], scene + ": base pose")
		equal(facts["keys"], 2.0, scene + ": keys")
		near(facts["key"], 0.0, 1e-5, scene + ": key")
		check(facts["undone"], scene + ": undone")


func test_pinned_feet_stay_while_what_carries_them_moves() -> void:
	for scene: String in ["free_foot", "mirrored_free_foot"]:
		var facts: Dictionary = seen[scene]["pinned"]
		check(facts["moved"] < 0.1, "%s: stays: %s px" % [scene, facts["moved"]])
		check(facts["turned"] < 2e-3, "%s: keeps its angle: %s" % [scene, facts["turned"]])
		equal(facts["steps"], 1.0, scene + ": one step")
	var pulled: Dictionary = seen["pulled"]
	check(pulled["moved"] < 0.1, "a pinned hand stays: %s px" % pulled["moved"])
	check(pulled["turned"] < 2e-3, "a pinned hand keeps its angle: %s" % pulled["turned"])
	check(pulled["pulled"] > 0.05, "the arm is pulled: %s" % pulled["pulled"])
	check(pulled["miss"] < 0.5, "the elbow is where it is pulled: %s" % pulled["miss"])
	check(pulled["undone"], "undone")


func test_alt_keeps_the_angle_of_a_foot_whose_target_is_moved() -> void:
	for scene: String in ["free_foot", "mirrored_free_foot"]:
		var facts: Dictionary = seen[scene]["alt"]
		check(facts["moved"] < 0.5, "%s: is at the mouse: %s px" % [scene, facts["moved"]])
		check(facts["turned"] < 2e-3, "%s: keeps its angle: %s" % [scene, facts["turned"]])
		check(facts["way"] > 5.0 and facts["turn"] > 0.02, "%s: moved: %s" % [scene, facts])
		equal(facts["steps"], 1.0, scene + ": one step")
		check(facts["undone"] and facts["keys undone"], "%s: undone: %s" % [scene, facts])
		check(facts["cancelled"], scene + ": cancelled")
		equal(facts["steps after"], 0.0, scene + ": no step is left")


func test_what_is_pulled_is_under_the_mouse_where_the_target_is_elsewhere() -> void:
	for scene: String in ["free_foot", "mirrored_free_foot"]:
		var facts: Dictionary = seen[scene]["end"]
		# The editor's tool moves the target by whole pixels.
		check(facts["miss"] < 1.0, "%s: the end of the foot: %s" % [scene, facts])
		check(facts["after"] < 1.0 and facts["undone"] < 0.01, "%s: %s" % [scene, facts])
		equal(facts["steps"], 1.0, scene + ": one step")
	for scene: String in ["head", "skewed_head"]:
		var facts: Dictionary = seen[scene]
		check(facts["angle"] < 0.02, "%s: the head: %s" % [scene, facts])
		equal(facts["steps"], 1.0, scene + ": one step")
		check(facts["undone"] < 0.01, "%s: undone: %s" % [scene, facts])


func test_a_knee_stays_on_its_side() -> void:
	equal(seen["bends"].size(), 6, "pulls")
	for bend: float in seen["bends"]:
		check(bend > 0.3, "bends: %s" % [seen["bends"]])


func test_a_click_with_alt_pins_what_begins_there_and_a_drag_pins_nothing() -> void:
	var facts: Dictionary = seen["pins"]
	check(facts["clicked"] and not facts["clicked again"], "pinned, and released: %s" % facts)
	check(not facts["dragged"], "a drag pins nothing")
	check(facts["miss"] < 0.5 and facts["turned"] < 2e-3, "with its angle: %s" % facts)


func test_the_bone_under_the_mouse_is_named() -> void:
	equal(seen["names"], {"Hand": "Hand", "Lower": "Lower", "mouse gone": ""}, "names")


func test_thumbnails_show_the_solved_pose() -> void:
	var facts: Dictionary = seen["thumbnail"]
	check(facts["base"] != facts["shown"], "base pose at the press: %s" % [facts["base"]])
	equal(facts["drawn"].size(), facts["shown"].size(), "is drawn")
	for bone: int in facts["drawn"].size():
		near_angle(facts["drawn"][bone], facts["shown"][bone], 1e-4, "drawn")
	equal(facts["base after"], facts["base"], "base pose after it")
	equal(facts["shown after"], facts["shown"], "shown again")


func test_the_editor_logs_no_errors() -> void:
	expect_no_errors(["ERROR", "panic", "Tendon:"], ENGINE_NOISE)
