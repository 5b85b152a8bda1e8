extends "res://tests/posing_suite.gd"
## Limbs that are switched between inverse and forward kinematics in an editor: see
## [code]limb_switch_driver.gd[/code].

const DRIVER: String = "limb_switch_driver"
const ANCESTORS: Array = [Transform2D(0.4, Vector2(-1.2, 0.9), 0.3, Vector2(120, 20))]


func test_what_is_seen_stays() -> void:
	for scene: String in ["arm", "poled", "straight", "grip", "chain", "tree", "look"]:
		var facts: Dictionary = seen[scene]
		equal(facts["active"], [false, true], scene + ": switched, told " + facts["told"])
		var bent: float = 0.0
		for bone: int in facts["shown"].size():
			var title: String = "%s, bone %s" % [scene, bone]
			near_angle(facts["as bones"][bone], facts["shown"][bone], 1e-3, title + " to FK")
			near_angle(facts["as target"][bone], facts["bent"][bone], 1e-3, title + " to IK")
			bent = maxf(bent, absf(angle_difference(facts["bent"][bone], facts["shown"][bone])))
		for bone: String in facts["places"]:
			var place: Array = facts["places"][bone]
			near(facts["places after"][bone][0], place[0], 0.05, scene + " " + bone)
			near(facts["places after"][bone][1], place[1], 0.05, scene + " " + bone)
		check(bent > 0.2, scene + ": posed in between")
		check("differs" not in facts["told"] + facts["told back"], facts["told back"])


func test_each_switch_is_one_step() -> void:
	for scene: String in ["arm", "poled", "straight", "grip", "chain", "tree", "look"]:
		equal(seen[scene]["steps"], 3.0, scene)
		equal(seen[scene]["undone"], [], scene + ": what has not come back")


func test_both_sides_get_keys() -> void:
	var facts: Dictionary = seen["keys"]
	check("keys at 0.4 s" in facts["told"], facts["told"])
	var paths: Array = ["Skeleton/Bone0:rotation", "Skeleton/Bone0/Bone1:rotation"]
	for path: String in paths + ["Target:position", "Skeleton/Rig/Arm:active"]:
		check(facts["keys"].has("swing " + path), path)
	for path: String in ["Target:position", "Skeleton/Rig/Arm:active"]:
		check(facts["keys"].has("RESET " + path), "RESET " + path)
	equal(facts["keys"]["swing Skeleton/Rig/Arm:active"].size(), 2, "on before, off after")
	equal(facts["all keys"]["swing Skeleton/Rig/Arm:active"].size(), 3, "and on again")
	equal(facts["active"], [true, false, false, true, true], "played: %s" % [facts["all keys"]])
	for bone: int in 2:
		near_angle(facts["played"][bone], facts["shown"][bone], 1e-3, "at the first switch")
		near_angle(facts["shown after"][bone], facts["shown later"][bone], 1e-3, "at the second")
	check(facts["undone"], "undone")


func test_what_cannot_be_switched_is_said() -> void:
	check("switched on already" in seen["refused"]["by its target"], str(seen["refused"]))
	check("does that already" in seen["refused"]["second"], str(seen["refused"]))
	check("would move, too" in seen["refused"]["shared"], str(seen["refused"]))


func test_the_editor_logs_no_errors() -> void:
	expect_no_errors(["ERROR", "panic", "Tendon:"], ENGINE_NOISE)


func _make_scenes() -> Dictionary:
	var scenes: Dictionary = {"plain": _character("plain"), "keyed": _swinging(true)}
	scenes["arm"] = _reaching([60.0, 50.0], [0.25, 0.5], TendonTwoBoneIK2D.new()).stage
	# Its rest pose is straight.
	scenes["straight"] = _reaching([60.0, 50.0], [0.25, 0.0], TendonTwoBoneIK2D.new()).stage
	var poled: Figure = _reaching([60.0, 50.0], [0.25, 0.5], TendonTwoBoneIK2D.new())
	var pole: Marker2D = Marker2D.new()
	pole.name = "Pole"
	pole.position = Vector2(40, -60)
	poled.stage.add_child(pole)
	poled.rig.get_child(0).set(&"pole", pole)
	scenes["poled"] = poled.stage
	scenes["grip"] = _gripping().stage
	var turns: Array = [0.3, 0.4, 0.3, 0.2]
	var lengths: Array = [40.0, 35.0, 30.0, 25.0]
	scenes["chain"] = _reaching(lengths, turns, TendonCCDIK2D.new()).stage
	scenes["tree"] = _branching().stage
	var look: TendonLookAt2D = TendonLookAt2D.new()
	look.additional_rotation = 0.4
	scenes["look"] = _reaching([60.0], [0.3], look).stage
	var shared: Figure = _reaching([60.0, 50.0], [0.25, 0.5], TendonTwoBoneIK2D.new())
	var branch: Array[Bone2D] = Figure.branch(shared.skeleton, Vector2(9, 9), [40.0])
	var second: TendonLookAt2D = TendonLookAt2D.new()
	second.name = "Second"
	shared.rig.add_child(second)
	second.bone = branch[0]
	second.target = shared.target
	scenes["shared"] = shared.stage
	return scenes


func _reaching(lengths: Array, turns: Array, modifier: Node) -> Figure:
	var figure: Figure = Figure.new(lengths, turns, ANCESTORS)
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	modifier.name = "Reach"
	figure.add(modifier)
	figure.target.position = figure.ancestors[0].transform * Vector2(55, 60)
	return figure


## A hand that turns like the target, at the end of a limb that can be stretched, out of its reach.
func _gripping() -> Figure:
	var arm: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
	var figure: Figure = _reaching([50.0, 40.0, 20.0], [0.3, 0.6, 0.2], arm)
	arm.bone_two = figure.bones[1]
	arm.tip = figure.bones[2]
	arm.match_target_rotation = true
	arm.stretch = 1.5
	figure.target.position = figure.ancestors[0].transform * Vector2(85, 65)
	figure.target.rotation = 0.7
	return figure


func _branching() -> Figure:
	var tree: TendonFABRIK2D = TendonFABRIK2D.new()
	var figure: Figure = _reaching([40.0, 30.0, 30.0], [0.3, 0.4, 0.3], tree)
	var twig: Array[Bone2D] = Figure.branch(
		figure.bones[0], Vector2(40, 0), [25.0, 25.0], [-0.9, 0.3]
	)
	twig[0].name = "Twig0"
	twig[1].name = "Twig1"
	var second: Marker2D = Marker2D.new()
	second.name = "Second"
	second.position = figure.ancestors[0].transform * Vector2(70, 10)
	figure.stage.add_child(second)
	var effector: TendonEffector2D = TendonEffector2D.new()
	effector.name = "Effector"
	tree.add_child(effector)
	effector.tip_bone = twig[1]
	effector.target = second
	return figure
