# gdlint: disable=max-public-methods
extends "res://tests/suite.gd"
## TendonEffector2D: trees of bones with several tips, each with a target of its own.

const CountingBone := preload("res://tests/counting_bone.gd")
const CallbackBone := preload("res://tests/callback_bone.gd")
const ROOT: Vector2 = Vector2(3, 4)
## A spine and, from its end on, one arm. See [method _torso].
const LENGTHS: Array[float] = [30.0, 25.0, 20.0, 22.0, 18.0]
const POSE: Array[float] = [-1.2, 0.3, -0.2, 0.8, -0.6]
const ARM: Array[float] = [22.0, 18.0]
const ARM_POSE: Array[float] = [-0.7, 0.5]
## Other poses of spine, arm and other arm.
const OTHER_POSES: Array[Array] = [
	[-1.9, 0.6, 0.3, 0.2, 0.9, -1.1, -0.4],
	[-0.6, -0.4, -0.5, 1.2, -1.4, -0.1, 1.3],
	[0.9, 0.2, 0.7, -0.8, 0.3, 0.4, 0.9],
]
const FAR: Vector2 = Vector2(400, 0)

var _heard: int = 0


## A two-armed torso on one spine. The second arm belongs to an effector.
class Torso:
	extends Figure
	var effector: TendonEffector2D = TendonEffector2D.new()
	var modifier: TendonFABRIK2D
	var arm: Array[Bone2D] = []

	func _init(above: Array = []) -> void:
		super(LENGTHS, POSE, above)
		arm = branch(bones[2], Vector2(20, 7), ARM, ARM_POSE)
		bones[3].position = Vector2(20, -7)
		bones[3].rest = bones[3].transform
		modifier = fabrik()
		effector.tip_bone = arm[1]
		effector.target = Marker2D.new()
		effector.target.name = "OtherTarget"
		stage.add_child(effector.target)
		modifier.add_child(effector)

	func all() -> Array[Bone2D]:
		return bones + arm

	func rotations() -> PackedFloat32Array:
		var found: PackedFloat32Array = []
		for bone: Bone2D in all():
			found.append(bone.rotation)
		return found

	func turn_all(values: Array) -> void:
		for index: int in all().size():
			all()[index].rotation = values[index]

	## Puts the targets where the tips are in another pose, and the bones back.
	func aim_at(other: Array) -> void:
		var base: PackedFloat32Array = rotations()
		turn_all(other)
		target.global_position = axis_end(bones[-1])
		effector.target.global_position = axis_end(arm[-1])
		turn_all(Array(base))

	func aim(point: Vector2, other_point: Vector2) -> void:
		target.global_position = skeleton.global_transform * point
		effector.target.global_position = skeleton.global_transform * other_point

	## How far the effector's tip is from its target, in the skeleton's units.
	func other_gap() -> float:
		var goal: Vector2 = to_skeleton(effector.target.global_position)
		return to_skeleton(axis_end(arm[-1])).distance_to(goal)


## An effector that is added, removed or has another target or weight goes over in the duration of
## its modifier, and the other hand stays where it is.
func test_effectors_go_over_in_the_duration() -> void:
	for way: String in ["target", "removed", "added", "let go", "held"]:
		var torso: Torso = _torso()
		torso.aim_at(OTHER_POSES[0])
		torso.modifier.transition_duration = 0.4
		var finished: Array[int] = [0]
		torso.modifier.transition_finished.connect(func() -> void: finished[0] += 1)
		match way:
			"added":
				torso.modifier.remove_child(torso.effector)
			"held":
				torso.effector.weight = 0.0
		for frame: int in 60:
			torso.rig.advance(1.0 / 60.0)
		var last: PackedFloat32Array = torso.rotations()
		match way:
			"target":
				torso.effector.target = Marker2D.new()
				torso.stage.add_child(torso.effector.target)
				torso.effector.target.global_position = (
					Figure.axis_end(torso.arm[1]) + Vector2(9, 6)
				)
			"removed":
				torso.modifier.remove_child(torso.effector)
			"added":
				torso.modifier.add_child(torso.effector)
			"let go":
				torso.effector.weight = 0.0
			"held":
				torso.effector.weight = 1.0
		var start: float = torso.other_gap()
		var leap: float = 0.0
		for frame: int in 60:
			torso.rig.advance(1.0 / 60.0)
			var pose: PackedFloat32Array = torso.rotations()
			for bone: int in pose.size():
				leap = maxf(leap, absf(angle_difference(last[bone], pose[bone])))
			last = pose
			var gap: float = torso.modifier.get_target_distance()
			check(gap < 0.02, "%s, frame %d: the other hand is off by %f" % [way, frame, gap])
			equal(torso.modifier.is_in_transition(), frame < 24, "%s, frame %d" % [way, frame])
			if way in ["target", "added", "held"] and frame in [12, 24]:
				near(torso.other_gap(), start * (24 - frame) / 24.0, 0.02, "%s, %d" % [way, frame])
		check(leap < 0.25, "%s: a joint turns by %f rad a frame" % [way, leap])
		equal(finished[0], 1, way + ": signal")
		if way == "removed":
			for bone: int in 2:
				near_angle(torso.arm[bone].rotation, ARM_POSE[bone], 1e-6, "the arm is back")
			torso.effector.free()
		torso.stage.free()


