extends "res://tests/suite.gd"
## What scripts make of rigs: the functions of TendonRig2D that add nodes, and the hero of
## docs/rigs-in-code.md.

const Document := preload("res://tests/document.gd")

const PAGE: String = "docs/rigs-in-code.md"
const FLOOR: float = 40.0
## Lines of the hero at most: half of what it took without the functions.
const MOST_LINES: int = 54


func test_the_hero_walks_and_points() -> void:
	var text: String = Document.new(PAGE).scripts()[0]
	check(text.count("\n") <= MOST_LINES, "lines: %d" % text.count("\n"))
	var script: GDScript = GDScript.new()
	script.source_code = text
	equal(script.reload(), OK, "the script compiles")
	_add_floor()
	var hero: CharacterBody2D = CharacterBody2D.new()
	hero.set_script(script)
	add_child(hero)
	await _physics(40)
	check(hero.is_on_floor(), "it stands")
	var feet: Array[Node] = hero.find_children("*", "TendonFoot2D", true, false)
	equal(feet.size(), 2, "feet")
	_expect_soles(feet)
	for place: Vector2 in [hero.global_position + Vector2(20, -40), Vector2(900, -300)]:
		hero.set_physics_process(false)
		var arm: TendonTwoBoneIK2D = hero.get("arm")
		arm.target_position = place
		await frames(2)
		var is_near: bool = place.x < 500.0
		var status: int = (
			TendonTwoBoneIK2D.STATUS_REACHED if is_near else TendonTwoBoneIK2D.STATUS_OUT_OF_REACH
		)
		equal(arm.get_status(), status, "the arm to %v" % place)
	hero.set_physics_process(true)
	var start: float = hero.position.x
	Input.action_press("ui_right")
	await _physics(60)
	Input.action_release("ui_right")
	near(hero.position.x - start, 150.0, 12.0, "it walks")
	await _physics(60)
	_expect_soles(feet)
	hero.free()


func test_modifiers_by_calls() -> void:
	var figure: Figure = Figure.new([40, 30, 20], [0.2, 0.3, 0.1])
	add_child(figure.stage)
	var first: Bone2D = figure.bones[0]
	var last: Bone2D = figure.bones[2]
	var path: Path2D = Path2D.new()
	var player: AnimationPlayer = AnimationPlayer.new()
	figure.stage.add_child(path)
	figure.stage.add_child(player)
	var target: Node2D = figure.target
	var made: Array[Node] = [
		figure.rig.add_two_bone(first, figure.bones[1], target),
		figure.rig.add_look_at(last, target, first),
		figure.rig.add_ccd(first, last, target),
		figure.rig.add_fabrik(first, last, target),
		figure.rig.add_spring(first, last),
		figure.rig.add_spline(first, last, path),
		figure.rig.add_trail(first, last, target),
		figure.rig.add_wave(first, last),
		figure.rig.add_copy_transform(last, target),
		figure.rig.add_slider(last, player, "blink"),
		figure.rig.add_ragdoll(first),
		figure.rig.add_full_body(first),
	]
	equal(figure.rig.get_children(), made, "they are the children, in order")
	var names: Array = made.map(func(node: Node) -> String: return node.name)
	equal(names.slice(0, 3), ["Bone1TwoBoneIK", "Bone2LookAt", "Bone2CCDIK"], "names")
	equal(made[0].get("target"), target, "target")
	equal(made[1].get("chain_root"), first, "the first bone of the look")
	equal(made[5].get("path_2d"), path, "path")
	equal(made[6].get("leader"), target, "leader")
	equal(made[8].get("source"), target, "source")
	equal(made[9].get("animation"), &"blink", "animation")
	equal(made[10].get("root_bone"), first, "root")
	equal(made[11].get("root_bone"), first, "root of the body")
	var hand: TendonEffector2D = made[11].call("add_effector", last, target)
	equal([hand.get_parent(), hand.tip_bone, hand.target], [made[11], last, target], "effector")
	figure.stage.free()


