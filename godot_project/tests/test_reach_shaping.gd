# gdlint: disable=max-public-methods
extends "res://tests/suite.gd"
## What shapes a reach: softness, stretch, the target's rotation, the pole and the distances.

const CountingBone := preload("res://tests/counting_bone.gd")
const ROOT: Vector2 = Vector2(3, 4)
## The last bone is the one at the tip.
const LENGTHS: Array[float] = [30.0, 8.0, 32.0, 9.0]
const POSE: Array[float] = [0.4, -0.7, 0.5, 0.3]
const MODIFIERS: Array[String] = ["two_bone", "ccd", "fabrik"]


func test_the_last_bone_stretches_only_to_a_bone() -> void:
	for kind: String in MODIFIERS:
		for way: String in ["tip is a bone", "tip is a marker", "length of its own"]:
			var figure: Figure = _figure(kind)
			var modifier: Node = figure.rig.get_child(0)
			var last: Bone2D = figure.bones[2]
			modifier.set("stretch", 1.5)
			match way:
				"tip is a bone":
					modifier.set("tip", figure.bones[3])
				"tip is a marker":
					var marker: Marker2D = Marker2D.new()
					marker.position = Vector2(32, 0)
					last.add_child(marker)
					modifier.set("tip", marker)
				"length of its own":
					last.set_autocalculate_length_and_angle(false)
					last.set_length(32.0)
			figure.solve(ROOT + Vector2(80, 0))
			var message: String = "%s, %s" % [kind, way]
			near_point(
				modifier.call("get_tip_position"), figure.target.global_position, 0.02, message
			)
			var length: float = figure.bones[3].position.length()
			if way == "tip is a bone":
				near(length, 32.0 * 80 / 70, 1e-3, message)
			else:
				equal(figure.bones[3].position, Vector2(32, 0), message)


func test_a_length_that_becomes_automatic() -> void:
	for kind: String in MODIFIERS:
		var figure: Figure = _figure(kind)
		var last: Bone2D = figure.bones[2]
		figure.rig.get_child(0).set("stretch", 1.5)
		for is_automatic: bool in [false, true, false]:
			last.set_autocalculate_length_and_angle(is_automatic)
			last.set_length(32.0)
			figure.solve(ROOT + Vector2(80, 0))
			var length: float = figure.bones[3].position.length()
			near(length, 32.0 * 80 / 70 if is_automatic else 32.0, 1e-3, kind)
			figure.solve(ROOT + Vector2(50, 0))
			near(figure.bones[3].position.length(), 32.0, 1e-3, kind)


func test_stretched_bones_go_back() -> void:
	var ways: Array[String] = [
		"rig inactive",
		"restore_pose",
		"modifier inactive",
		"stretch off",
		"rig removed",
		"modifier removed",
		"no target",
		"out of the tree",
		"other bones"
	]
	for kind: String in MODIFIERS:
		for way: String in ways:
			var figure: Figure = _figure(kind)
			var modifier: Node = figure.rig.get_child(0)
			modifier.set("stretch", 1.5)
			var base: Array = figure.shape()
			for count: int in 2:
				figure.solve(ROOT + Vector2(0, 80))
			check(figure.shape() != base, "stretched, %s" % kind)
			_let_go(figure, way)
			equal(figure.shape(), base, "%s, %s" % [kind, way])
			if way == "out of the tree":
				add_child(figure.stage)
				figure.solve()
				near(_gap(figure), 0.0, 0.05, "solved again, " + kind)


func test_a_position_that_is_set_is_the_new_base() -> void:
	for kind: String in MODIFIERS:
		var figure: Figure = _figure(kind)
		var base: PackedFloat32Array = figure.pose()
		figure.rig.get_child(0).set("stretch", 1.5)
		figure.solve(ROOT + Vector2(0, 80))
		figure.bones[1].position = Vector2(28, 1)
		figure.bones[3].position = Vector2(30, -2)
		figure.solve()
		check(figure.bones[3].position != Vector2(30, -2), "stretched from there")
		near(_gap(figure), 0.0, 0.05, kind)
		figure.rig.active = false
		equal(figure.bones[1].position, Vector2(28, 1), kind)
		equal(figure.bones[2].position, Vector2(8, 0), kind)
		equal(figure.bones[3].position, Vector2(30, -2), kind)
		equal(figure.pose(), base, "the rotations are not new")


func test_animation_of_positions() -> void:
	var figure: Figure = _figure("fabrik")
	figure.rig.get_child(0).set("stretch", 1.5)
	var first: Array = []
	for step: int in 12:
		for index: int in [1, 2]:
			figure.bones[index].position.x = LENGTHS[index - 1] + sin(step % 4 * TAU / 4)
		figure.solve(ROOT + Vector2(0, 85))
		near(_gap(figure), 0.0, 0.05, "step %d" % step)
		if step < 4:
			first.append(figure.shape())
		else:
			equal(figure.shape(), first[step % 4], "step %d" % step)