func test_both_hands_reach_under_every_ancestor() -> void:
	for about: String in Figure.ANCESTORS:
		var torso: Torso = _torso(Figure.ANCESTORS[about])
		for other: Array in OTHER_POSES:
			torso.aim_at(other)
			torso.solve()
			var message: String = "%s, %s" % [about, other]
			_both_reach(torso, message)
			equal(torso.modifier.get_status(), TendonFABRIK2D.STATUS_REACHED, message)
			var distance: float = torso.effector.get_target_distance()
			near(distance, torso.other_gap(), 1e-2, "distance, " + message)
			var tip: Vector2 = torso.to_skeleton(torso.effector.get_tip_position())
			var actual: Vector2 = torso.to_skeleton(Figure.axis_end(torso.arm[-1]))
			near_point(tip, actual, 1e-2, "tip, " + message)


func test_only_rotations_are_written() -> void:
	var torso: Torso = _torso(Figure.ANCESTORS["skewed"])
	var shapes: Array = torso.shape()
	var base: PackedFloat32Array = torso.rotations()
	torso.aim_at(OTHER_POSES[0])
	torso.solve()
	equal(torso.shape(), shapes, "shapes")
	torso.rig.active = false
	equal(torso.rotations(), base, "base pose")


func test_a_tip_node_and_an_effector_on_the_root() -> void:
	var torso: Torso = _torso()
	var finger: Marker2D = Marker2D.new()
	finger.position = Vector2(25, 6)
	torso.arm[1].add_child(finger)
	torso.effector.tip = finger
	torso.turn_all(OTHER_POSES[0])
	torso.target.global_position = Figure.axis_end(torso.bones[-1])
	torso.effector.target.global_position = finger.global_position
	torso.turn_all(POSE + ARM_POSE)
	torso.solve()
	reaches(torso, "the main tip")
	near_point(finger.global_position, torso.effector.target.global_position, 0.02, "finger")
	torso.effector.tip = null
	torso.effector.tip_bone = torso.bones[0]
	torso.bones[0].rotation = 0.9
	torso.effector.target.global_position = torso.bones[1].global_position
	torso.bones[0].rotation = POSE[0]
	torso.target.global_position = torso.effector.target.global_position + Vector2(30, 20)
	torso.solve()
	near(torso.effector.get_target_distance(), 0.0, 0.02, "the root's own end")
	reaches(torso, "with the root held")


func test_targets_on_bones_that_the_tree_does_not_move() -> void:
	var torso: Torso = _torso()
	var other: Array[Bone2D] = Figure.branch(torso.skeleton, Vector2(40, 10), [30, 20], [0.4])
	var look: TendonLookAt2D = torso.look_at()
	look.bone = other[0]
	look.target = Marker2D.new()
	look.target.position = Vector2(60, -80)
	torso.stage.add_child(look.target)
	torso.rig.move_child(look, 0)
	torso.effector.target.free()
	torso.effector.target = other[1]
	torso.solve(Vector2(40, -60))
	# It is where the modifier before has put it.
	near_point(Figure.axis_end(torso.arm[-1]), other[1].global_position, 0.02, "hand")
	reaches(torso, "the other hand")


func test_still_targets_give_still_bones() -> void:
	for about: String in ["plain", "stretched, skewed and mirrored"]:
		for reachable: bool in [true, false]:
			var torso: Torso = Torso.new(Figure.ANCESTORS[about])
			for bone: Bone2D in torso.all():
				bone.set_script(CountingBone)
			add_child(torso.stage)
			torso.aim_at(OTHER_POSES[1])
			if not reachable:
				torso.effector.target.position = FAR * 3
			torso.rig.influence = 0.8
			torso.solve()
			var writes: int = CountingBone.count(torso.all())
			var pose: PackedFloat32Array = torso.rotations()
			for count: int in 10:
				torso.solve()
			equal(CountingBone.count(torso.all()), writes, "nothing written, " + about)
			# Solved again, it comes out the same.
			for count: int in 3:
				torso.modifier.active = false
				torso.solve()
				torso.modifier.active = true
				torso.solve()
				equal(torso.rotations(), pose, "the same bits, " + about)


