extends "res://tests/suite.gd"
## The base pose: what animation, scripts or the user last gave the bones. Passes start from it,
## and the rig restores it when it stops.

const CountingBone := preload("res://tests/counting_bone.gd")
const LENGTHS: Array[float] = [30.0, 25.0, 12.0, 40.0]
## Not round, so that every bit counts.
const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736, 0.1234567]
const POINT: Vector2 = Vector2(-20, 55)


func test_switching_off_puts_back_every_bit() -> void:
	for mirrored: bool in [false, true]:
		var figure: Figure = _figure(mirrored)
		var base: PackedFloat32Array = figure.pose()
		var shape: Array = figure.shape()
		for count: int in 3:
			figure.solve(POINT + Vector2(count * 20, 0))
			check(figure.pose() != base, "is solved")
			figure.rig.active = false
			equal(figure.pose(), base, "base pose")
			figure.solve()
			equal(figure.pose(), base, "still switched off")
			figure.rig.active = true
		equal(figure.shape(), shape, "shape")


func test_switching_on_again_gives_the_same_pose() -> void:
	var figure: Figure = _figure()
	figure.solve(POINT)
	var solved: PackedFloat32Array = figure.pose()
	figure.rig.active = false
	figure.rig.active = true
	figure.solve()
	equal(figure.pose(), solved, "pose")


func test_restore_pose_lasts_until_the_next_pass() -> void:
	var figure: Figure = _figure()
	var base: PackedFloat32Array = figure.pose()
	figure.rig.restore_pose()
	equal(figure.pose(), base, "before the first pass")
	figure.solve(POINT)
	var solved: PackedFloat32Array = figure.pose()
	figure.rig.restore_pose()
	equal(figure.pose(), base, "base pose")
	figure.rig.restore_pose()
	equal(figure.pose(), base, "twice")
	figure.solve()
	equal(figure.pose(), solved, "solved again")


func test_the_solved_pose_is_kept() -> void:
	for kind: String in ["fabrik", "ccd", "two_bone", "look_at"]:
		for mirrored: bool in [false, true]:
			for only_one: bool in [false, true]:
				var about: String = "%s, mirrored %s, one %s" % [kind, mirrored, only_one]
				var figure: Figure = Figure.new(LENGTHS, POSE)
				if mirrored:
					_mirror_bones(figure)
				var modifier: Node = figure.call(kind)
				add_child(figure.stage)
				figure.solve(POINT)
				figure.solve()
				var solved: PackedFloat32Array = figure.pose()
				figure.rig.keep_pose(modifier if only_one else null)
				equal(figure.pose(), solved, about + ", nothing is written")
				figure.solve()
				_expect_pose(figure, solved, about + ", solved again")
				modifier.set("influence", 0.0)
				figure.solve()
				_expect_pose(figure, solved, about + ", without influence")
				figure.rig.restore_pose()
				equal(figure.pose(), solved, about + ", the base pose")
				figure.stage.free()


func test_only_the_limb_of_a_modifier_is_kept() -> void:
	var figure: Figure = Figure.new(LENGTHS, POSE)
	var look: TendonLookAt2D = figure.look_at()
	look.bone = figure.bones[0]
	var arm: TendonTwoBoneIK2D = figure.two_bone()
	arm.bone_one = figure.bones[1]
	arm.bone_two = figure.bones[2]
	add_child(figure.stage)
	figure.solve(POINT)
	var base: PackedFloat32Array = POSE
	var solved: PackedFloat32Array = figure.pose()
	check(solved[0] != base[0] and solved[1] != base[1], "both turn: %s" % [solved])
	figure.rig.keep_pose(arm)
	figure.rig.restore_pose()
	var kept: PackedFloat32Array = figure.pose()
	equal(kept[0], base[0], "the other modifier's bone")
	equal([kept[1], kept[2]], [solved[1], solved[2]], "its own")
	equal(kept[3], base[3], "one that nobody turns")


func test_only_a_modifier_of_the_rig_is_kept() -> void:
	var figure: Figure = _figure()
	var base: PackedFloat32Array = figure.pose()
	figure.solve(POINT)
	for stranger: Node in [figure.rig, figure.stage, _figure().rig.get_child(0)]:
		figure.rig.keep_pose(stranger)
		expect_errors(["none of this rig's modifiers"], str(stranger))
	figure.rig.restore_pose()
	equal(figure.pose(), base, "nothing is kept")