func test_bad_calls_say_why() -> void:
	var figure: Figure = Figure.new([40, 30])
	add_child(figure.stage)
	equal(figure.rig.add_two_bone(null, figure.bones[1]), null, "no bone")
	expect_errors(["add_two_bone(): a bone is null"], "is told")
	equal(figure.rig.add_two_bone(figure.bones[1], figure.bones[0]), null, "the wrong way round")
	expect_errors(['"Bone0" is not below "Bone1"'], "is told")
	equal(figure.rig.add_two_bone(figure.bones[0], figure.bones[0]), null, "one bone")
	expect_errors(["are the same bone"], "is told")
	equal(TendonRig2D.add_bone(figure.stage, "No", Transform2D.IDENTITY), null, "no skeleton")
	expect_errors(["neither a Skeleton2D nor a Bone2D"], "is told")
	equal(TendonRig2D.rig_character(figure.skeleton), null, "names that say nothing")
	expect_errors(["No limb was recognised"], "is told")
	equal(figure.rig.get_child_count(), 0, "nothing was added")
	figure.stage.free()


func test_the_bend_of_a_new_limb_is_the_one_that_it_has() -> void:
	for rest: float in [0.5, -0.5]:
		for pose: float in [0.5, -0.5]:
			var figure: Figure = Figure.new([40, 30], [0.2, rest])
			add_child(figure.stage)
			figure.set_pose([0.2, pose])
			var limb: TendonTwoBoneIK2D = figure.rig.add_two_bone(figure.bones[0], figure.bones[1])
			equal(limb.flip_bend_direction, rest * pose < 0.0, "rest %s, pose %s" % [rest, pose])
			figure.stage.free()


func test_a_place_in_stead_of_a_target() -> void:
	for about: String in Figure.ANCESTORS:
		var figure: Figure = Figure.new([40, 30, 20], [0.2, 0.3, 0.1], Figure.ANCESTORS[about])
		add_child(figure.stage)
		for kind: String in ["add_ccd", "add_fabrik"]:
			var chain: Node = figure.rig.call(kind, figure.bones[0], figure.bones[2])
			figure.rig.advance(TICK)
			equal(chain.get("target_position"), Vector2.INF, "no place")
			equal(chain.call("get_status"), 0, "idle")
			for point: Vector2 in [Vector2(50, 30), Vector2(20, -40)]:
				var place: Vector2 = figure.skeleton.global_transform * point
				chain.set("target_position", place)
				for pass_index: int in 60:
					figure.rig.advance(TICK)
				var tip: Vector2 = chain.call("get_tip_position")
				var off: Vector2 = figure.skeleton.global_transform.affine_inverse() * tip - point
				near(off.length(), 0.0, 0.05, "%s, %s to %v" % [about, kind, point])
			chain.set("target", figure.target)
			figure.target.global_position = figure.skeleton.global_transform * Vector2(40, 40)
			for pass_index: int in 60:
				figure.rig.advance(TICK)
			near(chain.call("get_target_distance"), 0.0, 0.05, "the target comes first")
			chain.set("target", null)
			chain.set("target_position", Vector2.INF)
			figure.rig.advance(TICK)
			equal(chain.call("get_status"), 0, "lets go")
			chain.free()
		figure.stage.free()


func test_a_rig_at_rest_with_a_place_writes_nothing() -> void:
	var figure: Figure = Figure.new([40, 30], [0.2, 0.3])
	add_child(figure.stage)
	var limb: TendonTwoBoneIK2D = figure.rig.add_two_bone(figure.bones[0], figure.bones[1])
	limb.target_position = figure.skeleton.global_transform * Vector2(40, 30)
	figure.rig.advance(TICK)
	var first: float = figure.bones[1].rotation
	figure.rig.advance(TICK)
	equal(figure.bones[1].rotation, first, "the same bits")
	equal(limb.get_status(), TendonTwoBoneIK2D.STATUS_REACHED, "reached")
	limb.target_position = figure.skeleton.global_transform * Vector2(50, 30)
	figure.rig.advance(TICK)
	check(absf(figure.bones[1].rotation - first) > 0.01, "another place wakes it")
	figure.stage.free()


