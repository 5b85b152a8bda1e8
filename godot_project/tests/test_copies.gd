extends "res://tests/suite.gd"
## Copies of a rig, from scenes and by duplicating, have nodes and base poses of their own.

const ScriptedModifier := preload("res://tests/scripted_modifier.gd")

const LENGTHS: Array[float] = [30.0, 25.0, 12.0, 40.0]
const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736, 0.1234567]
const POINT: Vector2 = Vector2(-20, 55)


func test_a_packed_scene_solves_as_its_original() -> void:
	var figure: Figure = _figure()
	figure.target.position = POINT
	_own_all(figure.stage)
	var scene: PackedScene = PackedScene.new()
	equal(scene.pack(figure.stage), OK, "packing")
	figure.solve()
	var file: String = "user://packed_test.tscn"
	equal(ResourceSaver.save(scene, file), OK, "saving")
	var loaded: PackedScene = ResourceLoader.load(file, "", ResourceLoader.CACHE_MODE_IGNORE)
	DirAccess.remove_absolute(file)
	for packed: PackedScene in [scene, loaded]:
		var copy: Node2D = packed.instantiate()
		add_child(copy)
		_expect_copy(copy, figure, "from a scene")


## As docs/poses.md says.
func test_a_scene_that_is_packed_while_it_runs_holds_the_solved_pose() -> void:
	for is_restored: bool in [false, true]:
		var figure: Figure = _figure()
		figure.target.position = POINT
		_own_all(figure.stage)
		figure.solve()
		var solved: float = figure.bones[1].rotation
		check(absf(angle_difference(solved, POSE[1])) > 0.05, "bones hold the solved pose")
		if is_restored:
			figure.rig.restore_pose()
		var scene: PackedScene = PackedScene.new()
		equal(scene.pack(figure.stage), OK, "packing")
		var copy: Node2D = scene.instantiate()
		var bone: Bone2D = copy.get_node(figure.stage.get_path_to(figure.bones[1]))
		near_angle(bone.rotation, POSE[1] if is_restored else solved, 1e-5, "packed")
		add_child(copy)
		var rig: TendonRig2D = copy.get_node(figure.stage.get_path_to(figure.rig))
		rig.advance(0.0)
		near_angle(rig.get_base_rotation(bone), POSE[1], 1e-5, "the rig knows the base pose")
		near_angle(bone.rotation, solved, 1e-3, "it solves as before")
		copy.free()


## The engine leaves out what is nearly the default, and writes fewer digits into a text.
func test_a_packed_copy_keeps_base_poses_where_the_solved_pose_is_nearly_the_default() -> void:
	for nearly: float in [9e-6, -8e-6, 3e-6, 1e-6, 0.0]:
		var figure: Figure = Figure.new([30.0, 25.0, 12.0], [0.4, -0.6, 0.3])
		var script: TendonCustomModifier2D = figure.add(ScriptedModifier.new())
		script.set(
			"act",
			func(modifier: TendonCustomModifier2D, _delta: float) -> void:
				modifier.set_pose_rotation(figure.bones[1], nearly)
		)
		var copied: TendonCopyTransform2D = figure.add(TendonCopyTransform2D.new())
		copied.bone = figure.bones[2]
		copied.source = figure.target
		copied.relative = false
		copied.source_channel = TendonCopyTransform2D.CHANNEL_POSITION_X
		copied.bone_channel = TendonCopyTransform2D.CHANNEL_SCALE_X
		copied.bone_min = 1.0 + nearly
		copied.bone_max = 1.0 + nearly
		figure.bones[2].scale.x = 2.0
		add_child(figure.stage)
		figure.solve(Vector2(10, 20))
		near(figure.bones[1].rotation, nearly, 1e-6, "it is nearly the default")
		_own_all(figure.stage)
		var scene: PackedScene = PackedScene.new()
		equal(scene.pack(figure.stage), OK, "packing")
		var file: String = "user://nearly_test.tscn"
		equal(ResourceSaver.save(scene, file), OK, "saving")
		var loaded: PackedScene = ResourceLoader.load(file, "", ResourceLoader.CACHE_MODE_IGNORE)
		DirAccess.remove_absolute(file)
		for packed: PackedScene in [scene, loaded]:
			var copy: Node2D = packed.instantiate()
			# It has no callable, and so does nothing.
			copy.get_node(figure.stage.get_path_to(copied)).set("bone_max", 3.0)
			add_child(copy)
			var rig: TendonRig2D = copy.get_node(figure.stage.get_path_to(figure.rig))
			rig.advance(0.0)
			rig.restore_pose()
			for index: int in 3:
				var bone: Bone2D = copy.get_node(figure.stage.get_path_to(figure.bones[index]))
				var about: String = "bone %d, %s" % [index, nearly]
				near_angle(bone.rotation, [0.4, -0.6, 0.3][index], 1e-5, "base rotation, " + about)
				near(bone.scale.x, [1.0, 1.0, 2.0][index], 1e-5, "base scale, " + about)
			copy.free()
		figure.stage.free()


