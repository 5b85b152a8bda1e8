extends "res://tests/editor_suite.gd"
## At the animator's desk: targets are dragged, bones rotated, modifiers added. An editor is started
## for this: see [code]animating_driver.gd[/code].

const DRIVER: String = "animating_driver"
const LENGTHS: Array[float] = [60.0, 50.0]
const POSE: Array[float] = [0.25, 0.5]
## What the engine says of scenes, where there is nothing to draw on, and of any script without a
## file.
const ENGINE_NOISE: PackedStringArray = [
	"leaked at exit", "bone index not found!", '"t" is null', "Resource file not found: res:// "
]


func test_a_target_dragged_by_its_handle_is_keyed() -> void:
	var facts: Dictionary = seen["auto key"]
	equal(facts["keys"].size(), 2, "keys: %s" % [facts["keys"]])
	equal(facts["keys"][-1], [0.5, 20.0, 102.0], "the last key, where the target was released")
	equal(facts["selected"], ["Skeleton/Rig/Arm"], "still selected")


func test_a_target_dragged_by_its_handle_snaps_and_is_named() -> void:
	var facts: Dictionary = seen["otherwise"]
	for coordinate: float in facts["snapped"]:
		near(coordinate, roundf(coordinate / 8.0) * 8.0, 1e-3, "on the grid")
	check('"Target"' in facts["step"], "in the history: %s" % facts["step"])
	check(facts["during"] and facts["taken back"], "taken back: %s" % [facts])
	equal(facts["label after"], "", "the label goes with the drag")
	check("position" in facts["label"], "beside the mouse: %s" % facts["label"])
	equal(facts["selected"], ["Skeleton/Rig/Arm"], "still selected")
	equal(facts["blocked"], false, "the editor hears of selections again")


func test_rotating_a_driven_bone_is_one_step_and_says_what_it_does() -> void:
	var facts: Dictionary = seen["driven"]
	check(absf(facts["after"][0] - facts["before"][0]) > 0.1, "turned: %s" % [facts])
	equal(facts["steps"], 2.0, "steps of two drags")
	for moment: String in ["undone", "redone"]:
		var expected: Array = facts["before" if moment == "undone" else "after"]
		for bone: int in 2:
			near_angle(facts[moment][bone], expected[bone], 1e-5, moment)
	for part: String in ['"Bone0" is turned by "Arm"', "base angle", 'move "Target"']:
		check(part in facts["told"], "told: %s" % facts["told"])


func test_an_applied_pose_survives_saving() -> void:
	var facts: Dictionary = seen["apply"]
	for bone: int in 2:
		near_angle(facts["applied"][bone], facts["solved"][bone], 1e-4, "applied")
		near_angle(facts["saved"][bone], facts["solved"][bone], 1e-4, "after saving")
	var path: String = "RESET Skeleton/Bone0/Bone1:rotation"
	near_angle(facts["keys"][path][0], facts["solved"][1], 1e-4, "RESET")
	equal(facts["keys undone"], facts["keys before"], "undone")
	check("RESET" in facts["told"], "told: %s" % facts["told"])


func test_a_custom_modifier_begins_with_a_script() -> void:
	var facts: Dictionary = seen["custom"]
	equal(facts["bones"], ["Bone0", "Bone1"], "the selected bones")
	check("func _process_modification" in facts["source"], facts["source"])
	check(facts["same"], "moves no bone")
	check("script symbol" in facts["told"], "told: %s" % facts["told"])
	check("func _process_modification" in facts["file"], "saved with the scene")
	var template: String = "res://addons/tendon/script_templates/TendonCustomModifier2D/modifier.gd"
	var body: String = FileAccess.get_file_as_string(template).get_slice("@tool", 1)
	equal(facts["source"], "@tool" + body, "is the template")


func test_a_long_spring_swings_slowly_and_says_so() -> void:
	var facts: Dictionary = seen["spring"]
	near(facts["frequency"], 1.5, 1e-3, "of 240 px")
	check("1.5 Hz" in facts["told"] and "240 px" in facts["told"], "told: %s" % facts["told"])
	check(facts["at rest"].begins_with("At rest"), "at rest: %s" % facts["at rest"])
	check("Swinging" in facts["moved"], "moved: %s" % [facts["moved"]])
	check("Reached" not in facts["moved"], "moved: %s" % [facts["moved"]])