func test_properties_changed_while_it_runs() -> void:
	var torso: Torso = _torso()
	torso.aim_at(OTHER_POSES[0])
	torso.solve()
	_both_reach(torso, "at first")
	torso.effector.target.position += Vector2(3, -4)
	torso.solve()
	_both_reach(torso, "moved")
	var other: Marker2D = Marker2D.new()
	torso.stage.add_child(other)
	other.position = torso.effector.target.position + Vector2(-6, 2)
	torso.effector.target = other
	torso.solve()
	_both_reach(torso, "another target")
	torso.effector.weight = 0.0
	torso.effector.target.position = FAR
	torso.solve()
	reaches(torso, "without weight")
	torso.effector.weight = 1.0
	# No target has moved: the arms swing over.
	settle(torso, "with weight")
	check(torso.gap() > 1.0, "with weight")
	torso.effector.target = null
	torso.solve_anew()
	reaches(torso, "let go")
	equal(torso.effector.get_target_distance(), INF, "nothing to measure")
	near(torso.arm[0].rotation, ARM_POSE[0], 1e-7, "the arm is given back")


func test_added_removed_and_moved_while_it_runs() -> void:
	var torso: Torso = _torso()
	torso.aim_at(OTHER_POSES[0])
	torso.modifier.remove_child(torso.effector)
	torso.solve()
	reaches(torso, "alone")
	near(torso.arm[0].rotation, ARM_POSE[0], 1e-7, "the arm stays")
	equal(torso.effector.get_target_distance(), INF, "nothing to measure")
	torso.modifier.add_child(torso.effector)
	torso.solve()
	_both_reach(torso, "added")
	var second: TendonEffector2D = _add_effector(torso, torso.modifier, torso.bones[2])
	second.target.global_position = torso.bones[3].global_position + Vector2(1, 1)
	second.weight = 0.5
	torso.solve()
	check(torso.effector.get_target_distance() < 2.0, "three")
	check(second.get_target_distance() < 2.0, "the third")
	var poses: Array[PackedFloat32Array] = [torso.rotations()]
	torso.modifier.move_child(second, 0)
	torso.solve()
	check(torso.effector.get_target_distance() < 2.0, "in another order")
	check(second.get_target_distance() < 2.0, "the third, in another order")
	for index: int in poses[0].size():
		near_angle(torso.rotations()[index], poses[0][index], 0.1, "bone %d" % index)
	second.free()
	torso.solve()
	_both_reach(torso, "freed")
	torso.effector.reparent(torso.stage)
	torso.solve()
	near(torso.arm[0].rotation, ARM_POSE[0], 1e-7, "the arm is given back")
	expect_warnings(["child of the TendonFABRIK2D"], "out of place")
	torso.effector.reparent(torso.modifier)
	torso.solve()
	_both_reach(torso, "put right")


func test_warnings() -> void:
	var other: Torso = _torso()
	var faults: Dictionary[String, Callable] = {
		'Set "Tip Bone"': func(torso: Torso) -> void: torso.effector.tip_bone = null,
		"not a bone of this rig":
		func(torso: Torso) -> void: torso.effector.tip_bone = other.bones[1],
		'is not below the "Root Bone"':
		func(torso: Torso) -> void: torso.modifier.root_bone = torso.bones[3],
		"is not below the chain's last bone":
		func(torso: Torso) -> void: torso.effector.tip = torso.bones[4],
		"is below a bone of the chain":
		func(torso: Torso) -> void: torso.effector.target.reparent(torso.bones[4]),
	}
	for fault: String in faults:
		var torso: Torso = _torso()
		torso.aim_at([-1.2, 0.3, -0.2, 0.4, -0.9, 0.2, 0.3])
		faults[fault].call(torso)
		for count: int in 5:
			torso.solve()
		expect_warnings([fault], "once")
		reaches(torso, "the rest goes on: " + fault)
		equal(torso.modifier.get_status(), TendonFABRIK2D.STATUS_REACHED, fault)
		equal(torso.effector.get_target_distance(), INF, fault)
	for about: String in ["null", "outside", "freed"]:
		var torso: Torso = _torso()
		match about:
			"null":
				torso.effector.target.free()
				torso.effector.target = null
			"outside":
				torso.stage.remove_child(torso.effector.target)
			"freed":
				torso.effector.target.free()
		for count: int in 5:
			torso.solve(Vector2(50, -50))
		reaches(torso, "the target, " + about)
		expect_warnings([], "a missing target is no fault")
		if about == "outside":
			torso.effector.target.free()


