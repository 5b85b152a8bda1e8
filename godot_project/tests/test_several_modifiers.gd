extends "res://tests/suite.gd"
## Several modifiers in one pass: each works on what those before it have done.

## Where the hand should go, in the skeleton's space.
const HAND: Vector2 = Vector2(70, 60)

## A figure with a spine, an arm and a head.
var _figure: Figure
var _arm: Array[Bone2D]
var _head: Array[Bone2D]
var _bend: TendonFABRIK2D
var _reach: TendonTwoBoneIK2D
var _look: TendonLookAt2D
var _hand_target: Marker2D
var _hand: Marker2D


func test_a_target_below_nodes_below_a_bone() -> void:
	_build(Figure.ANCESTORS["skewed"])
	var holder: Node2D = Node2D.new()
	holder.transform = Transform2D(0.7, Vector2(1.5, -0.6), 0.2, Vector2(4, -9))
	_arm[1].add_child(holder)
	_hand.reparent(holder, false)
	for point: Vector2 in [Vector2(10, 95), Vector2(-60, 40)]:
		_figure.target.global_position = _figure.skeleton.global_transform * point
		_figure.rig.advance(0.0)
		_expect_look("below a node, %v" % point)


func test_a_target_below_the_skeleton_but_on_no_bone() -> void:
	_build(Figure.ANCESTORS["mirrored, then stretched"])
	var holder: Node2D = Node2D.new()
	holder.transform = Transform2D(0.7, Vector2(1.5, -0.6), 0.2, Vector2(4, -9))
	_figure.skeleton.add_child(holder)
	_figure.target.reparent(holder, false)
	for point: Vector2 in [Vector2(20, 60), Vector2(-30, 50)]:
		_figure.target.position = holder.transform.affine_inverse() * point
		_figure.rig.advance(0.0)
		reaches(_figure, "%v" % point)


func test_a_top_level_target_below_a_bone_is_not_carried() -> void:
	_build()
	_hand.top_level = true
	_hand.position = Vector2(-40, -40)
	_figure.rig.advance(0.0)
	_expect_look("top level")


func test_a_target_on_a_bone_above_the_limb() -> void:
	_build()
	_hand_target.reparent(_figure.bones[1])
	_hand_target.position = Vector2(40, 12)
	_figure.target.global_position = Vector2(-60, 40)
	_figure.rig.advance(0.0)
	var goal: Vector2 = _hand_target.global_position
	near_point(Figure.axis_end(_arm[1]), goal, 0.01, "hand at a point of the spine")


func test_order_matters_and_may_change() -> void:
	_build()
	_figure.rig.advance(0.0)
	_expect_look("head last")
	_figure.rig.move_child(_look, 0)
	_figure.rig.advance(0.0)
	check(absf(_look_error()) > 0.01, "the head, first, looks at where the hand was")
	_figure.rig.move_child(_look, 2)
	_figure.rig.advance(0.0)
	_expect_look("head last again")
	_figure.rig.move_child(_reach, 0)
	_figure.rig.advance(0.0)
	var hand: Vector2 = Figure.axis_end(_arm[1])
	check(hand.distance_to(_hand_target.global_position) > 1.0, "the spine carries the hand away")
	near(
		_reach.get_target_distance(), hand.distance_to(_hand_target.global_position), 0.01, "report"
	)
	equal(_reach.get_status(), TendonTwoBoneIK2D.STATUS_OUT_OF_REACH, "status")
	expect_warnings(["order that works", "order that works"], "the head, then the arm")


func test_modifiers_below_plain_nodes() -> void:
	_build()
	var upper: Node = Node.new()
	var inner: Node = Node.new()
	_figure.rig.add_child(upper)
	upper.add_child(inner)
	_figure.rig.move_child(upper, 0)
	for modifier: Node in [_bend, _reach]:
		modifier.reparent(inner)
	_figure.rig.advance(0.0)
	reaches(_figure, "spine")
	near_point(Figure.axis_end(_arm[1]), _hand_target.global_position, 0.02, "hand")
	_expect_look("head")
	inner.move_child(_reach, 0)
	_figure.rig.advance(0.0)
	check(
		Figure.axis_end(_arm[1]).distance_to(_hand_target.global_position) > 1.0,
		"reordered below a plain node"
	)
	inner.move_child(_reach, 1)
	_figure.rig.move_child(upper, 1)
	_figure.rig.advance(0.0)
	near_point(Figure.axis_end(_arm[1]), _hand_target.global_position, 0.02, "hand again")
	check(absf(_look_error()) > 0.01, "the head is first now")
	expect_warnings(["order that works", "order that works"], "the arm, then the head")


func test_modifiers_below_modifiers() -> void:
	_build()
	_look.reparent(_reach)
	_figure.rig.advance(0.0)
	reaches(_figure, "spine")
	_expect_look("a modifier below a modifier")


func test_a_modifier_added_later() -> void:
	_build()
	_figure.rig.remove_child(_look)
	_figure.rig.advance(0.0)
	check(absf(_look_error()) > 0.01, "no head modifier")
	_figure.rig.add_child(_look)
	_figure.rig.advance(0.0)
	_expect_look("added")