func _expect_pose(figure: Figure, pose: PackedFloat32Array, about: String) -> void:
	for index: int in pose.size():
		near_angle(figure.pose()[index], pose[index], 2e-4, "%s, %d" % [about, index])


func test_an_idle_modifier_gives_its_bones_back() -> void:
	var figure: Figure = _figure()
	var modifier: TendonFABRIK2D = figure.rig.get_child(0)
	var base: PackedFloat32Array = figure.pose()
	figure.solve(POINT)
	modifier.active = false
	figure.solve()
	equal(figure.pose(), base, "inactive")
	modifier.active = true
	figure.solve()
	check(figure.pose() != base, "active")
	modifier.target = null
	figure.solve()
	equal(figure.pose(), base, "without a target")
	modifier.target = figure.target
	figure.solve()
	check(figure.pose() != base, "with a target")
	modifier.influence = 0.0
	figure.solve()
	equal(figure.pose(), base, "without influence")


func test_a_rig_that_goes_gives_the_bones_back() -> void:
	for way: String in ["remove", "free", "queue_free"]:
		var figure: Figure = _figure()
		var base: PackedFloat32Array = figure.pose()
		figure.solve(POINT)
		check(figure.pose() != base, "is solved")
		match way:
			"remove":
				figure.skeleton.remove_child(figure.rig)
			"free":
				figure.rig.free()
			"queue_free":
				figure.rig.queue_free()
				await frames(2)
		equal(figure.pose(), base, way)
		if way == "remove":
			figure.rig.advance(0.0)
			equal(figure.pose(), base, "outside the tree")
			figure.skeleton.add_child(figure.rig)
			figure.solve()
			check(figure.pose() != base, "back in the tree")


func test_a_modifier_that_goes_gives_its_bones_back() -> void:
	for way: String in ["remove", "free", "queue_free"]:
		var figure: Figure = _figure()
		var base: PackedFloat32Array = figure.pose()
		figure.solve(POINT)
		var modifier: Node = figure.rig.get_child(0)
		match way:
			"remove":
				figure.rig.remove_child(modifier)
			"free":
				modifier.free()
			"queue_free":
				modifier.queue_free()
				await frames(2)
		figure.solve()
		equal(figure.pose(), base, way)
		if way == "remove":
			figure.rig.add_child(modifier)
			figure.solve()
			check(figure.pose() != base, "back in the tree")


func test_bones_that_a_modifier_no_longer_has_go_back() -> void:
	var figure: Figure = _figure()
	var modifier: TendonFABRIK2D = figure.rig.get_child(0)
	var base: PackedFloat32Array = figure.pose()
	figure.solve(POINT)
	modifier.root_bone = figure.bones[2]
	figure.solve()
	equal(figure.pose().slice(0, 2), base.slice(0, 2), "the first two bones")
	check(figure.pose().slice(2) != base.slice(2), "the others are solved")
	modifier.tip_bone = figure.bones[2]
	figure.solve()
	equal(figure.pose()[3], base[3], "the last bone")
	modifier.root_bone = null
	figure.solve()
	equal(figure.pose(), base, "all")
	expect_warnings(['"Root Bone"'], "no root bone")


func test_a_bone_property_that_changes_between_two_chains() -> void:
	var figure: Figure = _figure()
	var other: Array[Bone2D] = Figure.branch(figure.skeleton, Vector2(50, 0), [20, 20], [0.5, 0.6])
	var modifier: TendonFABRIK2D = figure.rig.get_child(0)
	var base: PackedFloat32Array = figure.pose()
	figure.solve(POINT)
	modifier.root_bone = other[0]
	modifier.tip_bone = other[1]
	figure.solve()
	equal(figure.pose(), base, "the old chain")
	check(other[0].rotation != 0.5, "the new chain is solved")


func test_a_skeleton_that_leaves_the_tree() -> void:
	for rig_first: bool in [false, true]:
		for mirrored: bool in [false, true]:
			var figure: Figure = _figure(mirrored)
			if rig_first:
				figure.skeleton.move_child(figure.rig, 0)
			var about: String = "rig first: %s, mirrored bones: %s" % [rig_first, mirrored]
			var base: Array[Transform2D] = _transforms(figure)
			figure.solve(POINT)
			var solved: Array[Transform2D] = _transforms(figure)
			for count: int in 5:
				remove_child(figure.stage)
				_expect_transforms(figure, base, "out of the tree, " + about)
				add_child(figure.stage)
				_expect_transforms(figure, base, "back in the tree, " + about)
				figure.solve()
				_expect_transforms(figure, solved, "solved again, " + about)


