# gdlint: disable=max-public-methods
extends "res://tests/editor_suite.gd"
## What a new user and an animator do in the editor in the first hour, with its own buttons and
## menus, while a rig is previewed: nothing of it may damage the scene. An editor is started for
## this: see [code]editor_tools_driver.gd[/code].

const DRIVER: String = "editor_tools_driver"
const LENGTHS: Array[float] = [60.0, 50.0]
const POSE: Array[float] = [0.25, 0.5]
## How each limb is bent, and what is above it.
const LIMBS: Dictionary[String, Array] = {
	"bent": [[0.4, -0.9, 0.3], "plain"],
	"bent back": [[0.4, 0.9, -0.3], "plain"],
	"straight": [[0.4, 0.0, 0.0], "plain"],
	"mirrored": [[0.4, 0.9, 0.3], "mirrored in x"],
	"skewed": [[0.4, -0.9, 0.3], "stretched, skewed and mirrored"],
	"driven": [[0.4, -0.9, 0.3], "plain"],
}
## What the engine says of scenes that are opened one after another.
const ENGINE_NOISE: PackedStringArray = ["leaked at exit", "bone index not found!"]


func test_overwrite_rest_pose_takes_the_base_pose() -> void:
	var facts: Dictionary = seen["rest"]
	_differ(facts["base"], facts["shown"])
	for moment: String in ["rest", "base after", "undone", "redone"]:
		_same(facts[moment], facts["base"], moment)
	_same(facts["shown after"], facts["shown"], "what is shown stays")
	equal(facts["steps"], 1.0, "undo steps")


func test_keys_of_the_inspector_hold_the_base_pose() -> void:
	var facts: Dictionary = seen["inspector"]
	_differ(facts["base"], facts["shown"])
	for moment: String in ["keys", "redone"]:
		var keys: Dictionary = facts[moment]
		_key(keys, "walk Skeleton/Bone0:rotation", facts["base"][0])
		_key(keys, "RESET Skeleton/Bone0:rotation", facts["base"][0])
		_key(keys, "walk Skeleton/Bone0/Bone1:rotation", facts["base"][1])


func test_keys_of_the_toolbar_hold_the_base_pose() -> void:
	for way: String in ["toolbar", "shortcut"]:
		var facts: Dictionary = seen[way]
		_differ(facts["base"], facts["shown"])
		_key(facts["keys"], "walk Skeleton/Bone0:rotation", facts["base"][0])
		_key(facts["keys"], "walk Skeleton/Bone0/Bone1:rotation", facts["base"][1])
		_key(facts["keys"], "RESET Skeleton/Bone0:rotation", facts["base"][0])


func test_keys_of_a_track_hold_the_base_pose() -> void:
	var facts: Dictionary = seen["track"]
	_differ(facts["base"], facts["shown"])
	var keys: Array = facts["keys"]["walk Skeleton/Bone0/Bone1:rotation"]
	equal(keys.size(), 2, "keys: %s" % [keys])
	near(keys[-1], facts["base"][1], 1e-6, "key")


func test_keys_after_a_drag_hold_the_base_pose() -> void:
	var facts: Dictionary = seen["drag"]
	_differ(facts["base"], facts["shown"])
	check(absf(facts["base"][1] - POSE[1]) > 0.3, "the bone was dragged: %s" % [facts["base"]])
	_key(facts["keys"], "walk Skeleton/Bone0/Bone1:rotation", facts["base"][1])


func test_a_pasted_pose_is_the_base_pose_that_was_copied() -> void:
	_same(seen["pose"]["after"], seen["pose"]["base"], "pasted")


func test_an_entry_of_a_menu_reads_the_base_pose_that_an_open_menu_does_not_show() -> void:
	var facts: Dictionary = seen["menu"]
	_differ(facts["base"], facts["shown"])
	_same(facts["while open"], facts["shown"], "while it is open")
	for listener: String in ["first", "last"]:
		_same(facts.get(listener, []), facts["base"], listener)
	check(not facts["is open"], "the menu has acted")
	_same(facts["after"], facts["shown"], "afterwards")