func test_a_still_rig_writes_nothing() -> void:
	for kind: String in MODIFIERS:
		for point: Vector2 in [Vector2(0, 85), Vector2(0, 300), Vector2(20, 30)]:
			var figure: Figure = Figure.new(LENGTHS, POSE, Figure.ANCESTORS["skewed"])
			for bone: Bone2D in figure.bones:
				bone.set_script(CountingBone)
			var modifier: Node = _add(figure, kind)
			add_child(figure.stage)
			modifier.set("stretch", 1.3)
			modifier.set("softness", 0.2)
			modifier.set("match_target_rotation", true)
			figure.target.rotation = 0.7
			figure.solve(point)
			var solved: Array = [figure.pose(), figure.shape()]
			for count: int in 10:
				figure.solve()
			equal([figure.pose(), figure.shape()], solved, "%s, %v" % [kind, point])
			equal(figure.bones[0].get("writes"), 1, "the root is only turned")
			for bone: CountingBone in figure.bones:
				check(bone.writes <= 2, "%s, %v, %d writes" % [kind, point, bone.writes])
			figure.rig.active = false
			figure.rig.active = true
			figure.solve()
			equal([figure.pose(), figure.shape()], solved, "once more, %s, %v" % [kind, point])


func test_the_end_turns_like_a_target_on_a_bone() -> void:
	for kind: String in MODIFIERS:
		for is_bone: bool in [false, true]:
			var figure: Figure = _figure(kind, Figure.ANCESTORS["mirrored, then stretched"])
			var modifier: Node = figure.rig.get_child(0)
			var other: Array[Bone2D] = Figure.branch(
				figure.skeleton, Vector2(20, 30), [10, 9], [0.3, 0.8]
			)
			var look: TendonLookAt2D = figure.look_at()
			look.bone = other[0]
			figure.rig.move_child(look, 0)
			var holder: Node2D = Node2D.new()
			holder.transform = Transform2D(0.4, Vector2(2, 0.6), 0.2, Vector2(3, 1))
			other[0].add_child(holder)
			var held: Marker2D = Marker2D.new()
			held.transform = Transform2D(-0.9, Vector2(1, -1), 0.0, Vector2(2, 2))
			holder.add_child(held)
			modifier.set("target", other[1] if is_bone else held)
			modifier.set("match_target_rotation", true)
			for point: Vector2 in [Vector2(60, 10), Vector2(-9, 50)]:
				figure.solve_anew(point)
				var turned: Bone2D = figure.bones[3 if kind == "two_bone" else 2]
				var message: String = "%s, %s, %v" % [kind, is_bone, point]
				_expect_like(figure, turned, modifier.get("target"), message)
				var solved: PackedFloat32Array = figure.pose()
				figure.rig.active = false
				figure.rig.active = true
				figure.solve()
				equal(figure.pose(), solved, "once more, " + message)


func test_no_bone_to_turn_at_the_tip() -> void:
	var figure: Figure = _figure("two_bone")
	var modifier: TendonTwoBoneIK2D = figure.rig.get_child(0)
	modifier.bone_two = figure.bones[3]
	modifier.match_target_rotation = true
	for count: int in 5:
		figure.solve(ROOT + Vector2(0, 66))
	equal(modifier.get_status(), TendonTwoBoneIK2D.STATUS_REACHED, "works all the same")
	reaches(figure, "works all the same")
	expect_warnings(["no Bone2D at the limb's end"], "once")
	modifier.bone_two = figure.bones[2]
	modifier.tip = figure.bones[3]
	figure.target.rotation = 1.0
	figure.solve(ROOT + Vector2(0, 50))
	_expect_like(figure, figure.bones[3], figure.target, "put right")


func test_a_pole_on_a_bone_counts_where_this_pass_puts_it() -> void:
	for about: String in ["plain", "stretched, skewed and mirrored"]:
		var figure: Figure = _figure("two_bone", Figure.ANCESTORS[about])
		var modifier: TendonTwoBoneIK2D = figure.rig.get_child(0)
		var other: Bone2D = Figure.branch(figure.skeleton, Vector2(3, 4), [40])[0]
		modifier.pole = Marker2D.new()
		modifier.pole.position = Vector2(40, 0)
		other.add_child(modifier.pole)
		var look: TendonLookAt2D = figure.look_at()
		look.bone = other
		look.target = Marker2D.new()
		figure.stage.add_child(look.target)
		figure.rig.move_child(look, 0)
		for side: float in [50.0, -50.0, 50.0]:
			look.target.global_position = figure.skeleton.global_transform * Vector2(20, side)
			figure.solve_anew(ROOT + Vector2(45, 0))
			var elbow: Vector2 = figure.to_skeleton(figure.bones[2].global_position) - ROOT
			check(elbow.y * side > 0.0, "%s, %s" % [about, side])


