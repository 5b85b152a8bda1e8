extends "res://tests/suite.gd"
## Adding moves no bone: random skeletons, with bones whose length is automatic or not, at the
## ends of limbs, too, and whatever is added to them.

const SKELETONS: int = 1000
## How far a bone may have turned after a few passes, in radians.
const MOVED: float = 1e-4
const PASSES: int = 3

## Below which bone each hangs, root first, and what it is called.
const BODIES: Array[Array] = [
	[[-1, "Hips"], [0, "Spine"], [1, "Chest"], [2, "Neck"], [3, "Head"], [4, "Hair"], [5, "Curl"]],
	[[-1, "Body"], [0, "Head"], [0, "Tail1"], [2, "Tail2"], [3, "Tail3"]],
	[[-1, "Pelvis"], [0, "Torso"], [1, "Head"]],
]
const LIMBS: Array[Array] = [
	[0, ["Thigh", "Shin"]],
	[0, ["Thigh", "Shin", "Foot"]],
	[0, ["Thigh", "Shin", "Foot", "Toes"]],
	[1, ["UpperArm", "Forearm"]],
	[1, ["UpperArm", "Forearm", "Hand"]],
]

var _random: RandomNumberGenerator = RandomNumberGenerator.new()


func test_a_rigged_character_does_not_move() -> void:
	_try(
		1,
		func(skeleton: Skeleton2D) -> void:
			TendonRig2D.rig_character(skeleton, _random.randi() % 2 == 0, _random.randi() % 2 == 0)
			forgive(["No limb was recognised"])
	)


func test_what_reaches_for_its_own_tip_does_not_move() -> void:
	_try(2, _add_each)


func test_feet_do_not_move_legs() -> void:
	_try(
		3,
		func(skeleton: Skeleton2D) -> void:
			var rig: TendonRig2D = _rig(skeleton)
			var placement: TendonFootPlacement2D = TendonFootPlacement2D.new()
			placement.pelvis = skeleton.get_bone(0)
			rig.add_child(placement)
			if placement.add_legs().is_empty():
				placement.free()
	)


## Adds something to each skeleton by [param add], and compares its bones after a few passes.
func _try(number: int, add: Callable) -> void:
	_random.seed = number
	var moved: PackedStringArray = []
	for index: int in SKELETONS:
		var stage: Node2D = _stage()
		add_child(stage)
		var skeleton: Skeleton2D = stage.get_node("Skeleton")
		var bones: Array[Node] = skeleton.find_children("*", "Bone2D", true, false)
		var before: Array = bones.map(_rotation_of)
		add.call(skeleton)
		var rig: TendonRig2D = skeleton.find_children("*", "TendonRig2D", true, false).pop_back()
		if rig != null:
			for _pass: int in PASSES:
				rig.advance(TICK)
		for bone: int in bones.size():
			var turn: float = absf(angle_difference(before[bone], _rotation_of(bones[bone])))
			if not turn <= MOVED:
				var about: String = str(skeleton.get_path_to(bones[bone]))
				moved.append("skeleton %d of %d: %s by %s" % [index, number, about, turn])
				break
		stage.free()
	check(moved.is_empty(), "%d of %d move: %s" % [moved.size(), SKELETONS, moved.slice(0, 4)])


func _rotation_of(bone: Bone2D) -> float:
	return bone.rotation


func _end_of(bone: Bone2D) -> Vector2:
	var ends: Array[Node] = bone.get_children().filter(func(it: Node) -> bool: return it is Bone2D)
	if not bone.get_autocalculate_length_and_angle():
		return Vector2.from_angle(bone.get_bone_angle()) * bone.get_length()
	return Vector2(bone.get_length(), 0) if ends.is_empty() else ends[0].position


func _rig(skeleton: Skeleton2D) -> TendonRig2D:
	var rig: TendonRig2D = TendonRig2D.new()
	skeleton.add_child(rig)
	return rig