func test_a_new_modifier_moves_no_bone() -> void:
	for limb: String in LIMBS:
		var moved: Dictionary = seen.get("added to " + limb, {})
		check(moved.size() >= 4, "modifiers added to %s: %s" % [limb, moved])
		for title: String in moved:
			# A path goes along the joints with few points.
			var most: float = 0.05 if "Spline" in title else 2e-3
			if "Wave" in title:
				# To move bones is what it is for, by its amplitude.
				most = 0.3
			near(moved[title], 0.0, most, "%s, limb: %s" % [title, limb])


func test_what_cannot_work_says_so_at_once() -> void:
	var facts: Dictionary = seen["faults"]
	check(not facts["before"].has("Limb"), "no fault yet: %s" % [facts["before"]])
	var warning: String = facts["deleted"].get("Limb", "")
	check('"Target"' in warning, "deleted target: %s" % warning)
	check("does not run" in facts["idle rig"], "in the inspector: %s" % facts["idle rig"])
	check("does not run" in facts["before"].get("Lost", ""), "in the dock: %s" % [facts["before"]])
	check("Make this node a child" in facts["effector"], "effector: %s" % facts["effector"])
	var after: String = facts["first rig gone"].get("Lost", "")
	check(not "does not run" in after, "the second rig runs now: %s" % after)


func test_a_bone_without_an_end_says_so() -> void:
	var facts: Dictionary = seen["faults"]
	var warning: String = facts["no end"].get("TendonTwoBoneIK2D", "")
	check("Add Tip Marker" in warning, "two bones: %s" % warning)
	warning = facts["no end"].get("TendonLookAt2D", "")
	check("Bone Angle" in warning, "look-at: %s" % warning)
	equal(facts["tip added"].get("TendonTwoBoneIK2D", ""), "", "with a tip")
	equal(facts["tip"], "Skeleton/Bone0/Bone1/Bone1Tip", "tip")
	near_angle(facts["ahead"], -POSE[1], 1e-4, "straight ahead of the bone above")


func test_statuses() -> void:
	var facts: Dictionary = seen["statuses"]
	equal(facts["look-at"], "Reached|0.0°|", "an angle")
	check("Out of reach" in facts["limited"], "limited: %s" % facts["limited"])
	check('"LowerPartOfTheLimitedArm" is at its' in facts["limited"], "why: %s" % facts["limited"])
	check("Reached" in facts["reached"], "reached: %s" % facts["reached"])
	equal(facts["height, reached"], facts["height"], "the fields below stay where they are")


## Nothing that is only a part of the way to its target looks as if it were there.
func test_a_part_of_a_result_does_not_look_like_all_of_it() -> void:
	var facts: Dictionary = seen["statuses"]["partial"]
	for title: String in ["Look", "Tree", "Tree/Effector", ""]:
		var full: Array = facts[title + ", full"]
		var partial: Array = facts[title]
		check(not "applied" in full[0], "%s at full influence: %s" % [title, full])
		equal(full[1], title != "", "is green at full influence: %s: %s" % [title, full])
		equal(partial[1], false, "is green: %s: %s" % [title, partial])
		var word: String = "2 partly applied, 1 out of reach" if title == "" else "25% applied"
		check(partial[0].begins_with(word), "%s: %s" % [title, partial])
	check("At full influence it reaches" in facts["Look"][0], "note: %s" % [facts["Look"]])
	check(not "|0.0°|" in facts["Look"][0], "the angle that is left: %s" % [facts["Look"]])
	check(facts["half"][0].begins_with("50% applied"), "of its own: %s" % [facts["half"]])


func test_required_fields_come_first() -> void:
	var fields: Array = seen["statuses"]["visible"]
	equal(fields.slice(0, 4), ["bone_one", "bone_two", "tip", "target"], "fields: %s" % [fields])


func test_a_driven_bone_says_what_drives_it() -> void:
	var facts: Dictionary = seen["bone row"]
	var text: String = "TendonTwoBoneIK2D: base %.1f°, shown %.1f°"
	text = text % [rad_to_deg(facts["base"][1]), rad_to_deg(facts["shown"][1])]
	check(text in facts["row"], "%s in: %s" % [text, facts["row"]])
	check("preview is off" in facts["not previewed"], "off: %s" % facts["not previewed"])