func test_restore_pose_before_packing_saves_the_base_pose() -> void:
	var figure: Figure = _figure()
	_own_all(figure.stage)
	figure.solve(POINT)
	figure.rig.restore_pose()
	var scene: PackedScene = PackedScene.new()
	scene.pack(figure.stage)
	figure.solve()
	var copy: Node2D = scene.instantiate()
	var bone: Node = copy.get_node(figure.stage.get_path_to(figure.bones[0]))
	near(bone.get("rotation"), POSE[0], 1e-6, "saved rotation")
	add_child(copy)
	_expect_copy(copy, figure, "copy")


func test_a_duplicate_has_its_own_nodes() -> void:
	var figure: Figure = _figure()
	figure.target.position = POINT
	var copy: Node2D = figure.stage.duplicate()
	add_child(copy)
	figure.solve()
	_expect_copy(copy, figure, "duplicate")
	# Of the solved figure: its base is that of the original, not what the bones hold.
	var later: Node2D = figure.stage.duplicate()
	add_child(later)
	var rig: TendonRig2D = later.get_node(figure.stage.get_path_to(figure.rig))
	rig.advance(0.0)
	rig.active = false
	var bone: Bone2D = later.get_node(figure.stage.get_path_to(figure.bones[0]))
	check(absf(figure.bones[0].rotation - POSE[0]) > 0.1, "the original is solved")
	near_angle(bone.rotation, POSE[0], 1e-6, "base pose of a duplicate")


func test_a_duplicate_of_a_stretched_chain() -> void:
	var figure: Figure = _figure()
	figure.rig.get_child(0).set("stretch", 2.0)
	figure.solve(Vector2(1.2 * figure.reach(), 20))
	check(figure.bones[1].position.x > 1.01 * LENGTHS[0], "the original is stretched")
	var copy: Node2D = figure.stage.duplicate()
	add_child(copy)
	var rig: TendonRig2D = copy.get_node(figure.stage.get_path_to(figure.rig))
	rig.advance(0.0)
	rig.restore_pose()
	for index: int in figure.bones.size():
		var twin: Bone2D = copy.get_node(figure.stage.get_path_to(figure.bones[index]))
		near_angle(twin.rotation, POSE[index], 1e-6, "base rotation of bone %d" % index)
		if index > 0:
			near(twin.position.x, LENGTHS[index - 1], 1e-6, "base position of bone %d" % index)


## A copy of a solved figure has solved poses until its first pass, which may never come.
func test_a_copy_that_has_run_no_pass_gets_its_base_pose() -> void:
	var figure: Figure = _figure()
	figure.solve(POINT)
	check(absf(figure.bones[0].rotation - POSE[0]) > 0.1, "the original is solved")
	for way: String in [
		"switched off before it enters the tree",
		"switched off",
		"restored",
		"removed from the tree",
		"without its rig",
	]:
		var copy: Node2D = figure.stage.duplicate()
		_end(way, copy, copy.get_node(figure.stage.get_path_to(figure.rig)))
		_expect_pose(copy, figure, way)
		copy.free()


## Its rig may be lost before a pass, and its bones may get other names.
func test_a_copy_that_never_was_in_the_tree_gets_its_base_pose() -> void:
	var figure: Figure = _figure()
	figure.solve(POINT)
	for way: String in ["freed", "removed", "moved", "freed with everything"]:
		var copy: Node2D = figure.stage.duplicate()
		var rig: TendonRig2D = copy.get_node(figure.stage.get_path_to(figure.rig))
		match way:
			"freed":
				rig.free()
			"removed":
				rig.get_parent().remove_child(rig)
				rig.free()
			"moved":
				rig.reparent(copy)
			"freed with everything":
				copy.free()
				continue
		_expect_pose(copy, figure, "rig " + way)
		copy.free()


func test_a_copy_whose_bones_were_renamed_gets_its_base_pose() -> void:
	var figure: Figure = _figure()
	figure.solve(POINT)
	for first: int in figure.bones.size():
		for way: String in ["switched off", "solved", "without its rig"]:
			var copy: Node2D = figure.stage.duplicate()
			var twins: Array[Bone2D] = []
			for bone: Bone2D in figure.bones:
				twins.append(copy.get_node(figure.stage.get_path_to(bone)))
			for index: int in range(first, twins.size()):
				twins[index].name = "Other%d" % index
			var rig: TendonRig2D = copy.get_node(figure.stage.get_path_to(figure.rig))
			if way == "without its rig":
				rig.free()
			else:
				add_child(copy)
				if way == "solved":
					rig.advance(0.0)
				rig.active = false
			for index: int in twins.size():
				var about: String = "%s, from %d on, bone %d" % [way, first, index]
				near_angle(twins[index].rotation, POSE[index], 1e-6, about)
			copy.free()