func test_out_of_place() -> void:
	var figure: Figure = Figure.new(LENGTHS, POSE)
	var places: Array[Node] = [figure.rig, figure.ccd(), figure.stage]
	add_child(figure.stage)
	for place: Node in places:
		var effector: TendonEffector2D = TendonEffector2D.new()
		effector.tip_bone = figure.bones[1]
		effector.target = figure.target
		place.add_child(effector)
		for count: int in 3:
			figure.solve(Vector2(30, 30))
		expect_warnings(["Make this node a child of the TendonFABRIK2D"], "once")
		reaches(figure, "the rest goes on")
		effector.free()


func test_it_heals_unseen() -> void:
	var torso: Torso = _torso()
	torso.aim_at(OTHER_POSES[0])
	torso.effector.target.reparent(torso.bones[4])
	torso.solve()
	equal(torso.effector.get_target_distance(), INF, "on the tree")
	torso.effector.target.reparent(torso.stage)
	torso.aim_at(OTHER_POSES[0])
	torso.solve()
	_both_reach(torso, "put right")
	expect_warnings(["is below a bone of the chain"], "once")


func test_the_main_tip_may_go_without_a_target() -> void:
	for about: String in Figure.ANCESTORS:
		for way: String in ["null", "outside", "freed"]:
			var torso: Torso = _torso(Figure.ANCESTORS[about])
			torso.aim_at(OTHER_POSES[0])
			torso.solve()
			match way:
				"null":
					torso.modifier.target = null
				"outside":
					torso.stage.remove_child(torso.target)
				"freed":
					torso.target.free()
			torso.rig.advance(0.0)
			var message: String = "%s, %s" % [way, about]
			settle(torso, message)
			near(torso.other_gap(), 0.0, 1e-4 * torso.reach(), "the other tip, " + message)
			equal(torso.modifier.get_status(), TendonFABRIK2D.STATUS_REACHED, message)
			equal(torso.modifier.get_target_distance(), INF, "nothing to measure, " + message)
			var tip: Vector2 = torso.to_skeleton(torso.modifier.get_tip_position())
			near_point(tip, torso.tip(), 1e-2, "its tip follows, " + message)
			# As near as a chain settles. Without memory it does not move at all.
			near(torso.bones[3].rotation, POSE[3], 1e-4, "its arm just hangs on, " + message)
			torso.rig.reset()
			torso.rig.advance(0.0)
			near(torso.bones[3].rotation, POSE[3], 1e-6, "again, " + message)
			if way == "outside":
				torso.stage.add_child(torso.target)
				torso.solve()
				_both_reach(torso, "back, " + message)
	expect_warnings([], "letting go is no fault")


func test_without_any_target() -> void:
	var torso: Torso = _torso()
	torso.modifier.target = null
	torso.effector.target.free()
	torso.solve()
	equal(torso.modifier.get_status(), TendonFABRIK2D.STATUS_IDLE, "status")
	equal(torso.effector.get_target_distance(), INF, "the effector rests too")
	equal(torso.rotations(), PackedFloat32Array(POSE + ARM_POSE), "base pose")
	torso.modifier.target = torso.target
	torso.solve(Vector2(50, -50))
	reaches(torso, "put right")
	torso.modifier.active = false
	torso.solve()
	equal(torso.rotations(), PackedFloat32Array(POSE + ARM_POSE), "base pose")


## The ground is for the modifier's own tip. It used to count for an effector without a target,
## too, which then reached for the origin of the skeleton.
func test_an_effector_without_a_target_below_a_placed_modifier() -> void:
	var torso: Torso = Torso.new()
	torso.modifier.target = null
	torso.effector.target = null
	var placement: TendonFootPlacement2D = TendonFootPlacement2D.new()
	placement.pelvis = torso.bones[0]
	var foot: TendonFoot2D = TendonFoot2D.new()
	foot.limb = torso.modifier
	placement.add_child(foot)
	torso.rig.add_child(placement)
	torso.rig.move_child(placement, torso.modifier.get_index())
	add_child(torso.stage)
	torso.solve()
	equal(torso.effector.get_target_distance(), INF, "what the effector reaches for")


