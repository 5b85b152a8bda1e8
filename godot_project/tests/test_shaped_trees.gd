extends "res://tests/suite.gd"
## Softness, stretch and the target's rotation where a chain is solved as a tree: with effectors,
## or because it has to leave an obstacle.

const Effectors := preload("res://tests/test_effectors.gd")
const ROOT: Vector2 = Effectors.ROOT
## From the root of a torso to either hand.
const REACH: float = 30.0 + 25.0 + sqrt(20.0 ** 2 + 7.0 ** 2) + 22.0 + 18.0


func test_softness_under_every_ancestor() -> void:
	for about: String in Figure.ANCESTORS:
		var torso: Effectors.Torso = _torso(about)
		torso.modifier.softness = 0.5
		for part: float in [0.45, 1.0, 1.2]:
			var target: Vector2 = Vector2.from_angle(-1.0) * part * REACH
			torso.aim(ROOT + target, ROOT + target)
			torso.solve()
			var eased: float = part
			if part > 0.5:
				eased = 0.5 + 0.5 * (1.0 - exp(-(part - 0.5) / 0.5))
			var goal: Vector2 = ROOT + target * eased / part
			var message: String = "%s, %s of the reach" % [about, part]
			near_point(torso.tip(), goal, 0.02, "main tip, " + message)
			var other: Vector2 = torso.to_skeleton(Figure.axis_end(torso.arm[-1]))
			near_point(other, goal, 0.02, "effector, " + message)
			var reached: bool = torso.modifier.get_status() == TendonFABRIK2D.STATUS_REACHED
			equal(reached, part < 0.5, "reached, " + message)


func test_stretch_under_every_ancestor() -> void:
	for about: String in Figure.ANCESTORS:
		for leader: String in ["main tip", "effector"]:
			var torso: Effectors.Torso = _torso(about)
			torso.modifier.stretch = 1.5
			var far: Vector2 = ROOT + Vector2.from_angle(-1.3) * 1.25 * REACH
			torso.aim(far, far)
			if leader == "main tip":
				torso.effector.weight = 0.0
			else:
				torso.modifier.target = null
			torso.rig.advance(0.0)
			var message: String = "%s, %s" % [leader, about]
			equal(torso.modifier.get_status(), TendonFABRIK2D.STATUS_REACHED, message)
			var gap: float = torso.gap() if leader == "main tip" else torso.other_gap()
			near(gap, 0.0, 0.01, "gap, " + message)
			# The last bones end at no bone, and keep their length.
			var factor: float = 1.0 + 0.25 * REACH / (REACH - 18.0)
			for bone: Bone2D in torso.all().slice(1):
				var length: float = bone.position.length() / bone.rest.origin.length()
				near(length, factor, 1e-3, "%s, %s" % [bone.name, message])
			near_point(torso.bones[0].position, ROOT, 0.0, "the root stays, " + message)
			torso.rig.active = false
			for bone: Bone2D in torso.all():
				near_point(bone.position, bone.rest.origin, 0.0, "base, " + message)


func test_bones_at_the_tips_are_moved() -> void:
	for about: String in ["plain", "mirrored in x", "stretched, skewed and mirrored"]:
		var torso: Effectors.Torso = _torso(about)
		var hands: Array[Bone2D] = []
		for last: Bone2D in [torso.bones[-1], torso.arm[-1]]:
			hands.append(Figure.branch(last, Vector2(18, 0), [5])[0])
			last.set_autocalculate_length_and_angle(true)
		torso.modifier.stretch = 1.3
		var far: Vector2 = ROOT + Vector2.from_angle(-1.3) * 2.0 * REACH
		torso.aim(far, far)
		torso.solve()
		for hand: Bone2D in hands:
			near(hand.position.x, 1.3 * 18.0, 1e-3, "hand, " + about)
		near(torso.bones[3].position.x, 1.3 * 20.0, 1e-3, "shoulder, " + about)
		torso.modifier.stretch = 1.0
		torso.solve()
		for hand: Bone2D in hands:
			near(hand.position.x, 18.0, 0.0, "put back, " + about)


func test_a_tip_on_a_joint_of_the_tree_moves_it_once() -> void:
	var torso: Effectors.Torso = _torso("skewed")
	# Ends at the main arm's second bone, which the tree lengthens already.
	torso.effector.tip_bone = torso.bones[3]
	torso.bones[3].set_autocalculate_length_and_angle(true)
	torso.modifier.stretch = 1.5
	torso.aim(ROOT + Vector2(0, -400), ROOT + Vector2(0, -300))
	torso.solve()
	for index: int in [1, 2, 3, 4]:
		var bone: Bone2D = torso.bones[index]
		near_point(bone.position, 1.5 * bone.rest.origin, 1e-3, str(bone.name))


func test_the_targets_rotation_under_every_ancestor() -> void:
	for about: String in Figure.ANCESTORS:
		var torso: Effectors.Torso = _torso(about)
		torso.modifier.match_target_rotation = true
		for other: Array in Effectors.OTHER_POSES:
			torso.aim_at(other)
			var base: PackedFloat32Array = torso.rotations()
			torso.turn_all(other)
			torso.target.global_rotation = torso.bones[-1].global_transform.x.angle()
			torso.turn_all(Array(base))
			torso.solve_anew()
			var message: String = "%s, %s" % [about, other]
			_heads_like_its_target(torso, message)
			reaches(torso, message)
			near(torso.other_gap(), 0.0, 1e-4 * REACH, "the other tip, " + message)


func test_the_targets_rotation_out_of_an_obstacle() -> void:
	for about: String in Figure.ANCESTORS:
		for kind: String in ["ccd", "fabrik"]:
			var figure: Figure = Figure.new(
				[20, 20, 20, 20, 20, 20], [0.3, -0.1, -0.1, -0.1, -0.1, -0.1], _above(about)
			)
			var modifier: Node = figure.call(kind)
			modifier.set("match_target_rotation", true)
			add_child(figure.stage)
			figure.target.global_rotation = figure.skeleton.global_transform.y.angle()
			figure.solve(ROOT + Vector2(85, 8))
			var blind: PackedFloat32Array = figure.pose()
			var obstacle: CollisionShape2D = CollisionShape2D.new()
			obstacle.shape = CircleShape2D.new()
			obstacle.shape.set("radius", 9.0)
			obstacle.position = figure.to_skeleton(figure.bones[2].global_position)
			figure.skeleton.add_child(obstacle)
			modifier.get("obstacles").append(obstacle)
			var message: String = "%s, %s" % [kind, about]
			settle(figure, message)
			check(figure.pose() != blind, "it has to get out, " + message)
			near(modifier.call("get_penetration"), 0.0, 0.01, "penetration, " + message)
			_heads_like_its_target(figure, message)
			reaches(figure, message)


func _heads_like_its_target(figure: Figure, message: String) -> void:
	var actual: float = figure.bones[-1].global_transform.x.angle()
	near_angle(actual, figure.target.global_transform.x.angle(), 1e-3, "heading, " + message)


func _torso(about: String) -> Effectors.Torso:
	var torso: Effectors.Torso = Effectors.Torso.new(_above(about))
	add_child(torso.stage)
	return torso


func _above(about: String) -> Array:
	return Figure.ANCESTORS[about]