func test_a_new_path_has_few_points_that_can_be_dragged() -> void:
	var facts: Dictionary = seen["spline"]
	check(facts["points"] <= 3, "points for %s bones: %s" % [facts["bones"], facts["points"]])
	for turn: float in facts["turned by"]:
		near(turn, 0.0, 0.05, "bones hardly move")
	near(facts["moved"][1], 30.0, 0.5, "dragged")
	check(facts["follows"], "the chain follows")
	equal(facts["steps"], 1.0, "steps")
	check(facts["undone"], "undone")


func test_handles_stay_while_a_player_is_selected() -> void:
	check("Target:position" in seen["player"]["handles"], "handles: %s" % [seen["player"]])


func test_a_bone_copies_what_is_selected_with_it() -> void:
	equal(seen["copy"]["Target"], ["Bone1", "Target"], "a target")
	equal(seen["copy"]["Skeleton/Bone0"], ["Bone1", "Bone0"], "another bone")


func test_the_preview_has_a_shortcut() -> void:
	equal(seen["shortcut"], [false, true], "off, and on again")


func test_an_undo_leaves_what_an_animation_has_set() -> void:
	var facts: Dictionary = seen["moments"]
	for moment: String in ["undone", "redone"]:
		_expect_pose(facts[moment], facts["at 0.5"], moment)
	check(absf(facts["at 1.0"][1] - facts["at 0.5"][1]) > 0.1, "another time: %s" % [facts])
	near(facts["turn undone"][1], facts["at 0.5"][1], 1e-5, "what the undo writes")
	near(facts["turn undone"][0], facts["at 1.0"][0], 1e-4, "what it does not write")
	near(facts["turn undone"][2], facts["at 1.0"][2], 1e-5, "a bone that it does not write")
	var keys: Dictionary = facts["keyed"]
	near(keys["Skeleton/Hips:position"], facts["at 0.25"][0], 1e-4, "the key of the height")
	near(keys["Skeleton/Hips:rotation"], facts["at 0.25"][1], 1e-5, "the key of the hips")
	check("at 0.25 s" in facts["told"], "told: %s" % facts["told"])


func _expect_pose(pose: Array, expected: Array, moment: String) -> void:
	for index: int in expected.size():
		near(pose[index], expected[index], 1e-4, "%s, %d" % [moment, index])


func test_a_reset_resets_targets_too() -> void:
	var facts: Dictionary = seen["reset with targets"]
	_expect_pose(facts["shown"], facts["rest"], "shown")
	check(absf(facts["moved"][0] - facts["undone"][0]) > 5.0, "the target is moved: %s" % [facts])
	check('"LeftTarget"' in facts["told"], "told: %s" % facts["told"])
	check("bend to the side" in facts["told"], "told of the bend: %s" % facts["told"])
	equal(facts["bends"], [true, false], "the bend is reset, and undone")


func test_shortcuts_work_in_the_scene_dock() -> void:
	var facts: Dictionary = seen["in the dock"]
	check("5 bones and 2 targets" in facts["Skeleton"], "all: %s" % facts["Skeleton"])
	var told: String = facts["Skeleton/Hips/LeftTarget,Skeleton/Hips/RightTarget"]
	for part: String in ["4 bones", "2 targets", '"LeftTarget", "RightTarget"']:
		check(part in told, "of two targets: %s" % told)


func test_open_menus_show_what_is_solved() -> void:
	var menus: Dictionary = seen["menus"]
	for title: String in ["View", "Skeleton2D", "Animation", "mouse"]:
		check(title in menus, title)
	check(menus.size() > 4, "those of the scene dock: %s" % [menus.keys()])
	for title: String in menus:
		check(menus[title], title)


func test_the_right_button_cancels_and_opens_no_menu() -> void:
	for steps: String in seen["right button"]:
		equal(seen["right button"][steps], [0.0, true], steps)


