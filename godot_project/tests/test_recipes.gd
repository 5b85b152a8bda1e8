extends "res://tests/suite.gd"
## What docs/recipes.md says.

const Document := preload("res://tests/document.gd")

const PAGE: String = "docs/recipes.md"


func test_the_second_hand_is_on_the_weapon_in_the_same_frame() -> void:
	var skeleton: Skeleton2D = _skeleton(Vector2.ZERO)
	var leading: Array[Bone2D] = _line(skeleton, "Leading", Vector2(0, 0), [40.0, 40.0])
	var other: Array[Bone2D] = _line(skeleton, "Other", Vector2(0, 10), [40.0, 40.0])
	var grip: Marker2D = Marker2D.new()
	grip.position = Vector2(20, 4)
	leading[1].add_child(grip)
	var rig: TendonRig2D = _rig(skeleton)
	var goal: Marker2D = _marker(Vector2(50, 20))
	rig.add_two_bone(leading[0], leading[1], goal)
	var follows: TendonTwoBoneIK2D = rig.add_two_bone(other[0], other[1], grip)
	for place: Vector2 in [Vector2(50, 20), Vector2(30, -40), Vector2(45, 35)]:
		goal.position = place
		rig.advance(TICK)
		near_point(follows.get_tip_position(), grip.global_position, 1e-3, str(place))


func test_the_recoil_comes_and_goes() -> void:
	var skeleton: Skeleton2D = _skeleton(Vector2.ZERO)
	var arm: Bone2D = _line(skeleton, "Arm", Vector2.ZERO, [40.0])[0]
	var muzzle: Marker2D = Marker2D.new()
	muzzle.position = Vector2(40, -6)
	arm.add_child(muzzle)
	var rig: TendonRig2D = _rig(skeleton)
	var aim: TendonLookAt2D = rig.add_look_at(arm, _marker(Vector2(200, 50)))
	aim.tip = muzzle
	rig.advance(TICK)
	var aimed: float = arm.rotation
	var way: Vector2 = Vector2(200, 50) - muzzle.global_position
	near_angle(muzzle.global_rotation, way.angle(), 1e-3, "aims")
	var recoil: TendonCustomModifier2D = _script("extends TendonCustomModifier2D").new()
	recoil.set("bone", arm)
	rig.add_child(recoil)
	rig.advance(TICK)
	near_angle(arm.rotation, aimed, 1e-6, "nothing is fired")
	recoil.call("fire")
	rig.advance(TICK)
	near_angle(arm.rotation, aimed - deg_to_rad(12.0), 1e-4, "recoils")
	for frame: int in 60:
		rig.advance(TICK)
	near_angle(arm.rotation, aimed, 1e-3, "comes back")


func test_a_foot_rolls_about_its_toe() -> void:
	var skeleton: Skeleton2D = _skeleton(Vector2.ZERO)
	var leg: Array[Bone2D] = _line(skeleton, "Leg", Vector2.ZERO, [40.0, 40.0, 16.0])
	leg[0].rotation = 1.8
	leg[1].rotation = -0.5
	leg[2].rotation = -1.3
	for bone: Bone2D in leg:
		bone.rest = bone.transform
	var toe_place: Vector2 = _end(leg[2])
	var heel: Node2D = Node2D.new()
	var toe: Node2D = Node2D.new()
	var ankle: Node2D = Node2D.new()
	add_child(heel)
	heel.global_position = Vector2(leg[2].global_position.x - 4.0, toe_place.y)
	heel.add_child(toe)
	toe.global_position = toe_place
	toe.add_child(ankle)
	ankle.global_transform = leg[2].global_transform
	var rig: TendonRig2D = _rig(skeleton)
	var ik: TendonTwoBoneIK2D = rig.add_two_bone(leg[0], leg[1], ankle, leg[2])
	ik.match_target_rotation = true
	for turn: float in [0.0, 0.2, 0.5]:
		toe.rotation = turn
		rig.advance(TICK)
		near_point(_end(leg[2]), toe_place, 0.05, "the toe at %s" % turn)
	heel.queue_free()


func test_a_bridge_gives_way_where_the_load_is() -> void:
	var script: GDScript = _script("extends Path2D")
	var path: Path2D = Path2D.new()
	path.curve = Curve2D.new()
	for place: Vector2 in [Vector2.ZERO, Vector2(100, 0), Vector2(200, 0)]:
		path.curve.add_point(place)
	path.set_script(script)
	var hero: Marker2D = _marker(Vector2(100, -20))
	path.set("load", hero)
	add_child(path)
	var skeleton: Skeleton2D = _skeleton(Vector2.ZERO)
	var lengths: PackedFloat32Array = []
	lengths.resize(10)
	lengths.fill(21.0)
	var planks: Array[Bone2D] = _line(skeleton, "Plank", Vector2.ZERO, lengths)
	var rig: TendonRig2D = _rig(skeleton)
	rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS
	var spline: TendonSplineIK2D = rig.add_spline(planks[0], planks[9], path)
	check(spline != null, "the planks have a spline")
	await physics_frames(40)
	near(planks[5].global_position.y, 30.0, 6.0, "it gives way in the middle")
	hero.position.x = 400.0
	await physics_frames(60)
	near(path.curve.get_point_position(1).y, 0.0, 0.5, "without a load it is straight")
	path.queue_free()