func test_a_bone_that_leaves_the_tree() -> void:
	var figure: Figure = _figure()
	var base: Array[Transform2D] = _transforms(figure)
	figure.solve(POINT)
	var solved: Array[Transform2D] = _transforms(figure)
	figure.bones[1].remove_child(figure.bones[2])
	figure.solve()
	for index: int in 2:
		_expect_transform(figure.bones[index].transform, base[index], "bone %d" % index)
	figure.bones[1].add_child(figure.bones[2])
	figure.solve()
	_expect_transforms(figure, solved, "solved again")
	figure.rig.active = false
	_expect_transforms(figure, base, "switched off")
	expect_warnings(["TendonFABRIK2D"], "while the bone was away")


func test_what_a_script_writes_is_the_new_base() -> void:
	var figure: Figure = _figure()
	var base: PackedFloat32Array = figure.pose()
	figure.solve(POINT)
	figure.bones[1].rotation = 0.25
	figure.solve()
	base[1] = 0.25
	figure.rig.active = false
	equal(figure.pose(), base, "base pose")
	figure.rig.active = true
	figure.solve()
	figure.bones[1].rotate(0.5)
	var turned: float = figure.bones[1].rotation
	figure.rig.active = false
	equal(figure.bones[1].rotation, turned, "written after the last pass")
	equal(figure.pose()[0], base[0], "another bone")


func test_a_bone_turned_by_whole_turns() -> void:
	for rotation: float in [4.4, -5.5, 0.4 + 3 * TAU, -40.0]:
		var figure: Figure = _figure()
		figure.bones[0].rotation = rotation
		var base: PackedFloat32Array = figure.pose()
		figure.solve(POINT)
		reaches(figure, "from %s" % rotation)
		if absf(rotation) < TAU:
			near(figure.bones[0].rotation, base[0], PI + 1e-5, "is not wound, from %s" % rotation)
		figure.rig.active = false
		equal(figure.pose(), base, "base pose, from %s" % rotation)


## Neither influence nor memory feeds on itself: each loop looks like the one before. Without
## memory to the last bit, with it once the chain has settled, as near as chains settle.
func test_animation_and_influence() -> void:
	var reference: Figure = _figure()
	reference.rig.active = false
	var reference_player: AnimationPlayer = _animate(reference)
	for influence: float in [0.0, 0.5, 1.0]:
		for deterministic: bool in [true, false]:
			reference_player.seek(0.0, true)
			var figure: Figure = _figure()
			figure.rig.influence = influence
			figure.rig.get_child(0).set("deterministic", deterministic)
			figure.target.position = POINT
			var player: AnimationPlayer = _animate(figure)
			var poses: Array[PackedFloat32Array] = []
			for step: int in 16 * 6:
				player.advance(1.0 / 16)
				reference_player.advance(1.0 / 16)
				var about: String = "%s, step %d" % [[influence, deterministic], step]
				var animated: PackedFloat32Array = reference.pose()
				equal(figure.pose(), animated, "animated pose, " + about)
				figure.rig.advance(1.0 / 16)
				if influence == 0.0:
					equal(figure.pose(), animated, "without influence, " + about)
				if influence == 1.0:
					reaches(figure, about)
				poses.append(figure.pose())
				_expect_as_in_last_loop(poses, deterministic, about)
			figure.rig.active = false
			equal(figure.pose(), reference.pose(), "base pose, influence %s" % influence)


func test_animation_that_writes_only_now_and_then() -> void:
	for deterministic: bool in [true, false]:
		var figure: Figure = _figure()
		figure.rig.get_child(0).set("deterministic", deterministic)
		var player: AnimationPlayer = _animate(figure, Animation.UPDATE_DISCRETE)
		figure.target.position = POINT
		var poses: Array[PackedFloat32Array] = []
		for step: int in 16 * 4:
			player.advance(1.0 / 16)
			figure.rig.advance(1.0 / 16)
			poses.append(figure.pose())
			_expect_as_in_last_loop(poses, deterministic, "%s, step %d" % [deterministic, step])


