extends Node
## What feet on uneven ground cost: [constant COUNT] characters with two legs that are placed, and
## as many with four that step, beside the same legs with targets and beside the rays alone.

const Stats := preload("res://bench/stats.gd")

const NATIVE_CLASS: StringName = &"TendonBenchFloor"
const COUNT: int = 100
const TICK: float = 1.0 / 60.0
## How far apart the characters are, how far they walk in a tick, and for how many ticks to a side.
const SPACING: float = 40.0
const STEP: float = 2.0
const TURN: int = 40
const BONE: float = 30.0
const HIP: float = 40.0
## Rays begin that far above the feet, and are as long as those of the modifiers.
const ABOVE: float = 30.0
const RAY: Vector2 = Vector2(0, 90)

const CASES: Array[String] = [
	"2 legs to targets",
	"2 legs on placed feet",
	"2 rays, native",
	"2 rays, script",
	"4 legs to targets",
	"4 legs that step",
	"4 rays, native",
	"4 rays, script",
]


## One row for each case: microseconds for a character.
func measure(quick: bool) -> Array[Dictionary]:
	Engine.physics_ticks_per_second = 60
	_add_ground()
	var crowds: Dictionary[String, Array] = {}
	var times: Dictionary[String, PackedFloat64Array] = {}
	for case: String in CASES:
		crowds[case] = range(COUNT).map(_walker.bind(case))
		times[case] = PackedFloat64Array()
	for tick: int in 60 if quick else 300:
		await get_tree().physics_frame
		for case: String in CASES:
			for walker: Walker in crowds[case]:
				walker.move(tick)
			var begin: int = Time.get_ticks_usec()
			for walker: Walker in crowds[case]:
				walker.work.call()
			# The first ticks warm up, and find the ground.
			if tick >= 20:
				times[case].append(float(Time.get_ticks_usec() - begin) / COUNT)
	var rows: Array[Dictionary] = []
	for case: String in CASES:
		var rays: PackedFloat64Array = times[case[0] + " rays, native"]
		var legs: PackedFloat64Array = times[case[0] + " legs to targets"]
		var row: Dictionary = {"case": case, "microseconds": Stats.summary(times[case])}
		if "feet" in case or "step" in case:
			var more: PackedFloat64Array = Stats.differences(times[case], legs)
			row["more_than_legs"] = Stats.summary(more)
			row["more_of_rays"] = Stats.summary(Stats.ratios(more, rays))
		rows.append(row)
	Engine.physics_ticks_per_second = 1
	return rows


func _add_ground() -> void:
	var ground: StaticBody2D = StaticBody2D.new()
	for index: int in range(-5, COUNT + 5):
		var shape: CollisionShape2D = CollisionShape2D.new()
		shape.shape = RectangleShape2D.new()
		(shape.shape as RectangleShape2D).size = Vector2(60, 40)
		shape.position = Vector2(SPACING * index, 20.0 + 5.0 * sin(1.7 * index))
		shape.rotation = 0.2 * sin(2.3 * index)
		ground.add_child(shape)
	add_child(ground)


func _walker(index: int, case: String) -> Walker:
	var walker: Walker = Walker.new(case, case[0].to_int())
	walker.home = Vector2(SPACING * index, 0.0)
	add_child(walker)
	walker.prepare(case)
	return walker


class Walker:
	extends Node2D
	var home: Vector2
	## What is measured.
	var work: Callable
	var rig: TendonRig2D = TendonRig2D.new()
	var targets: Array[Node2D] = []
	var _starts: PackedVector2Array = []
	var _uppers: Array[Bone2D] = []
	var _pelvis: Bone2D = Bone2D.new()
	var _ray: PhysicsRayQueryParameters2D = PhysicsRayQueryParameters2D.new()

	func _init(case: String, legs: int) -> void:
		var skeleton: Skeleton2D = Skeleton2D.new()
		add_child(skeleton)
		_place(_pelvis, skeleton, Vector2(0, -HIP), 0.0)
		rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
		skeleton.add_child(rig)
		var feet: Node = null
		if "placed" in case or "step" in case:
			feet = TendonFootPlacement2D.new() if "placed" in case else TendonGait2D.new()
			feet.set(&"pelvis", _pelvis)
			rig.add_child(feet)
		for leg: int in legs:
			_add_leg(leg - 0.5 * (legs - 1), feet)

	## Chooses the work. The walker is in the tree.
	func prepare(case: String) -> void:
		match case.get_slice(", ", 1):
			"native" when ClassDB.class_exists(NATIVE_CLASS):
				var native: Node = ClassDB.instantiate(NATIVE_CLASS)
				add_child(native)
				work = _cast_natively.bind(native)
			"native", "script":
				work = _cast
			_:
				work = rig.advance.bind(TICK)

	## Walks to and fro, with legs that swing.
	func move(tick: int) -> void:
		var phase: int = tick % (2 * TURN)
		position = home + Vector2(STEP * (TURN - absi(phase - TURN)), 0)
		for leg: int in targets.size():
			var swing: float = sin(0.2 * tick + PI * leg)
			_uppers[leg].rotation = _uppers[leg].rest.get_rotation() + 0.3 * swing
			targets[leg].position = Vector2(10.0 * swing + 4.0 * leg, 2.0 * swing)
			_starts[leg] = position + targets[leg].position - Vector2(0, ABOVE)

	func _cast() -> void:
		var space: PhysicsDirectSpaceState2D = get_world_2d().direct_space_state
		for start: Vector2 in _starts:
			_ray.from = start
			_ray.to = start + RAY
			space.intersect_ray(_ray)

	func _cast_natively(native: Node) -> void:
		native.call(&"cast", get_world_2d().direct_space_state, _ray, _starts, RAY)

	func _add_leg(part: float, feet: Node) -> void:
		var bend: float = acos(0.5 * HIP / BONE)
		var upper: Bone2D = Bone2D.new()
		_place(upper, _pelvis, Vector2(8.0 * part, 0), PI / 2 - bend)
		var lower: Bone2D = Bone2D.new()
		_place(lower, upper, Vector2(BONE, 0), 2.0 * bend)
		lower.set_autocalculate_length_and_angle(false)
		lower.set_length(BONE)
		lower.set_bone_angle(0.0)
		var target: Node2D = Node2D.new()
		add_child(target)
		targets.append(target)
		_starts.append(Vector2.ZERO)
		_uppers.append(upper)
		var limb: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
		limb.bone_one = upper
		limb.bone_two = lower
		limb.target = target if feet == null else null
		rig.add_child(limb)
		if feet != null:
			var foot: TendonFoot2D = TendonFoot2D.new()
			foot.limb = limb
			feet.add_child(foot)

	func _place(bone: Bone2D, parent: Node, place: Vector2, angle: float) -> void:
		bone.position = place
		bone.rotation = angle
		bone.rest = bone.transform
		parent.add_child(bone)