func test_freed_at_any_time() -> void:
	for what: String in ["effector", "its target", "its bone", "a bone of the arm", "modifier"]:
		for way: String in ["between", "signal", "bone"]:
			var torso: Torso = Torso.new()
			torso.bones[0].set_script(CallbackBone)
			add_child(torso.stage)
			torso.aim_at(OTHER_POSES[0])
			var victims: Dictionary[String, Node] = {
				"effector": torso.effector,
				"its target": torso.effector.target,
				"its bone": torso.arm[1],
				"a bone of the arm": torso.arm[0],
				"modifier": torso.modifier,
			}
			var victim: Node = victims[what]
			match way:
				"between":
					torso.solve()
					victim.free()
				"signal":
					torso.rig.modification_processed.connect(
						func() -> void:
							_heard += 1
							victim.free(),
						CONNECT_ONE_SHOT
					)
				"bone":
					torso.bones[0].set("callback", victim.free)
			for count: int in 3:
				torso.solve()
			var about: String = "%s, %s" % [what, way]
			check(not is_instance_valid(victim), "freed: " + about)
			if is_instance_valid(torso.modifier):
				reaches(torso, "the rest goes on: " + about)
			if is_instance_valid(torso.effector):
				equal(torso.effector.get_target_distance(), INF, about)
				check(torso.effector.target == null or what != "its target", about)
			forgive(['Set "Tip Bone"', "freed or unreferenced while a signal"])
	equal(_heard, 5, "signals")


func test_copies_and_scenes() -> void:
	var torso: Torso = _torso()
	for node: Node in torso.stage.find_children("*", "", true, false):
		node.owner = torso.stage
	torso.effector.name = "Other"
	torso.effector.weight = 0.5
	torso.aim_at(OTHER_POSES[0])
	var scene: PackedScene = PackedScene.new()
	equal(scene.pack(torso.stage), OK, "packing")
	var file: String = "user://effector_test.tscn"
	equal(ResourceSaver.save(scene, file), OK, "saving")
	var loaded: PackedScene = ResourceLoader.load(file, "", ResourceLoader.CACHE_MODE_IGNORE)
	DirAccess.remove_absolute(file)
	for copy: Node in [torso.stage.duplicate(), loaded.instantiate()]:
		add_child(copy)
		var rig: TendonRig2D = copy.get_node("Skeleton/Rig")
		var effector: TendonEffector2D = rig.get_child(0).get_node("Other")
		check(effector.tip_bone != torso.arm[1] and effector.tip_bone != null, "bones of its own")
		near(effector.weight, 0.5, 1e-6, "weight")
		rig.advance(0.0)
		near(effector.get_target_distance(), 0.0, 0.02, "distance")
		near(rig.get_child(0).call("get_target_distance"), 0.0, 0.02, "distance of the main tip")
		copy.free()


func _torso(above: Array = []) -> Torso:
	var torso: Torso = Torso.new(above)
	add_child(torso.stage)
	return torso


func _above(about: String) -> Array:
	return Figure.ANCESTORS[about]


func _add_effector(figure: Figure, modifier: Node, bone: Bone2D) -> TendonEffector2D:
	var effector: TendonEffector2D = TendonEffector2D.new()
	effector.tip_bone = bone
	effector.target = Marker2D.new()
	figure.stage.add_child(effector.target)
	modifier.add_child(effector)
	return effector


func _both_reach(torso: Torso, message: String) -> void:
	reaches(torso, message)
	var most: float = 1e-4 * torso.reach()
	var gap: float = torso.other_gap()
	check(gap <= most, "%s: the effector misses by %s (of %s)" % [message, gap, most])


func test_a_script_adds_an_effector() -> void:
	var torso: Torso = Torso.new()
	add_child(torso.stage)
	var before: int = torso.modifier.get_child_count()
	var target: Marker2D = torso.effector.target
	torso.effector.free()
	var effector: TendonEffector2D = torso.modifier.add_effector(torso.arm[1], target)
	equal(effector.get_parent(), torso.modifier, "below the tree")
	equal(torso.modifier.get_child_count(), before, "one")
	torso.target.position = torso.skeleton.transform * Vector2(10, -80)
	target.position = torso.skeleton.transform * Vector2(35, -75)
	for count: int in 60:
		torso.rig.advance(1.0 / 60.0)
	near(effector.get_target_distance(), 0.0, 0.05, "reached")
	equal(torso.modifier.add_effector(null), null, "without a bone")
	expect_errors(["add_effector(): tip_bone is null"], "told")
