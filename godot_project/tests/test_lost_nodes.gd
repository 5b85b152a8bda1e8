extends "res://tests/suite.gd"
## Nodes that are freed, moved or put in the wrong place at any time: no crash, no panic, and the
## rest keeps working.

const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736, 0.1234567]
const POINT: Vector2 = Vector2(-20, 40)
## Modifiers that work without being given anything: on the whole skeleton.
const COMPLETE_AS_IT_IS: PackedStringArray = ["TendonRagdoll2D"]


func test_a_freed_target() -> void:
	for way: String in ["free", "queue_free"]:
		var figure: Figure = _figure()
		var modifier: TendonFABRIK2D = figure.rig.get_child(0)
		var base: PackedFloat32Array = figure.pose()
		figure.solve(POINT)
		if way == "free":
			figure.target.free()
		else:
			figure.target.queue_free()
			await frames(2)
		equal(modifier.target, null, "reading the property, " + way)
		figure.rig.advance(0.0)
		equal(modifier.get_status(), TendonFABRIK2D.STATUS_IDLE, "status, " + way)
		equal(figure.pose(), base, "base pose, " + way)
		modifier.target = Marker2D.new()
		figure.stage.add_child(modifier.target)
		figure.target = modifier.target
		figure.solve(POINT)
		reaches(figure, "with a new target, " + way)


func test_a_target_freed_before_the_first_pass() -> void:
	var figure: Figure = _figure()
	figure.target.free()
	figure.rig.advance(0.0)
	equal(figure.pose(), PackedFloat32Array(POSE), "pose")


func test_a_target_that_is_queued_for_deletion() -> void:
	var figure: Figure = _figure()
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	figure.target.position = POINT
	await frames(2)
	reaches(figure, "before")
	figure.target.queue_free()
	await frames(3)
	equal(figure.pose(), PackedFloat32Array(POSE), "pose")


func test_a_target_outside_the_tree() -> void:
	var figure: Figure = _figure()
	var modifier: TendonFABRIK2D = figure.rig.get_child(0)
	figure.solve(POINT)
	figure.stage.remove_child(figure.target)
	figure.rig.advance(0.0)
	equal(modifier.get_status(), TendonFABRIK2D.STATUS_IDLE, "status")
	equal(figure.pose(), PackedFloat32Array(POSE), "pose")
	figure.stage.add_child(figure.target)
	figure.rig.advance(0.0)
	reaches(figure, "back in the tree")


## Who has removed a node may free it on a thread, and its resources with it.
func test_a_rig_lets_go_of_the_resources_of_a_node_that_leaves() -> void:
	var found: int = 0
	for kind: String in modifier_classes():
		for property: Dictionary in ClassDB.class_get_property_list(kind, true):
			if property["hint_string"] != "Curve":
				continue
			found += 1
			var title: String = "%s.%s" % [kind, property["name"]]
			var figure: Figure = Figure.new([30.0, 25.0, 20.0], [0.4, -0.7, 0.9])
			add_child(figure.stage)
			# Two with one curve, of which one stays.
			var nodes: Array[Node] = []
			var curve: Curve = Curve.new()
			for index: int in 2:
				nodes.append(figure.add(ClassDB.instantiate(kind)))
				nodes[index].set(property["name"], curve)
			figure.solve()
			_expect_let_go(figure, curve, nodes, title)
	check(found > 4, "%d curves" % found)
	forgive([OVERRIDDEN])


func test_a_rig_lets_go_of_the_animation_of_a_player_that_leaves() -> void:
	var figure: Figure = Figure.new([30.0, 25.0], [0.4, -0.7])
	add_child(figure.stage)
	var animation: Animation = Animation.new()
	animation.track_set_path(animation.add_track(Animation.TYPE_VALUE), "Bone0:rotation")
	animation.track_insert_key(0, 0.0, 0.3)
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"turn", animation)
	var players: Array[Node] = []
	for index: int in 2:
		var player: AnimationPlayer = AnimationPlayer.new()
		figure.skeleton.add_child(player)
		player.add_animation_library(&"", library)
		players.append(player)
		var slider: TendonSlider2D = figure.add(TendonSlider2D.new())
		slider.animation_player = player
		slider.animation = &"turn"
	figure.solve()
	near_angle(figure.bones[0].rotation, 0.3, 1e-6, "the animation is read")
	_expect_let_go(figure, animation, players, "animation")
	forgive([OVERRIDDEN, 'Set "Animation Player" to'])