func test_two_modifiers_on_one_limb() -> void:
	var figure: Figure = Figure.new([30, 25, 12, 20], [0.4, -0.7, 0.9, 0.3])
	var reach: TendonFABRIK2D = figure.fabrik()
	reach.tip_bone = figure.bones[2]
	var look: TendonLookAt2D = figure.look_at()
	look.bone = figure.bones[3]
	look.target = Marker2D.new()
	figure.stage.add_child(look.target)
	look.target.position = Vector2(-50, -20)
	add_child(figure.stage)
	figure.solve(Vector2(20, 50))
	var wrist: Bone2D = figure.bones[3]
	near_point(wrist.global_position, figure.target.global_position, 0.01, "wrist")
	var way: Vector2 = look.target.global_position - wrist.global_position
	near_angle(wrist.global_rotation, way.angle(), 1e-4, "hand")


func test_the_later_of_two_on_the_same_bones_wins() -> void:
	var figure: Figure = Figure.new([30, 25, 12], [0.4, -0.7, 0.9])
	var first: TendonFABRIK2D = figure.fabrik()
	var second: TendonCCDIK2D = figure.ccd()
	second.target = Marker2D.new()
	figure.stage.add_child(second.target)
	second.target.position = Vector2(50, 22)
	add_child(figure.stage)
	figure.solve(Vector2(-20, 40))
	near_point(Figure.axis_end(figure.bones[2]), second.target.global_position, 0.02, "second")
	near(first.get_target_distance(), figure.gap(), 0.01, "what the first reports")
	expect_warnings(['"Bone0", "Bone1", "Bone2" again'], "the first is told")
	figure.rig.move_child(second, 0)
	figure.solve()
	reaches(figure, "first, which is the second now")
	expect_warnings(
		['"Bone0", "Bone1", "Bone2" again'], "the second is told, which is the first now"
	)


func test_influence_of_one_modifier_and_of_the_rig() -> void:
	var poses: Array[PackedFloat32Array] = []
	for shares: Vector2 in [Vector2(0.25, 1.0), Vector2(0.5, 0.5), Vector2(1.0, 0.25)]:
		_build()
		_bend.influence = shares.x
		_reach.influence = shares.x
		_look.influence = shares.x
		_figure.rig.influence = shares.y
		_figure.rig.advance(0.0)
		poses.append(_whole_pose())
	for index: int in poses[0].size():
		near_angle(poses[1][index], poses[0][index], 1e-5, "halves, bone %d" % index)
		near_angle(poses[2][index], poses[0][index], 1e-5, "only the rig's, bone %d" % index)


func test_only_some_are_active() -> void:
	_build()
	_bend.active = false
	_figure.rig.advance(0.0)
	near_angle(_figure.bones[0].rotation, PI / 2, 1e-6, "the spine")
	near_point(Figure.axis_end(_arm[1]), _hand_target.global_position, 0.02, "hand")
	equal(_bend.get_status(), TendonFABRIK2D.STATUS_IDLE, "status")
	_expect_look("head")


func _build(above: Array = []) -> void:
	_figure = Figure.new([25, 25, 25, 25], [PI / 2, 0.1, -0.2, 0.15], above)
	_arm = Figure.branch(_figure.bones[3], Vector2(25, 0), [45, 40], [-1.2, 0.8])
	_head = Figure.branch(_figure.bones[3], Vector2(28, -5), [15], [0.2])
	_bend = _figure.fabrik()
	_bend.tip = Marker2D.new()
	_bend.tip.position = Vector2(25, 0)
	_figure.bones[3].add_child(_bend.tip)
	_reach = _figure.two_bone()
	_reach.bone_one = _arm[0]
	_reach.bone_two = _arm[1]
	_hand_target = Marker2D.new()
	_reach.target = _hand_target
	_hand = Marker2D.new()
	_hand.position = Vector2(40, 3)
	_arm[1].add_child(_hand)
	_look = _figure.look_at()
	_look.bone = _head[0]
	_look.target = _hand
	# What the spine's own checks measure.
	_figure.bones[3].set_autocalculate_length_and_angle(false)
	_figure.bones[3].set_length(25)
	add_child(_figure.stage)
	_figure.stage.add_child(_hand_target)
	_figure.target.global_position = _figure.skeleton.global_transform * Vector2(-60, 40)
	_hand_target.global_position = _figure.skeleton.global_transform * HAND
	_place_hand_target()


## Within reach of the arm when the spine is where it should be.
func _place_hand_target() -> void:
	var shoulder: Vector2 = _figure.to_skeleton(_figure.target.global_position)
	var point: Vector2 = shoulder + Vector2(50, 30)
	_hand_target.global_position = _figure.skeleton.global_transform * point


func _look_error() -> float:
	var ray: Vector2 = _head[0].global_transform.x
	return ray.angle_to(_hand.global_position - _head[0].global_position)


func _expect_look(message: String) -> void:
	near(_look_error(), 0.0, 1e-4, "head, " + message)
	equal(_look.get_status(), TendonLookAt2D.STATUS_REACHED, "status of the head, " + message)


func _whole_pose() -> PackedFloat32Array:
	var rotations: PackedFloat32Array = _figure.pose()
	for bone: Bone2D in _arm + _head:
		rotations.append(bone.rotation)
	return rotations