## A plan takes some hundred times as long as a pass that has nothing to do.
func test_a_place_costs_what_a_node_costs() -> void:
	var least: Dictionary[String, int] = {}
	for way: String in ["a node", "a place", "a place that is set each time"]:
		var figure: Figure = Figure.new([40, 30], [0.2, 0.3])
		add_child(figure.stage)
		var place: Vector2 = figure.skeleton.global_transform * Vector2(40, 30)
		var limb: TendonTwoBoneIK2D = figure.rig.add_two_bone(figure.bones[0], figure.bones[1])
		for index: int in 30:
			figure.rig.add_look_at(figure.bones[0]).active = false
		figure.target.global_position = place
		if way == "a node":
			limb.target = figure.target
		least[way] = 1 << 40
		for time: int in 12:
			var start: int = Time.get_ticks_usec()
			for frame: int in 20:
				if way.ends_with("each time") or way == "a place" and time + frame == 0:
					limb.target_position = place + Vector2(0.1 * frame, 0)
				figure.rig.advance(TICK)
			least[way] = mini(least[way], Time.get_ticks_usec() - start)
		figure.stage.free()
	forgive(["no target", "Target"])
	for way: String in least:
		check(least[way] < 6 * least["a node"] + 400, "%s: %s" % [way, least])


## Hands on a gun that a spring kicks, of a body that may fall: docs/full-character.md.
func test_the_order_of_a_fighter_works_while_it_holds_its_gun_and_after_it_has_let_go() -> void:
	var figure: Figure = Figure.new([30, 20, 20], [-PI / 2, 2.0, 0.5])
	add_child(figure.stage)
	var gun: Bone2D = TendonRig2D.add_bone(
		figure.bones[0], "Gun", Transform2D(PI / 2, Vector2(20, 8)), 30.0
	)
	var grip: Marker2D = Marker2D.new()
	grip.position = Vector2(8, 2)
	gun.add_child(grip)
	var look: TendonLookAt2D = figure.rig.add_look_at(gun, figure.target)
	var body: TendonRagdoll2D = figure.rig.add_ragdoll()
	var recoil: TendonSpring2D = figure.rig.add_spring(gun, gun)
	var arm: TendonTwoBoneIK2D = figure.rig.add_two_bone(figure.bones[1], figure.bones[2], grip)
	var order: Array[Node] = [look, body, recoil, arm]
	for duration: float in [0.0, 0.2]:
		arm.transition_duration = duration
		look.transition_duration = duration
		for holds: bool in [true, false, true]:
			arm.target = grip if holds else null
			look.target = figure.target if holds else null
			figure.rig.advance(TICK)
			check(figure.rig.sort_modifiers(), "sorted")
			equal(figure.rig.get_children(), order, "duration %.1f, holds: %s" % [duration, holds])
	for time: int in 60:
		figure.rig.advance(TICK)
	recoil.apply_impulse(Vector2(0, -300))
	for time: int in 20:
		figure.rig.advance(TICK)
		near(arm.get_target_distance(), 0.0, 0.05, "the hand stays at the gun")
	expect_warnings([], "none of the order")
	figure.rig.move_child(arm, 0)
	check(figure.rig.sort_modifiers(), "sorted")
	equal(figure.rig.get_children(), order, "again")
	expect_warnings([], "what it repairs is not told")
	figure.stage.free()


func test_modifiers_are_sorted() -> void:
	var figure: Figure = Figure.new([40, 30, 20], [0.2, 0.3, 0.1])
	add_child(figure.stage)
	var hand: Node = figure.rig.add_look_at(figure.bones[2], figure.target)
	var arm: Node = figure.rig.add_two_bone(figure.bones[0], figure.bones[1], figure.target)
	check(figure.rig.sort_modifiers(), "are sorted")
	equal(figure.rig.get_children(), [arm, hand], "the arm carries the hand")
	figure.rig.advance(TICK)
	expect_warnings([], "what it repairs is not told")
	check(figure.rig.sort_modifiers(), "sorted already")
	equal(figure.rig.get_children(), [arm, hand], "stay")
	figure.stage.free()