func test_freed_bones() -> void:
	for way: String in ["free", "queue_free"]:
		for index: int in 4:
			var figure: Figure = _figure()
			var modifier: TendonFABRIK2D = figure.rig.get_child(0)
			figure.solve(POINT)
			if way == "free":
				figure.bones[index].free()
			else:
				figure.bones[index].queue_free()
				await frames(2)
			figure.rig.advance(0.0)
			figure.rig.advance(0.0)
			var about: String = "%s of bone %d" % [way, index]
			equal(modifier.get_status(), TendonFABRIK2D.STATUS_IDLE, "status, " + about)
			equal(modifier.tip_bone, null, "tip bone, " + about)
			for left: int in index:
				var rotation: float = figure.bones[left].rotation
				equal(rotation, PackedFloat32Array(POSE)[left], "bone %d, %s" % [left, about])
			var property: String = "Root Bone" if index == 0 else "Tip Bone"
			expect_warnings([property], about)


func test_a_freed_tip() -> void:
	var figure: Figure = _figure()
	var modifier: TendonFABRIK2D = figure.rig.get_child(0)
	modifier.tip = Marker2D.new()
	modifier.tip.position = Vector2(5, 5)
	figure.bones[3].add_child(modifier.tip)
	figure.solve(POINT)
	near_point(modifier.tip.global_position, figure.target.global_position, 0.01, "with a tip")
	modifier.tip.free()
	equal(modifier.tip, null, "reading the property")
	figure.rig.advance(0.0)
	reaches(figure, "without it")


func test_a_bone_moved_to_another_parent() -> void:
	var figure: Figure = _figure()
	figure.solve(POINT)
	figure.bones[2].reparent(figure.bones[0], false)
	figure.bones[2].position = Vector2(10, 20)
	figure.bones[1].free()
	figure.bones.remove_at(1)
	figure.solve(Vector2(20, 30))
	reaches(figure, "a shorter chain")
	figure.bones[1].reparent(figure.skeleton)
	figure.solve()
	equal(figure.rig.get_child(0).call("get_status"), TendonFABRIK2D.STATUS_IDLE, "a broken chain")
	expect_warnings(["is not below"], "a broken chain")


func test_a_bone_inserted_into_the_chain() -> void:
	var figure: Figure = _figure()
	figure.solve(POINT)
	var bone: Bone2D = Figure.branch(figure.bones[1], Vector2(8, 8), [9, 9])[0]
	bone.get_child(0).free()
	figure.bones[2].reparent(bone, false)
	figure.bones.insert(2, bone)
	figure.solve(Vector2(20, 70))
	reaches(figure, "a longer chain")
	check(bone.rotation != 0.0, "the new bone takes part")


func test_a_bone_below_something_that_is_no_bone() -> void:
	var figure: Figure = _figure()
	figure.solve(POINT)
	var between: Node2D = Node2D.new()
	figure.bones[0].add_child(between)
	figure.bones[1].reparent(between)
	figure.solve()
	equal(figure.rig.get_child(0).call("get_status"), TendonFABRIK2D.STATUS_IDLE, "status")
	expect_warnings(["not a bone of this rig's skeleton"], "broken by a plain node")
	figure.bones[1].reparent(figure.bones[0])
	figure.solve()
	reaches(figure, "put right")


func test_a_foreign_bone() -> void:
	var figure: Figure = _figure()
	var other: Figure = _figure()
	var modifier: TendonFABRIK2D = figure.rig.get_child(0)
	modifier.root_bone = other.bones[0]
	modifier.tip_bone = other.bones[3]
	figure.solve(POINT)
	figure.solve(POINT)
	equal(modifier.get_status(), TendonFABRIK2D.STATUS_IDLE, "status")
	equal(other.pose(), PackedFloat32Array(POSE), "the other skeleton's bones")
	expect_warnings(["not a bone of this rig's skeleton"], "once")
	other.solve(POINT)
	reaches(other, "the other skeleton's own rig")


