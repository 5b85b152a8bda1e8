extends "res://tests/suite.gd"
## Nodes that a script has added as internal ones count as all others do.

const FaultCharacter := preload("res://tests/fault_character.gd")

const MODES: Array[Node.InternalMode] = [Node.INTERNAL_MODE_FRONT, Node.INTERNAL_MODE_BACK]


func test_characters_of_internal_nodes_solve_as_others() -> void:
	var turned: int = 0
	for plan: int in FaultCharacter.PLANS.size():
		for mode: Node.InternalMode in MODES:
			var character: FaultCharacter = FaultCharacter.new(plan, self)
			var base: PackedFloat32Array = character.base_pose()
			turned += int(character.solved[0] != base)
			# Parents first, and each behind those before it.
			for title: StringName in character.parts:
				var node: Node = character.part(title)
				var parent: Node = node.get_parent()
				parent.remove_child(node)
				parent.add_child(node, false, mode)
			var about: String = "%s, mode %d" % [character.plan, mode]
			equal(character.pose(), base, "base pose, " + about)
			for point: int in FaultCharacter.POINTS.size():
				character.solve_anew(point)
				equal(character.pose(), character.solved[point], "pose, " + about)
			character.free_all()
	check(turned > 40, "%d turn bones" % turned)
	expect_warnings([], "internal nodes")


func test_an_internal_modifier_that_comes_and_goes() -> void:
	var figure: Figure = Figure.new([30.0, 25.0, 20.0], [0.4, -0.7, 0.9])
	add_child(figure.stage)
	figure.solve()
	var base: PackedFloat32Array = figure.pose()
	var modifier: TendonFABRIK2D = figure.fabrik()
	for mode: Node.InternalMode in MODES:
		figure.rig.remove_child(modifier)
		figure.solve(Vector2(-20, 40))
		equal(figure.pose(), base, "without it")
		figure.rig.add_child(modifier, false, mode)
		figure.solve(Vector2(-20, 40))
		reaches(figure, "with it")


## The order of internal nodes is that of the tree, too: those in front, the others, those behind.
func test_the_last_modifier_is_the_one_behind() -> void:
	var figure: Figure = Figure.new([30.0, 25.0], [0.4, -0.7])
	add_child(figure.stage)
	var first: TendonCopyTransform2D = _copy(figure, 0.3)
	var second: TendonCopyTransform2D = _copy(figure, 0.6)
	figure.solve()
	near_angle(figure.bones[0].rotation, 0.6, 1e-6, "the second one")
	figure.rig.remove_child(first)
	figure.rig.add_child(first, false, Node.INTERNAL_MODE_BACK)
	figure.solve()
	near_angle(figure.bones[0].rotation, 0.3, 1e-6, "the one behind")
	figure.rig.remove_child(first)
	figure.rig.add_child(first, false, Node.INTERNAL_MODE_FRONT)
	figure.solve()
	near_angle(figure.bones[0].rotation, 0.6, 1e-6, "the one that is not in front")
	check(is_instance_valid(second), "both are there")
	forgive([OVERRIDDEN])


func test_an_internal_rig_is_the_first_one() -> void:
	var figure: Figure = Figure.new([30.0, 25.0], [0.4, -0.7])
	figure.fabrik()
	add_child(figure.stage)
	figure.skeleton.remove_child(figure.rig)
	figure.skeleton.add_child(figure.rig, false, Node.INTERNAL_MODE_FRONT)
	figure.solve(Vector2(-20, 40))
	reaches(figure, "an internal rig")
	var second: TendonRig2D = TendonRig2D.new()
	second.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
	figure.skeleton.add_child(second)
	second.advance(0.0)
	expect_warnings(["already has a TendonRig2D"], "a second rig")


func _copy(figure: Figure, angle: float) -> TendonCopyTransform2D:
	var copy: TendonCopyTransform2D = figure.add(TendonCopyTransform2D.new())
	copy.relative = false
	copy.source_channel = TendonCopyTransform2D.CHANNEL_POSITION_X
	copy.bone_min = angle
	copy.bone_max = angle
	return copy