func test_baking_proposes_the_animation_that_is_open() -> void:
	equal(seen["proposed"][""][1], 0.0, "none is open: the first")
	equal(seen["proposed"]["run"][0], "run", "another than the first")
	equal(seen["targets"]["animation"], "run", "also to targets")
	equal(
		seen["targets"]["greyed"], [false, true, false], "what cannot be baked is refused at once"
	)
	check(seen["targets"]["words"], "with words")
	check(not seen["targets"]["grows"], "no empty space")


func test_tooltips_name_what_a_shortcut_is_for() -> void:
	equal(seen["tooltip"], "Pose Mode", "what the tooltip says before the key")


func test_the_editor_logs_no_errors() -> void:
	expect_no_errors(["ERROR", "panic", "Tendon:"], ENGINE_NOISE)


func _make_scenes() -> Dictionary:
	return {
		"keys": _arm(false),
		"reset": _arm(true),
		"tail": _tail(),
		"moments": _moments(),
		"unopened": _moments()
	}


## Hips that rise and turn in an animation, and are elsewhere in RESET, with two arms whose targets
## they carry.
func _moments() -> Node2D:
	var figure: Figure = Figure.new([50.0], [-PI / 2])
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.target.name = "Marker"
	var hips: Bone2D = figure.bones[0]
	hips.name = "Hips"
	hips.position = Vector2(0, -200)
	hips.rest = hips.transform
	for side: String in ["Left", "Right"]:
		var way: float = 1.0 if side == "Left" else -1.0
		var arm: Array = Figure.branch(
			hips, Vector2(50, 10 * way), [40, 30], [0.4 * way, 0.5 * way]
		)
		for index: int in 2:
			arm[index].name = side + ["Arm", "Hand"][index]
		var target: Marker2D = Marker2D.new()
		target.name = side + "Target"
		hips.add_child(target)
		target.position = Vector2(95, 35 * way)
		var reach: TendonTwoBoneIK2D = figure.two_bone()
		reach.name = side + "Reach"
		reach.bone_one = arm[0]
		reach.bone_two = arm[1]
		reach.target = target
	var library: AnimationLibrary = AnimationLibrary.new()
	for title: String in ["RESET", "walk", "run"]:
		var animation: Animation = Animation.new()
		for property: String in ["Hips:position", "Hips:rotation", "Hips/LeftArm:rotation"]:
			var track: int = animation.add_track(Animation.TYPE_VALUE)
			animation.track_set_path(track, "Skeleton/" + property)
			for key: int in 1 if title == "RESET" else 2:
				var value: float = 0.0 if title == "RESET" else 0.6 + 0.5 * key
				var place: Vector2 = Vector2(0, -200 + 12 * value)
				var is_place: bool = "position" in property
				animation.track_insert_key(track, key, place if is_place else value - PI / 2)
		library.add_animation(title, animation)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.name = "Player"
	player.add_animation_library(&"", library)
	figure.stage.add_child(player)
	return figure.stage


## A limb and a player, with a track for its target, or one for a bone that RESET has, too.
func _arm(resets: bool) -> Node2D:
	var limb: Figure = Figure.new(LENGTHS, POSE)
	limb.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	limb.two_bone().name = "Arm"
	limb.target.position = Vector2(60, 70)
	var library: AnimationLibrary = AnimationLibrary.new()
	var path: NodePath = ^"Skeleton/Bone0/Bone1:rotation" if resets else ^"Target:position"
	var value: Variant = POSE[1] if resets else limb.target.position
	for title: String in ["RESET", "walk"] if resets else ["walk"]:
		var animation: Animation = Animation.new()
		var track: int = animation.add_track(Animation.TYPE_VALUE)
		animation.track_set_path(track, path)
		animation.track_insert_key(track, 0.0, value)
		library.add_animation(title, animation)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.name = "Player"
	player.add_animation_library(&"", library)
	limb.stage.add_child(player)
	return limb.stage


func _tail() -> Node2D:
	var lengths: Array = [30, 30, 30, 30, 30, 30, 30, 30]
	var tail: Figure = Figure.new(lengths, [0.2, 0.1, 0.1, 0.12, 0.1, 0.05, 0.02, 0.0])
	tail.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	return tail.stage