func test_a_limb_is_posed() -> void:
	for about: String in Figure.ANCESTORS:
		var figure: Figure = Figure.new([40, 30], [0.2, 0.3], Figure.ANCESTORS[about])
		add_child(figure.stage)
		var space: Transform2D = figure.skeleton.global_transform
		for bend: float in [1.0, -1.0, 0.0]:
			var point: Vector2 = Vector2(45, 25)
			var upper: Bone2D = figure.bones[0]
			check(
				TendonRig2D.pose_limb(upper, figure.bones[1], space * point, bend),
				"%s, bend %s" % [about, bend]
			)
			near_point(figure.points()[2], point, 0.01, "%s, bend %s" % [about, bend])
			var turn: float = wrapf(figure.bones[1].rotation, -PI, PI)
			var side: float = turn * (-1.0 if bend < 0.0 else 1.0)
			check(side > 0.0, "%s, bend %s: %s" % [about, bend, side])
		var far: Vector2 = space * Vector2(400, 0)
		check(not TendonRig2D.pose_limb(figure.bones[0], figure.bones[1], far), "too far")
		near(wrapf(figure.bones[1].rotation, -PI, PI), 0.0, 1e-3, "straight, " + about)
		figure.stage.free()


func test_a_character_is_rigged() -> void:
	for extras: bool in [false, true]:
		var skeleton: Skeleton2D = _character()
		# Outside the tree, as when a scene is put together.
		var rig: TendonRig2D = TendonRig2D.rig_character(skeleton, extras, extras)
		var names: Array = rig.get_children().map(func(node: Node) -> String: return node.name)
		var expected: Array = ["HeadLookAt", "LeftArmIK", "RightArmIK", "LeftLegIK", "RightLegIK"]
		if extras:
			expected.push_front("HipsFootPlacement")
			# Of legs of 36 pixels.
			equal(rig.get_node("HipsFootPlacement").get("search_up"), 18.0, "fits the legs")
			check(rig.has_node("HipsFootPlacement/LeftFoot"), "the name of a foot")
		equal(names, expected, "modifiers")
		var above: Node = skeleton.get_parent()
		equal(
			above.has_node("LeftFootTarget"), not extras, "feet have targets if nothing places them"
		)
		var hand: Node2D = skeleton.get_node("Hips/Chest/LeftHandTarget")
		var forearm: Bone2D = rig.get_node("LeftArmIK").get("bone_two")
		add_child(above)
		var tip: Vector2 = forearm.global_transform * Vector2(18, 0)
		near_point(hand.global_position, tip, 1e-3, "the target is at the hand")
		rig.advance(0.0)
		for side: String in ["Left", "Right"]:
			equal(rig.get_node(side + "ArmIK").call("get_status"), 1, side + " arm")
		equal(
			rig.find_children("*", "TendonFoot2D", true, false).size(), 2 if extras else 0, "feet"
		)
		var limits: Array[Node] = skeleton.find_children("*", "TendonJointLimit2D", true, false)
		equal(limits.size(), 9 if extras else 0, "limits")
		for limit: TendonJointLimit2D in limits:
			if "Shin" in limit.get_parent().name:
				near(limit.min_angle, -0.45, 0.02, "a knee comes to straight")
		equal(TendonRig2D.rig_character(skeleton), null, "once more")
		expect_errors(["turn all limbs of this skeleton already"], "is told")
		above.free()


func _character() -> Skeleton2D:
	var above: Node2D = Node2D.new()
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.position = Vector2(12, -30)
	above.add_child(skeleton)
	var hips: Bone2D = TendonRig2D.add_bone(skeleton, "Hips", Transform2D(0.0, Vector2.ZERO), 6.0)
	var chest: Bone2D = TendonRig2D.add_bone(
		hips, "Chest", Transform2D(-PI / 2, Vector2.ZERO), 30.0
	)
	TendonRig2D.add_bone(chest, "Head", Transform2D(0.0, Vector2(30, 0)), 14.0)
	for side: String in ["Left", "Right"]:
		var arm: Bone2D = _bone(chest, side + "UpperArm", PI, 28.0)
		_bone(arm, side + "Forearm", -0.5, 18.0)
	for side: String in ["Left", "Right"]:
		var thigh: Bone2D = _bone(hips, side + "Thigh", 1.3, 0.0)
		_bone(thigh, side + "Shin", 0.45, 18.0)
	return skeleton


func _bone(parent: Bone2D, title: String, angle: float, at: float) -> Bone2D:
	return TendonRig2D.add_bone(parent, title, Transform2D(angle, Vector2(at, 0)), 18.0)