func test_a_typed_rotation_stays() -> void:
	var facts: Dictionary = seen["typing"]
	_differ(facts["base"], facts["shown"])
	equal(facts["label"], "Base Angle", "label")
	near(facts["before"], rad_to_deg(facts["base"][1]), 0.06, "shows the base rotation")
	near(facts["typed"], 33.0, 1e-6, "what was typed stays")
	near(rad_to_deg(facts["base after"][1]), 33.0, 1e-4, "and is the base rotation")
	check(absf(facts["shown after"][1] - facts["base after"][1]) > 0.1, "the rig still solves")
	equal(facts["steps"], 1.0, "undo steps")
	near(facts["solved"][1], facts["solved"][0], 1e-3, "the solved rotation, typed")
	_same(facts["undone"], facts["base"], "undone")
	near(facts["row undone"], rad_to_deg(facts["base"][1]), 0.06, "the row, undone")
	equal(facts["not previewed"][0], "Rotation", "label without preview")
	near(facts["not previewed"][1], rad_to_deg(facts["base"][1]), 0.06, "without preview")


func test_a_rotation_typed_for_several_bones_stays() -> void:
	var facts: Dictionary = seen["typing for several"]
	equal(facts["edited"], "MultiNodeEdit", "several nodes are edited")
	equal(facts["label"], "Base Angle", "label")
	near(facts["before"], rad_to_deg(facts["base"][1]), 0.06, "shows the first one's base rotation")
	near(facts["typed"], 33.0, 1e-6, "what was typed stays")
	for index: int in 2:
		near(rad_to_deg(facts["base after"][index]), 33.0, 1e-4, "bone %d" % index)
	near(rad_to_deg(facts["other after"]), 33.0, 1e-4, "what is no bone")
	equal(facts["steps"], 1.0, "undo steps")
	_same(facts["undone"], facts["base"], "undone")


func test_a_reset_shows_the_rest_pose_also_while_the_rig_is_previewed() -> void:
	var facts: Dictionary = seen["reset"]
	var previewed: Dictionary = facts["previewed"]
	_same(previewed["base"], facts["rest"], "the base pose")
	for bone: int in 2:
		near(previewed["shown"][bone], facts["rest"][bone], 1e-4, "shown, bone %d" % bone)
	var told: String = previewed["told"]
	check("in their rest pose" in told and "Preview in Editor" in told, "told: %s" % told)
	_same(facts["not previewed"]["shown"], facts["rest"], "without preview")
	equal(facts["not previewed"]["told"], "The bones are in their rest pose.", "told")


func test_no_label_is_cut_off() -> void:
	var facts: Dictionary = seen["labels"]
	check(facts["count"] > 80, "labels measured: %d" % facts["count"])
	check(facts["widths"][0] > 200.0 and facts["widths"][1] < 270.0, "rows: %s" % [facts["widths"]])
	equal(facts["too wide"], {}, "labels without enough room, in pixels")


func test_the_label_goes_with_the_mouse() -> void:
	var facts: Dictionary = seen["pointing"]
	equal(facts["over"], "bend direction  click to flip", "over the arrow")
	equal(facts["outside"], "", "outside")


func test_the_arrow_of_a_bend_is_clicked() -> void:
	var facts: Dictionary = seen["pointing"]
	equal(facts["flipped"], [false, true], "flipped")
	equal(facts["steps"], 1.0, "undo steps")


func test_short_messages_are_read_whole() -> void:
	var facts: Dictionary = seen["toasts"]
	equal(facts["cut off"], [], "wider than the engine shows")
	check(not facts["shortened"].is_empty(), "there were long ones")
	for texts: Array in facts["shortened"]:
		var short: String = (texts[0] as String).trim_suffix("…").strip_edges()
		check((texts[1] as String).begins_with(short), "the rest is in the tooltip: %s" % [texts])
		check(short.length() > 20, "enough is seen: %s" % [texts])


func test_the_editor_logs_no_errors() -> void:
	expect_no_errors(["panic", "SCRIPT ERROR", "Tendon"], ENGINE_NOISE)


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