## Every kind of modifier, each for a line of its own if there are enough.
func _add_each(skeleton: Skeleton2D) -> void:
	var rig: TendonRig2D = _rig(skeleton)
	var lines: Array[Array] = []
	for leaf: Node in skeleton.find_children("*", "Bone2D", true, false):
		if leaf.find_children("*", "Bone2D", true, false).is_empty():
			var line: Array = [leaf]
			while line[0].get_parent() is Bone2D and line[0].get_parent().get_child_count() == 1:
				line.push_front(line[0].get_parent())
			lines.append(line)
	for line: Array in lines:
		var root: Bone2D = line[0]
		var last: Bone2D = line[-1]
		var modifier: Node
		match _random.randi() % 7:
			0 when line.size() > 1:
				modifier = rig.add_two_bone(root, line[1])
			1:
				modifier = rig.add_look_at(last, null, root)
			2:
				modifier = rig.add_ccd(root, last)
			3:
				modifier = rig.add_fabrik(root, last)
			4:
				rig.add_spring(root, last)
			5:
				rig.add_ragdoll(root)
			_:
				modifier = rig.add_look_at(last)
		if modifier != null:
			var ending: Bone2D = line[1] if modifier is TendonTwoBoneIK2D else last
			modifier.set("target_position", ending.global_transform * _end_of(ending))


## A skeleton below a node, each mirrored, stretched and skewed as it comes. Near the origin: `f32`
## has a place of some hundred pixels to 3e-5 of one, an angle of 1e-4 for the shortest limbs.
func _stage() -> Node2D:
	var stage: Node2D = Node2D.new()
	stage.transform = _place(Vector2(_random.randf_range(-150, 150), 100), 0.4)
	var skeleton: Skeleton2D = Skeleton2D.new()
	skeleton.name = "Skeleton"
	skeleton.transform = _place(Vector2(0, -80), 0.2)
	stage.add_child(skeleton)
	var body: Array[Bone2D] = []
	for entry: Array in BODIES[_random.randi() % BODIES.size()]:
		var above: Node2D = skeleton if entry[0] < 0 else body[entry[0]]
		body.append(_bone(above, entry[1], -PI / 2 if entry[0] < 0 else 0.0))
	for limb: Array in LIMBS:
		if _random.randi() % 2 == 0:
			continue
		for side: String in ["Left", "Right"]:
			var above: Node2D = body[limb[0]]
			if above.has_node(NodePath(side + limb[1][0])):
				continue
			var turn: float = PI if limb[0] == 0 else 2.0
			for part: String in limb[1]:
				above = _bone(above, side + part, turn)
				turn = _random.randf_range(-1.5, 1.5)
	return stage


func _bone(above: Node2D, title: String, turn: float) -> Bone2D:
	var bone: Bone2D = Bone2D.new()
	bone.name = title
	var along: float = _random.randf_range(20, 60) if above is Bone2D else 0.0
	bone.transform = _place(Vector2(along, 0).rotated(_random.randf_range(-0.3, 0.3)), turn)
	bone.rest = bone.transform
	bone.rotation += [0.0, _random.randf_range(-0.7, 0.7)][_random.randi() % 2]
	if _random.randi() % 2 == 0:
		bone.set_autocalculate_length_and_angle(false)
		bone.set_length(_random.randf_range(15, 60))
		bone.set_bone_angle([0.0, _random.randf_range(-PI, PI)][_random.randi() % 2])
	above.add_child(bone)
	if _random.randi() % 4 == 0:
		var limit: TendonJointLimit2D = TendonJointLimit2D.new()
		limit.min_angle = -_random.randf_range(0.8, 3.0)
		limit.max_angle = _random.randf_range(0.8, 3.0)
		bone.add_child(limit)
	return bone


## A transform at [param position], turned by about [param turn].
func _place(position: Vector2, turn: float) -> Transform2D:
	var stretch: Vector2 = Vector2.ONE
	var skew: float = 0.0
	if _random.randi() % 3 == 0:
		stretch = Vector2(_random.randf_range(0.6, 1.5), _random.randf_range(0.6, 1.5))
		skew = [0.0, _random.randf_range(-0.4, 0.4)][_random.randi() % 2]
	if _random.randi() % 6 == 0:
		stretch.x = -stretch.x
	return Transform2D(turn + _random.randf_range(-0.2, 0.2), stretch, skew, position)