func test_a_still_rig_writes_nothing() -> void:
	for mirrored: bool in [false, true]:
		for point: Vector2 in [POINT, Vector2(900, 1), Vector2(3, 4)]:
			var figure: Figure = Figure.new(LENGTHS, POSE, Figure.ANCESTORS["skewed"])
			if mirrored:
				_mirror_bones(figure)
			for bone: Bone2D in figure.bones:
				bone.set_script(CountingBone)
			figure.fabrik()
			var extra: TendonTwoBoneIK2D = figure.two_bone()
			extra.bone_two = figure.bones[1]
			add_child(figure.stage)
			figure.rig.influence = 0.7
			figure.solve(point)
			check(CountingBone.count(figure.bones) > 0, "the first pass writes")
			for count: int in 10:
				figure.solve()
			check(
				CountingBone.count(figure.bones) <= figure.bones.size(),
				"each bone once: %d" % CountingBone.count(figure.bones)
			)


func test_a_pass_writes_each_bone_at_most_once() -> void:
	var figure: Figure = Figure.new(LENGTHS, POSE)
	for bone: Bone2D in figure.bones:
		bone.set_script(CountingBone)
	figure.fabrik()
	figure.ccd()
	add_child(figure.stage)
	figure.solve(Vector2(1, 1))
	for count: int in 10:
		var before: int = CountingBone.count(figure.bones)
		figure.solve(POINT + Vector2(count, 0))
		check(CountingBone.count(figure.bones) - before <= figure.bones.size(), "pass %d" % count)


func _figure(mirrored: bool = false) -> Figure:
	var figure: Figure = Figure.new(LENGTHS, POSE)
	if mirrored:
		_mirror_bones(figure)
	figure.fabrik()
	add_child(figure.stage)
	return figure


func _mirror_bones(figure: Figure) -> void:
	figure.bones[0].scale = Vector2(-1, 1)
	figure.bones[1].scale = Vector2(1.2, -1.2)
	figure.bones[2].scale = Vector2(-1, -1)


## The last of [param poses] is the same as one loop of 16 steps before. With memory only from the
## third loop on, and nearly: chains that are as near to the base pose as that do not settle.
func _expect_as_in_last_loop(
	poses: Array[PackedFloat32Array], deterministic: bool, message: String
) -> void:
	if deterministic and poses.size() > 16:
		equal(poses[-1], poses[-17], message)
	elif poses.size() > 32:
		for index: int in poses[-1].size():
			near_angle(poses[-1][index], poses[-17][index], 5e-4, "%s, %d" % [message, index])


## Plays a loop of one second, in which every bone has four keys, by hand.
func _animate(
	figure: Figure, mode: Animation.UpdateMode = Animation.UPDATE_CONTINUOUS
) -> AnimationPlayer:
	var animation: Animation = Animation.new()
	animation.length = 1.0
	animation.loop_mode = Animation.LOOP_LINEAR
	for index: int in figure.bones.size():
		var track: int = animation.add_track(Animation.TYPE_VALUE)
		var path: NodePath = figure.stage.get_path_to(figure.bones[index])
		animation.track_set_path(track, NodePath("%s:rotation" % path))
		animation.value_track_set_update_mode(track, mode)
		for key: int in 4:
			var value: float = POSE[index] + 0.3 * sin(key * 1.7 + index)
			animation.track_insert_key(track, key * 0.25, value)
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"loop", animation)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	player.add_animation_library(&"", library)
	figure.stage.add_child(player)
	player.play(&"loop")
	return player


func _transforms(figure: Figure) -> Array[Transform2D]:
	var transforms: Array[Transform2D] = []
	for bone: Bone2D in figure.bones:
		transforms.append(bone.transform)
	return transforms


func _expect_transforms(figure: Figure, expected: Array[Transform2D], message: String) -> void:
	for index: int in expected.size():
		_expect_transform(figure.bones[index].transform, expected[index], message)


func _expect_transform(actual: Transform2D, expected: Transform2D, message: String) -> void:
	near_point(actual.x, expected.x, 1e-5, message + ", X")
	near_point(actual.y, expected.y, 1e-5, message + ", Y")
	near_point(actual.origin, expected.origin, 1e-5, message + ", origin")