func test_poles_that_come_and_go() -> void:
	var figure: Figure = _figure("two_bone")
	var modifier: TendonTwoBoneIK2D = figure.rig.get_child(0)
	figure.solve(ROOT + Vector2(45, 0))
	var plain: PackedFloat32Array = figure.pose()
	var pole: Marker2D = Marker2D.new()
	pole.position = ROOT + figure.skeleton.position + Vector2(20, -30)
	figure.stage.add_child(pole)
	modifier.pole = pole
	figure.solve()
	var bent: PackedFloat32Array = figure.pose()
	check(bent != plain, "bends to the other side")
	figure.stage.remove_child(pole)
	figure.solve()
	equal(figure.pose(), plain, "outside the tree")
	figure.stage.add_child(pole)
	figure.solve()
	equal(figure.pose(), bent, "back in the tree")
	modifier.pole = null
	figure.solve()
	equal(figure.pose(), plain, "none")
	modifier.pole = pole
	figure.solve()
	pole.free()
	figure.solve()
	equal(figure.pose(), plain, "freed")
	equal(modifier.pole, null, "reading the property")
	equal(modifier.get_status(), TendonTwoBoneIK2D.STATUS_REACHED, "status")


func test_a_pole_on_its_own_limb() -> void:
	var figure: Figure = _figure("two_bone")
	var modifier: TendonTwoBoneIK2D = figure.rig.get_child(0)
	var base: PackedFloat32Array = figure.pose()
	modifier.pole = Marker2D.new()
	figure.bones[1].add_child(modifier.pole)
	for count: int in 5:
		figure.solve(ROOT + Vector2(45, 0))
	equal(modifier.get_status(), TendonTwoBoneIK2D.STATUS_IDLE, "status")
	equal(figure.pose(), base, "pose")
	expect_warnings(["is below a bone of the chain that goes by it"], "once")
	modifier.pole.reparent(figure.stage)
	figure.solve()
	equal(modifier.get_status(), TendonTwoBoneIK2D.STATUS_REACHED, "put right")
	modifier.pole.reparent(figure.bones[2])
	figure.solve()
	equal(modifier.get_status(), TendonTwoBoneIK2D.STATUS_IDLE, "back on the limb")


func _figure(kind: String, above: Array = []) -> Figure:
	var figure: Figure = Figure.new(LENGTHS, POSE, above)
	_add(figure, kind)
	add_child(figure.stage)
	return figure


## The modifier brings the origin of the last bone to the target. The second bone of three is
## rigid in a two-bone limb.
func _add(figure: Figure, kind: String) -> Node:
	var modifier: Node = figure.call(kind)
	if kind == "two_bone":
		modifier.set("bone_one", figure.bones[0])
		modifier.set("bone_two", figure.bones[2])
		figure.bones[1].rotation = 0.0
	else:
		modifier.set("tip_bone", figure.bones[2])
	return modifier


func _tip(figure: Figure) -> Vector2:
	return figure.to_skeleton(figure.bones[3].global_position)


func _gap(figure: Figure) -> float:
	return _tip(figure).distance_to(figure.to_skeleton(figure.target.global_position))


func _expect_like(figure: Figure, bone: Bone2D, model: Node2D, message: String) -> void:
	var frame: Transform2D = figure.skeleton.global_transform.affine_inverse()
	var axis: Vector2 = (frame * bone.global_transform).x
	var expected: Vector2 = (frame * model.global_transform).x
	near(expected.angle_to(axis), 0.0, 2e-3, message + ", direction")


func _let_go(figure: Figure, way: String) -> void:
	var modifier: Node = figure.rig.get_child(0)
	match way:
		"rig inactive":
			figure.rig.active = false
		"restore_pose":
			figure.rig.restore_pose()
		"modifier inactive":
			modifier.set("active", false)
			figure.solve()
		"stretch off":
			modifier.set("stretch", 1.0)
			figure.solve()
		"rig removed":
			figure.skeleton.remove_child(figure.rig)
			figure.rig.queue_free()
		"modifier removed":
			modifier.free()
			figure.solve()
		"no target":
			modifier.set("target", null)
			figure.solve()
		"out of the tree":
			remove_child(figure.stage)
		"other bones":
			modifier.set("bone_two", figure.bones[1])
			modifier.set("tip_bone", figure.bones[0])
			figure.solve(ROOT + Vector2(20, 5))