func test_a_target_on_the_chain_itself() -> void:
	var figure: Figure = _figure()
	var look: TendonLookAt2D = figure.look_at()
	look.bone = Figure.branch(figure.skeleton, Vector2(50, 0), [20])[0]
	look.target = Marker2D.new()
	look.target.position = Vector2(0, 80)
	figure.stage.add_child(look.target)
	figure.solve(POINT)
	figure.target.reparent(figure.bones[2])
	for count: int in 5:
		figure.rig.advance(0.0)
		look.target.position.x += 10
	expect_warnings(["is below a bone of the chain"], "once")
	equal(figure.rig.get_child(0).call("get_status"), TendonFABRIK2D.STATUS_IDLE, "status")
	equal(figure.pose(), PackedFloat32Array(POSE), "base pose")
	equal(look.get_status(), TendonLookAt2D.STATUS_REACHED, "the other modifier goes on")
	figure.rig.advance(0.0)
	var way: Vector2 = look.target.global_position - look.bone.global_position
	near_angle(look.bone.global_rotation, way.angle(), 1e-4, "the other modifier's bone")
	figure.target.reparent(figure.stage)
	figure.solve(POINT)
	reaches(figure, "put right, unseen")


func test_a_rig_that_is_not_below_a_skeleton() -> void:
	var rig: TendonRig2D = TendonRig2D.new()
	var modifier: TendonFABRIK2D = TendonFABRIK2D.new()
	rig.add_child(modifier)
	add_child(rig)
	for count: int in 5:
		rig.advance(0.0)
	rig.restore_pose()
	rig.active = false
	expect_warnings(["child of the Skeleton2D"], "once")
	equal(modifier.get_status(), TendonFABRIK2D.STATUS_IDLE, "status")


func test_a_rig_that_moves_to_another_skeleton() -> void:
	var figure: Figure = _figure()
	var other: Figure = Figure.new([30, 25], POSE)
	other.rig.free()
	add_child(other.stage)
	figure.solve(POINT)
	figure.rig.reparent(other.skeleton)
	equal(figure.pose(), PackedFloat32Array(POSE), "base pose of the first skeleton")
	figure.rig.advance(0.0)
	expect_warnings(["not a bone of this rig's skeleton"], "its bones are foreign now")
	var modifier: TendonFABRIK2D = figure.rig.get_child(0)
	modifier.root_bone = other.bones[0]
	modifier.tip_bone = other.bones[1]
	figure.target.position = Vector2(10, 40)
	figure.rig.advance(0.0)
	other.target.position = Vector2(10, 40)
	reaches(other, "the second skeleton")


func test_two_rigs_on_one_skeleton() -> void:
	var figure: Figure = _figure()
	var second: TendonRig2D = TendonRig2D.new()
	second.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
	var look: TendonLookAt2D = TendonLookAt2D.new()
	look.bone = figure.bones[0]
	look.target = figure.target
	second.add_child(look)
	figure.skeleton.add_child(second)
	figure.solve(POINT)
	for count: int in 3:
		second.advance(0.0)
	reaches(figure, "the first rig")
	equal(look.get_status(), TendonLookAt2D.STATUS_IDLE, "the second rig does nothing")
	expect_warnings(["already has a TendonRig2D"], "once")
	figure.rig.free()
	second.advance(0.0)
	equal(look.get_status(), TendonLookAt2D.STATUS_REACHED, "alone, it works")


func test_a_modifier_without_a_rig() -> void:
	for modifier: Node in one_of_each():
		add_child(modifier)
		await frames(1)
		equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_IDLE, modifier.get_class())
		near(modifier.call("get_iterations"), 0, 0.0, "iterations")
		expect_warnings([NO_RIG], modifier.get_class())