func test_a_rope_is_drawn_through_its_joints() -> void:
	var root: Node2D = Node2D.new()
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton2D"
	root.add_child(skeleton)
	var line: Line2D = Line2D.new()
	line.name = "Line2D"
	root.add_child(line)
	var joints: Array[Bone2D] = _line(skeleton, "Rope", Vector2.ZERO, [20.0, 20.0, 20.0])
	joints[1].rotation = 1.2
	joints[2].rotation = -1.4
	var rig: TendonRig2D = TendonRig2D.new()
	rig.name = "TendonRig2D"
	skeleton.add_child(rig)
	rig.add_spring(joints[0], joints[2])
	root.set_script(_script("func _draw_rope"))
	add_child(root)
	rig.advance(TICK)
	check(line.points.size() > 3, "a curve")
	for joint: Bone2D in joints:
		var gaps: Array = Array(line.points).map(
			func(point: Vector2) -> float: return point.distance_to(joint.global_position)
		)
		near(gaps.min(), 0.0, 0.01, joint.name)
	root.queue_free()


func test_a_rig_that_runs_later_sees_what_the_first_has_done() -> void:
	var rider: Skeleton2D = _skeleton(Vector2(0, -20))
	var arm: Array[Bone2D] = _line(rider, "Arm", Vector2.ZERO, [40.0, 40.0])
	var horse: Skeleton2D = _skeleton(Vector2.ZERO)
	var neck: Bone2D = _line(horse, "Neck", Vector2.ZERO, [40.0])[0]
	var reins: Marker2D = Marker2D.new()
	reins.position = Vector2(40, 0)
	neck.add_child(reins)
	var rider_rig: TendonRig2D = _rig(rider)
	var hand: TendonTwoBoneIK2D = rider_rig.add_two_bone(arm[0], arm[1], reins)
	var goal: Marker2D = _marker(Vector2(100, 0))
	_rig(horse).add_look_at(neck, goal)
	rider_rig.process_priority = 101
	for place: Vector2 in [Vector2(100, 30), Vector2(100, -30), Vector2(90, 60)]:
		goal.position = place
		await frames(1)
		near_point(hand.get_tip_position(), reins.global_position, 1e-3, str(place))


func test_deterministic_trees_put_targets_back_to_reset() -> void:
	for is_deterministic: bool in [true, false]:
		var root: Node2D = Node2D.new()
		add_child(root)
		var target: Marker2D = Marker2D.new()
		target.name = "Target"
		root.add_child(target)
		var library: AnimationLibrary = AnimationLibrary.new()
		library.add_animation(&"RESET", _animation(^"Target:position", Vector2.ZERO))
		library.add_animation(&"reach", _animation(^"Target:position", Vector2(5, 0)))
		library.add_animation(&"wait", Animation.new())
		var player: AnimationPlayer = AnimationPlayer.new()
		root.add_child(player)
		player.add_animation_library(&"", library)
		var tree: AnimationTree = AnimationTree.new()
		var clip: AnimationNodeAnimation = AnimationNodeAnimation.new()
		clip.animation = &"wait"
		tree.tree_root = clip
		tree.deterministic = is_deterministic
		root.add_child(tree)
		tree.anim_player = tree.get_path_to(player)
		tree.active = true
		await frames(2)
		target.position = Vector2(70, 0)
		await frames(2)
		var place: Vector2 = Vector2.ZERO if is_deterministic else Vector2(70, 0)
		near_point(target.position, place, 1e-3, "deterministic: %s" % is_deterministic)
		root.queue_free()


## The script of the page that has [param fragment].
func _script(fragment: String) -> GDScript:
	for text: String in Document.new(PAGE).scripts():
		if fragment in text:
			var script: GDScript = GDScript.new()
			script.source_code = text if text.begins_with("extends") else "extends Node2D\n" + text
			equal(script.reload(), OK, fragment)
			return script
	check(false, "no script with " + fragment)
	return null


func _animation(path: NodePath, value: Vector2) -> Animation:
	var animation: Animation = Animation.new()
	var track: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, path)
	animation.track_insert_key(track, 0.0, value)
	return animation


func _skeleton(place: Vector2) -> Skeleton2D:
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.position = place
	add_child(skeleton)
	return skeleton


func _rig(skeleton: Skeleton2D) -> TendonRig2D:
	var rig: TendonRig2D = TendonRig2D.new()
	skeleton.add_child(rig)
	return rig


func _line(
	above: Node2D, title: String, place: Vector2, lengths: PackedFloat32Array
) -> Array[Bone2D]:
	var bones: Array[Bone2D] = []
	for length: float in lengths:
		var bone: Bone2D = TendonRig2D.add_bone(
			above, "%s%d" % [title, bones.size()], Transform2D(0.0, place), length
		)
		bones.append(bone)
		above = bone
		place = Vector2(length, 0)
	return bones


func _end(bone: Bone2D) -> Vector2:
	return bone.global_transform * Vector2(bone.get_length(), 0)


func _marker(place: Vector2) -> Marker2D:
	var marker: Marker2D = Marker2D.new()
	marker.position = place
	add_child(marker)
	return marker