func _add_floor() -> void:
	var ground: StaticBody2D = StaticBody2D.new()
	var shape: CollisionShape2D = CollisionShape2D.new()
	var box: RectangleShape2D = RectangleShape2D.new()
	box.size = Vector2(4000, 40)
	shape.shape = box
	ground.add_child(shape)
	ground.position = Vector2(0, FLOOR + 20)
	add_child(ground)


func _expect_soles(feet: Array[Node]) -> void:
	for foot: Node in feet:
		var limb: Node = foot.get("limb")
		near(
			(limb.call("get_tip_position") as Vector2).y,
			FLOOR,
			2.0,
			"%s is on the ground" % foot.name
		)


func _physics(count: int) -> void:
	for index: int in count:
		await get_tree().physics_frame


func test_what_is_no_node_of_the_right_class_is_told_in_words() -> void:
	var figure: Figure = Figure.new([40, 30], [0.2, 0.3])
	add_child(figure.stage)
	var freed: Node2D = Node2D.new()
	freed.free()
	var gait: TendonGait2D = TendonGait2D.new()
	for call: Array in [
		["add_leg", [null, figure.bones[1]], "TendonGait2D: add_leg() was called without a bone"],
		["add_leg", [figure.bones[0], figure.bones[1]], "TendonGait2D: A leg needs two bones"],
		["add_leg", [figure.rig, figure.bones[1]], "first_bone is a TendonRig2D. Pass a Bone2D."],
		["add_leg", [freed, figure.bones[1]], "first_bone is freed. Pass a Bone2D."],
		["add_leg", [3, figure.bones[1]], "Pass a Bone2D."],
		["remove_exception", [figure.skeleton], "body is a Skeleton2D. Pass a CollisionObject2D."],
	]:
		equal(gait.callv(call[0], call[1]), null, call[2])
		expect_errors([call[2]], call[2])
	var ragdoll: TendonRagdoll2D = figure.rig.add_ragdoll()
	for node: Node in [gait, ragdoll]:
		for method: String in ["add_exception", "remove_exception"]:
			node.callv(method, [null])
			expect_warnings([method + "() was called without a body"], method)
	gait.free()
	figure.stage.free()


func test_dictionaries_and_arrays_need_no_types() -> void:
	var figure: Figure = Figure.new([40, 30], [0.2, 0.3])
	add_child(figure.stage)
	var ragdoll: TendonRagdoll2D = figure.rig.add_ragdoll()
	var masses: Dictionary[String, float] = {"Bone0": 2.0, "Bone1": 1.5}
	var given: Dictionary = {&"Bone0": 2, "Bone1": 1.5}
	for value: Variant in [JSON.parse_string('{"Bone0": 2, "Bone1": 1.5}'), given, masses]:
		ragdoll.masses = {}
		ragdoll.set(&"masses", value)
		equal(ragdoll.masses, masses, "as %s" % type_string(typeof(value)))
	ragdoll.masses = given
	equal(ragdoll.masses, masses, "from a variable without types")
	for wrong: Dictionary in [{"Bone0": "heavy"}, {3: 1.0}, {"Bone0": null}]:
		ragdoll.set(&"masses", wrong)
		expect_errors(["TendonRagdoll2D.masses: the entry"], "told")
		equal(ragdoll.masses, masses, "it keeps what it had")
	for bone: Bone2D in figure.bones:
		bone.rest = bone.transform
	var library: TendonPoseLibrary = TendonPoseLibrary.new()
	var bones: Array = [figure.bones[1]]
	check(library.store_bones(figure.skeleton, &"Bent", bones), "an array without a type")
	for wrong: Array in [[null], [figure.rig], [3]]:
		equal(library.store_bones(figure.skeleton, &"Wrong", wrong), false, "refused")
		expect_errors(["store_bones(): one of the bones is no Bone2D"], "told")
	figure.stage.free()


func test_constants_of_up_space_are_those_of_both_classes() -> void:
	var gait: TendonGait2D = TendonGait2D.new()
	gait.up_space = TendonFootPlacement2D.UP_SPACE_SKELETON
	equal(gait.up_space, TendonGait2D.UP_SPACE_SKELETON, "the same")
	@warning_ignore("int_as_enum_without_cast")
	gait.up_space = TendonGait2D.UP_SPACE_GLOBAL
	equal(gait.up_space, TendonFootPlacement2D.UP_SPACE_GLOBAL, "set")
	gait.free()