func _make_scenes() -> Dictionary:
	var scenes: Dictionary = {}
	for title: String in ["limb", "bar", "bar by shortcut", "track", "auto", "pose"]:
		scenes[title] = _animated_limb()
	for limb: String in LIMBS:
		var figure: Figure = Figure.new([60.0, 50.0, 30.0], LIMBS[limb][0])
		var above: Array = Figure.ANCESTORS[LIMBS[limb][1]]
		# The skeleton is where the driver looks for it.
		if not above.is_empty():
			figure.stage.transform = above.reduce(
				func(whole: Transform2D, part: Transform2D) -> Transform2D: return whole * part
			)
		figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
		if limb == "driven":
			figure.fabrik()
			figure.target.position = Vector2(30, 90)
		scenes["add " + limb] = figure.stage
	scenes["faults"] = _faults()
	scenes["no_end"] = _without_end()
	scenes["statuses"] = _statuses()
	return scenes


## A limb whose target will be deleted, a second rig, and an effector where none belongs.
func _faults() -> Node2D:
	var figure: Figure = _limb()
	figure.two_bone().name = "Limb"
	var second: TendonRig2D = TendonRig2D.new()
	second.name = "Second"
	figure.skeleton.add_child(second)
	var lost: TendonLookAt2D = TendonLookAt2D.new()
	lost.name = "Lost"
	lost.bone = figure.bones[1]
	second.add_child(lost)
	var effector: TendonEffector2D = TendonEffector2D.new()
	effector.name = "Effector"
	figure.rig.add_child(effector)
	return figure.stage


## The last bone has an automatic length, and no child.
func _without_end() -> Node2D:
	var figure: Figure = _limb()
	figure.bones[1].set_autocalculate_length_and_angle(true)
	figure.two_bone().name = "TendonTwoBoneIK2D"
	var look: TendonLookAt2D = TendonLookAt2D.new()
	look.name = "TendonLookAt2D"
	look.bone = figure.bones[1]
	look.target = figure.target
	figure.rig.add_child(look)
	return figure.stage


## A bone that looks at something far away, and a limb that a limit keeps from its target.
func _statuses() -> Node2D:
	var figure: Figure = _limb()
	figure.look_at().name = "Look"
	figure.target.position = Vector2(400, 300)
	var arm: Array[Bone2D] = Figure.branch(figure.skeleton, Vector2.ZERO, [30, 30], [0.1, 0.2])
	arm[0].name = "Limited0"
	# So that the note has two lines.
	arm[1].name = "LowerPartOfTheLimitedArm"
	var limit: TendonJointLimit2D = TendonJointLimit2D.new()
	arm[1].add_child(limit)
	var far: Marker2D = Marker2D.new()
	far.name = "Far"
	far.position = Vector2(8, 10)
	figure.stage.add_child(far)
	var limited: TendonTwoBoneIK2D = figure.two_bone()
	limited.name = "Limited"
	limited.bone_one = arm[0]
	limited.bone_two = arm[1]
	limited.target = far
	_add_tree(figure)
	return figure.stage


## A tree of one chain with a further tip, which reaches both of its targets.
func _add_tree(figure: Figure) -> void:
	var bones: Array[Bone2D] = Figure.branch(figure.skeleton, Vector2(0, -40), [30, 30], [0.4, 0.4])
	bones[0].name = "Tree0"
	var tree: TendonFABRIK2D = TendonFABRIK2D.new()
	tree.name = "Tree"
	tree.root_bone = bones[0]
	tree.tip_bone = bones[1]
	tree.target = Marker2D.new()
	tree.target.name = "TreeTarget"
	tree.target.position = Vector2(30, -70)
	figure.stage.add_child(tree.target)
	figure.rig.add_child(tree)
	var effector: TendonEffector2D = TendonEffector2D.new()
	effector.name = "Effector"
	effector.tip_bone = bones[0]
	effector.target = Marker2D.new()
	effector.target.name = "EffectorTarget"
	effector.target.position = Vector2(20, -80)
	effector.weight = 0.0
	figure.stage.add_child(effector.target)
	tree.add_child(effector)


func _limb() -> Figure:
	var figure: Figure = Figure.new(LENGTHS, POSE)
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.target.position = Vector2(-20, 70)
	return figure


## A limb whose solved pose is not its base pose, and a player with a track for one of its bones.
func _animated_limb() -> Node2D:
	var limb: Figure = Figure.new(LENGTHS, POSE)
	limb.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	limb.two_bone().name = "TendonTwoBoneIK2D"
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