func test_nothing_is_set() -> void:
	var figure: Figure = Figure.new([30], POSE)
	var expected: PackedStringArray = []
	for modifier: Node in one_of_each():
		figure.rig.add_child(modifier)
		if modifier.get_class() in COMPLETE_AS_IT_IS:
			continue
		for property: String in ["bone", "bone_one", "root_bone", "pelvis"]:
			if property in modifier:
				expected.append('"%s"' % property.capitalize())
		if modifier is TendonCustomModifier2D:
			expected.append("_process_modification()")
		if modifier is TendonSlider2D:
			expected.append('"Source"')
	add_child(figure.stage)
	for count: int in 3:
		figure.rig.advance(0.0)
	expect_warnings(expected, "once each")
	for modifier: Node in figure.rig.get_children():
		equal(modifier.call("get_status"), TendonFABRIK2D.STATUS_IDLE, modifier.get_class())


func test_copies_while_what_they_refer_to_is_freed() -> void:
	var figure: Figure = _figure()
	var modifier: TendonFABRIK2D = figure.rig.get_child(0)
	modifier.tip = Marker2D.new()
	figure.bones[3].add_child(modifier.tip)
	for node: Node in figure.stage.find_children("*", "", true, false):
		node.owner = figure.stage
	figure.solve(POINT)
	modifier.tip.free()
	figure.target.free()
	figure.bones[2].free()
	equal(modifier.target, null, "target")
	equal(modifier.tip, null, "tip")
	equal(modifier.tip_bone, null, "tip bone")
	equal(modifier.root_bone, figure.bones[0], "root bone")
	equal(modifier.get("target"), null, "get()")
	var copy: Node = figure.stage.duplicate()
	equal(copy.get_node("Skeleton/Rig").get_child(0).get("target"), null, "duplicate")
	copy.free()
	var scene: PackedScene = PackedScene.new()
	equal(scene.pack(figure.stage), OK, "packing")
	var instance: Node = scene.instantiate()
	equal(instance.get_node("Skeleton/Rig").get_child(0).get("target"), null, "instance")
	instance.free()


func test_everything_goes_while_frames_run() -> void:
	var figures: Array[Figure] = []
	for count: int in 12:
		var figure: Figure = _figure()
		figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
		figure.target.position = POINT
		figures.append(figure)
	await frames(2)
	reaches(figures[0], "before")
	figures[0].target.queue_free()
	figures[1].bones[1].queue_free()
	figures[2].rig.queue_free()
	figures[3].skeleton.queue_free()
	figures[4].stage.queue_free()
	figures[5].rig.get_child(0).queue_free()
	figures[6].target.free()
	figures[7].bones[2].free()
	figures[8].rig.free()
	figures[9].skeleton.free()
	figures[10].rig.get_child(0).free()
	await frames(3)
	reaches(figures[11], "the one that is left")
	expect_warnings(["Tip Bone", "Tip Bone"], "freed bones")


func _figure() -> Figure:
	var figure: Figure = Figure.new([30, 25, 12, 40], POSE)
	figure.fabrik()
	add_child(figure.stage)
	return figure


## The rig hears of changes of [param resource] as long as one of [param nodes], which have it, is
## in the tree.
func _expect_let_go(figure: Figure, resource: Resource, nodes: Array[Node], about: String) -> void:
	var heard: Callable = func() -> int:
		var count: int = 0
		for connection: Dictionary in resource.get_signal_connection_list(&"changed"):
			var method: Callable = connection["callable"]
			count += int(method.get_object() == figure.rig)
		return count
	check(heard.call() > 0, about + ", heard")
	nodes[0].get_parent().remove_child(nodes[0])
	check(heard.call() > 0, about + ", heard beside the other one")
	figure.solve()
	check(heard.call() > 0, about + ", heard in the next plan")
	nodes[1].get_parent().remove_child(nodes[1])
	equal(heard.call(), 0, about + ", not heard any more")
	figure.solve()
	equal(heard.call(), 0, about + ", not heard after the next pass")
	for node: Node in nodes:
		node.free()