func test_a_copy_that_has_run_no_pass_knows_its_base_pose() -> void:
	var figure: Figure = _figure()
	figure.solve(POINT)
	var copy: Node2D = figure.stage.duplicate()
	add_child(copy)
	var rig: TendonRig2D = copy.get_node(figure.stage.get_path_to(figure.rig))
	var moved: Bone2D = copy.get_node(figure.stage.get_path_to(figure.bones[1]))
	moved.rotation = 0.25
	for index: int in figure.bones.size():
		var twin: Bone2D = copy.get_node(figure.stage.get_path_to(figure.bones[index]))
		var base: float = 0.25 if index == 1 else POSE[index]
		near_angle(rig.get_base_rotation(twin), base, 1e-6, "base of bone %d" % index)
	rig.active = false
	near_angle(moved.rotation, 0.25, 1e-6, "what was set since")


## The pass has the rig's plan then.
func test_a_copy_that_a_custom_modifier_makes_has_its_base_pose() -> void:
	var figure: Figure = Figure.new(LENGTHS, POSE)
	var copies: Array[Node2D] = []
	var bases: PackedFloat32Array = []
	var script: TendonCustomModifier2D = figure.add(ScriptedModifier.new())
	figure.fabrik()
	add_child(figure.stage)
	figure.solve(POINT)
	script.set(
		"act",
		func(_modifier: TendonCustomModifier2D, _delta: float) -> void:
			_own_all(figure.stage)
			var scene: PackedScene = PackedScene.new()
			scene.pack(figure.stage)
			copies.assign([figure.stage.duplicate(), scene.instantiate()])
			for bone: Bone2D in figure.bones:
				bases.append(figure.rig.get_base_rotation(bone))
	)
	figure.solve(Vector2(20, 40))
	script.set("act", Callable())
	equal(copies.size(), 2, "copies")
	equal(bases, PackedFloat32Array(POSE), "base rotations that the script got")
	for copy: Node2D in copies:
		add_child(copy)
		var rig: TendonRig2D = copy.get_node(figure.stage.get_path_to(figure.rig))
		rig.advance(0.0)
		rig.restore_pose()
		_expect_pose(copy, figure, "copied during a pass")


func test_what_a_copy_is_handed_is_not_saved_after_restoring() -> void:
	var figure: Figure = _figure()
	figure.solve(POINT)
	check(_hands_over(figure.rig), "while the pose is solved")
	figure.rig.restore_pose()
	check(not _hands_over(figure.rig), "with the base pose put back")


## Whether a copy of [param rig] would be told of base poses.
func _hands_over(rig: TendonRig2D) -> bool:
	for property: Dictionary in rig.get_property_list():
		if property["name"] == "_base_poses":
			return true
	return false


func _figure() -> Figure:
	var figure: Figure = Figure.new(LENGTHS, POSE)
	figure.fabrik()
	add_child(figure.stage)
	return figure


## Makes [param root] the owner of all nodes below it, so that they are packed with it.
func _own_all(root: Node) -> void:
	for node: Node in root.find_children("*", "", true, false):
		node.owner = root


## The bones of [param copy], a copy of the stage of [param figure], have the base pose.
func _expect_pose(copy: Node2D, figure: Figure, message: String) -> void:
	for index: int in figure.bones.size():
		var twin: Bone2D = copy.get_node(figure.stage.get_path_to(figure.bones[index]))
		near_angle(twin.rotation, POSE[index], 1e-6, "%s, bone %d" % [message, index])


## [param copy], a copy of the stage of [param figure], solves to the same pose, with nodes of
## its own.
func _expect_copy(copy: Node2D, figure: Figure, message: String) -> void:
	var rig: TendonRig2D = copy.get_node(figure.stage.get_path_to(figure.rig))
	var modifier: TendonFABRIK2D = rig.get_child(0)
	equal(rig.callback_mode_process, figure.rig.callback_mode_process, message + ", callback mode")
	equal(modifier.target, copy.get_node("Target"), message + ", target")
	check(copy.is_ancestor_of(modifier.root_bone), message + ", root bone")
	check(copy.is_ancestor_of(modifier.tip_bone), message + ", tip bone")
	rig.advance(0.0)
	equal(modifier.get_status(), TendonFABRIK2D.STATUS_REACHED, message + ", status")
	for bone: Bone2D in figure.bones:
		var twin: Bone2D = copy.get_node(figure.stage.get_path_to(bone))
		near_angle(twin.rotation, bone.rotation, 1e-5, "%s, %s" % [message, bone.name])


func _end(way: String, copy: Node2D, rig: TendonRig2D) -> void:
	if way == "switched off before it enters the tree":
		rig.active = false
	add_child(copy)
	match way:
		"switched off":
			rig.active = false
		"restored":
			rig.restore_pose()
		"removed from the tree":
			remove_child(copy)
		"without its rig":
			rig.free()
