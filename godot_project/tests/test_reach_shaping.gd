# gdlint: disable=max-public-methods
extends "res://tests/suite.gd"
## What shapes a reach: softness, stretch, the target's rotation, the pole and the distances.

const CountingBone := preload("res://tests/counting_bone.gd")
const ROOT: Vector2 = Vector2(3, 4)
## The last bone is the one at the tip.
const LENGTHS: Array[float] = [30.0, 8.0, 32.0, 9.0]
const POSE: Array[float] = [0.4, -0.7, 0.5, 0.3]
const MODIFIERS: Array[String] = ["two_bone", "ccd", "fabrik"]


func test_softness_eases_towards_full_reach() -> void:
	for kind: String in MODIFIERS:
		for about: String in Figure.ANCESTORS:
			var figure: Figure = _figure(kind, Figure.ANCESTORS[about])
			var reach: float = _reach(figure)
			figure.rig.get_child(0).set("softness", 0.3)
			var before: float = 0.0
			for step: int in 30:
				var distance: float = reach * (0.3 + 0.05 * step)
				figure.solve(ROOT + Vector2.from_angle(0.3 + 0.01 * step) * distance)
				var extent: float = ROOT.distance_to(_tip(figure))
				var message: String = "%s, %s, distance %s" % [kind, about, distance]
				check(extent > before - 0.01, message + ": never shrinks")
				check(extent <= minf(distance, reach) + 0.01, "%s: %s" % [message, extent])
				if distance < 0.69 * reach:
					near(extent, distance, 0.02, message)
				before = extent
			check(before < 0.999 * reach, "%s, %s: never straight" % [kind, about])
			var status: int = figure.rig.get_child(0).call("get_status")
			equal(status, TendonFABRIK2D.STATUS_OUT_OF_REACH, kind)


func test_stretch_reaches_what_is_too_far() -> void:
	for kind: String in MODIFIERS:
		for about: String in Figure.ANCESTORS:
			var figure: Figure = _figure(kind, Figure.ANCESTORS[about])
			var reach: float = _reach(figure)
			var modifier: Node = figure.rig.get_child(0)
			var shape: Array = figure.shape()
			modifier.set("stretch", 1.5)
			for part: float in [0.7, 1.1, 1.4, 1.49]:
				figure.solve(ROOT + Vector2.from_angle(part) * part * reach)
				var message: String = "%s, %s, %s" % [kind, about, part]
				near(_gap(figure), 0.0, 1e-3 * reach, message)
				equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_REACHED, message)
				_expect_longer(figure, maxf(part, 1.0), message)
			figure.solve(ROOT + Vector2(2 * reach, 0))
			near(_gap(figure), 0.5 * reach, 1e-3 * reach, "the cap, %s, %s" % [kind, about])
			_expect_longer(figure, 1.5, "the cap, %s, %s" % [kind, about])
			for index: int in figure.bones.size():
				equal(figure.shape()[index].slice(1), shape[index].slice(1), "all but the position")


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


func test_half_the_influence_is_half_the_stretch() -> void:
	for kind: String in MODIFIERS:
		var figure: Figure = _figure(kind)
		figure.rig.get_child(0).set("stretch", 1.5)
		figure.rig.get_child(0).set("influence", 0.5)
		for count: int in 3:
			figure.solve(ROOT + Vector2(0, 84))
			_expect_longer(figure, 1.1, "%s, pass %d" % [kind, count])


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


func test_what_hangs_on_a_stretched_bone() -> void:
	# A head that looks at the hand, and an arm that ends at the bone another one stretches.
	for kind: String in MODIFIERS:
		var figure: Figure = _figure(kind)
		figure.rig.get_child(0).set("stretch", 1.5)
		var head: Bone2D = Figure.branch(figure.skeleton, Vector2(-20, 9), [10], [0.2])[0]
		var look: TendonLookAt2D = figure.look_at()
		look.bone = head
		look.target = figure.bones[3]
		for count: int in 4:
			figure.solve(ROOT + Vector2(0, 80 + count / 2))
			var way: Vector2 = figure.bones[3].global_position - head.global_position
			near_angle(head.global_rotation, way.angle(), 1e-4, "%s, pass %d" % [kind, count])
		var before: PackedFloat32Array = [head.rotation]
		figure.solve()
		equal(PackedFloat32Array([head.rotation]), before, "still")


func test_the_end_turns_like_the_target() -> void:
	for kind: String in MODIFIERS:
		for about: String in Figure.ANCESTORS:
			var figure: Figure = _figure(kind, Figure.ANCESTORS[about])
			var base: PackedFloat32Array = figure.pose()
			var turned: Bone2D = figure.bones[3 if kind == "two_bone" else 2]
			figure.rig.get_child(0).set("match_target_rotation", true)
			for step: int in 8:
				# Where the chain can put it.
				figure.set_pose([0.8 * step, base[1], 0.5 + 0.2 * step, 0.9 * step])
				figure.target.global_position = figure.bones[3].global_position
				figure.target.global_rotation = turned.global_rotation
				figure.set_pose(base)
				figure.solve()
				var message: String = "%s, %s, step %d" % [kind, about, step]
				near(_gap(figure), 0.0, 1e-3 * _reach(figure), message)
				_expect_like(figure, turned, figure.target, message)


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


func test_the_limb_bends_towards_the_pole() -> void:
	for about: String in Figure.ANCESTORS:
		var figure: Figure = _figure("two_bone", Figure.ANCESTORS[about])
		var modifier: TendonTwoBoneIK2D = figure.rig.get_child(0)
		modifier.pole = Marker2D.new()
		figure.stage.add_child(modifier.pole)
		for flip: bool in [false, true]:
			modifier.flip_bend_direction = flip
			for point: Vector2 in [Vector2(40, 10), Vector2(-20, 40), Vector2(0, -35)]:
				for pole: Vector2 in [Vector2(90, 70), Vector2(-40, -60), Vector2(-1, 30)]:
					modifier.pole.global_position = figure.skeleton.global_transform * pole
					figure.solve_anew(point)
					var message: String = "%s, %v, pole %v" % [about, point, pole]
					near(_gap(figure), 0.0, 0.01, message)
					var way: Vector2 = point - ROOT
					var elbow: Vector2 = figure.to_skeleton(figure.bones[2].global_position) - ROOT
					check(way.cross(elbow) * way.cross(pole - ROOT) > 0.0, message)


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


func test_distances() -> void:
	for about: String in Figure.ANCESTORS:
		var figure: Figure = _figure("two_bone", Figure.ANCESTORS[about])
		var modifier: TendonTwoBoneIK2D = figure.rig.get_child(0)
		modifier.min_distance = 30.0
		modifier.max_distance = 50.0
		for distance: float in [5.0, 29.0, 40.0, 51.0, 60.0, 200.0]:
			figure.solve(ROOT + Vector2.from_angle(distance) * distance)
			var expected: Vector2 = Vector2.from_angle(distance) * clampf(distance, 30.0, 50.0)
			near_point(_tip(figure), ROOT + expected, 0.02, "%s, %s" % [about, distance])
			var is_near: bool = distance > 30.0 and distance < 50.0
			equal(modifier.get_status(), 1 if is_near else 2, "status, %s" % distance)
		modifier.min_distance = 0.0
		modifier.max_distance = 0.0
		figure.solve(ROOT + Vector2(60, 0))
		near(_gap(figure), 0.0, 0.02, "off, " + about)


func test_senseless_numbers_do_no_harm() -> void:
	for kind: String in MODIFIERS:
		for value: float in [-1.0, 0.0, 1e30, -3e38, 3e38]:
			for member: String in ["softness", "stretch", "min_distance", "max_distance"]:
				var figure: Figure = _figure(kind)
				var base: Array = [figure.pose(), figure.shape()]
				var modifier: Node = figure.rig.get_child(0)
				modifier.set(member, value)
				for point: Vector2 in [Vector2(30, 20), Vector2(0, 85)]:
					figure.solve(point)
					for bone: Bone2D in figure.bones:
						check(bone.transform.is_finite(), "%s, %s %s" % [kind, member, value])
				figure.rig.active = false
				equal([figure.pose(), figure.shape()], base, "%s, %s %s" % [kind, member, value])


func test_a_hand_without_size() -> void:
	for kind: String in MODIFIERS:
		var figure: Figure = _figure(kind)
		var modifier: Node = figure.rig.get_child(0)
		modifier.set("stretch", 1.5)
		figure.bones[3].transform = Transform2D(0.0, Vector2.ZERO, 0.0, Vector2(32, 0))
		figure.solve(ROOT + Vector2(0, 80))
		equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_REACHED, kind)


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


func _reach(_of: Figure) -> float:
	return LENGTHS[0] + LENGTHS[1] + LENGTHS[2]


## The bones that end a segment of the chain are farther out by [param factor].
func _expect_longer(figure: Figure, factor: float, message: String) -> void:
	var is_limb: bool = figure.rig.get_child(0) is TendonTwoBoneIK2D
	var first: float = LENGTHS[0] + LENGTHS[1] if is_limb else LENGTHS[0]
	var end: Bone2D = figure.bones[2 if is_limb else 1]
	var length: float = figure.points()[0].distance_to(figure.to_skeleton(end.global_position))
	near(length, first * factor, 2e-3 * first, message + ", first segment")
	near(figure.bones[3].position.length(), 32.0 * factor, 0.03, message + ", last segment")


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
