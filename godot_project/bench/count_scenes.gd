extends Node2D
## The characters of [code]count.gd[/code]: a scene with several that are alike.

const Character := preload("res://bench/character.gd")

## How many characters each scene has.
const COUNTS: Dictionary[String, int] = {
	"look-at": 50,
	"two bones": 50,
	"two bones, target below the skeleton": 50,
	"two bones at rest": 50,
	"FABRIK of 10": 50,
	"FABRIK of 10 at rest": 50,
	"pinned rope of 10": 10,
	"hero of 19 bones": 8,
	"spider of 8 legs": 4,
	"body of 13 limbs falling": 4,
	"body lying": 4,
	"body at rest": 4,
}
const BODY_SPACING: float = 200.0
const HERO_SPACING: float = 80.0

var bones: Array[Bone2D] = []
var rigs: Array[TendonRig2D] = []
## What moves the characters and their targets before the frame of that number.
var movers: Array[Callable] = []


func _init(title: String) -> void:
	for index: int in COUNTS[title]:
		match title.get_slice(" ", 0):
			"look-at", "two", "FABRIK", "pinned":
				_add_chain(title, index)
			"hero":
				_add_hero(index)
			"spider":
				_add_spider(index)
			"body":
				_add_body(index, not "falling" in title, "lying" in title)
	match title.get_slice(" ", 0):
		"hero", "spider":
			_add_hills()
		"body" when not "falling" in title:
			_add_ground(Vector2(20000, 100), Transform2D(0.0, Vector2(5000, 50)))


func _add_chain(title: String, index: int) -> void:
	var count: int = {"look-at": 1, "two": 2}.get(title.get_slice(" ", 0).trim_suffix(","), 10)
	var character: Character = Character.new(count)
	character.position = Vector2(100.0 * index, 0)
	add_child(character)
	if "below" in title:
		character.remove_child(character.target)
		character.skeleton.add_child(character.target)
	var rig: TendonRig2D
	if "rope" in title:
		var rope: TendonSpring2D = TendonSpring2D.new()
		rope.root_bone = character.bones[0]
		rope.tip_bone = character.bones[-1]
		rope.gravity = Vector2(0, 980)
		rope.pin = character.target
		rig = _rig([rope], character.skeleton)
	else:
		var solver: Character.Solver = Character.Solver.FABRIK
		if count < 3:
			solver = Character.Solver.LOOK_AT if count == 1 else Character.Solver.TWO_BONE
		rig = character.add_tendon(solver, TendonRig2D.CALLBACK_MODE_PROCESS_IDLE)
		rigs.append(rig)
	bones.append_array(character.bones)
	movers.append(
		func(step: int) -> void:
			var place: int = (step + 37 * index) % Character.PATH_SIZE
			character.target.position = character.path[place]
	)


## A body with two arms that reach, two legs on placed feet, two tails, and a head that looks. An
## animation moves its limbs.
func _add_hero(index: int) -> void:
	var body: Node2D = Node2D.new()
	add_child(body)
	var skeleton: Skeleton2D = _skeleton(body)
	var hips: Bone2D = _bone(skeleton, "Hips", Vector2(0, -40), 0, 6)
	var chest: Bone2D = _bone(hips, "Chest", Vector2.ZERO, -PI / 2, 30)
	var head: Bone2D = _bone(chest, "Head", Vector2(30, 0), 0, 14)
	var animation: Animation = _walk(body, hips)
	var feet: TendonFootPlacement2D = TendonFootPlacement2D.new()
	feet.pelvis = hips
	var modifiers: Array[Node] = [feet]
	var targets: Array[Node2D] = []
	for side: int in [1, -1]:
		var leg: TendonTwoBoneIK2D = _leg(hips, Vector2(2 * side, 0), side, PI / 2)
		var foot: TendonFoot2D = TendonFoot2D.new()
		foot.limb = leg
		feet.add_child(foot)
		var arm: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
		arm.bone_one = _bone(chest, "Upper%d" % side, Vector2(28, 0), PI - 0.2, 18)
		arm.bone_two = _bone(arm.bone_one, "Fore%d" % side, Vector2(18, 0), -0.5, 18)
		arm.target = Node2D.new()
		targets.append(arm.target)
		body.add_child(arm.target)
		modifiers.append_array([leg, arm])
		_swing(animation, body, leg.bone_one, 0.4 * side)
		_swing(animation, body, leg.bone_two, 0.3)
		_swing(animation, body, arm.bone_one, -0.4 * side)
		_swing(animation, body, arm.bone_two, 0.1)
	var look: TendonLookAt2D = TendonLookAt2D.new()
	look.bone = head
	look.additional_rotation = -PI / 2
	look.target = Node2D.new()
	targets.append(look.target)
	body.add_child(look.target)
	modifiers.append(look)
	for carrier: Bone2D in [chest, head]:
		modifiers.append(_tail(carrier))
	_rig(modifiers, skeleton)
	_play(animation, body, fmod(0.137 * index, 1.0))
	movers.append(
		func(step: int) -> void:
			var phase: float = TAU * (step + 37 * index) / 128.0
			var way: Vector2 = Vector2(6 * sin(phase), 8 * cos(phase))
			targets[0].position = Vector2(20, -60) + way
			targets[1].position = Vector2(16, -50) + way
			targets[2].position = Vector2(100, -70 + 40 * sin(phase))
			body.position.x = HERO_SPACING * index + 100 - absi(step % 400 - 200)
	)


func _add_spider(index: int) -> void:
	var body: Node2D = Node2D.new()
	add_child(body)
	var skeleton: Skeleton2D = _skeleton(body)
	var trunk: Bone2D = _bone(skeleton, "Body", Vector2(0, -40), 0, 10)
	var gait: TendonGait2D = TendonGait2D.new()
	gait.pelvis = trunk
	gait.step_duration = 0.2
	_rig([gait], skeleton)
	var bend: float = acos(0.5 * 45.0 / 30.0)
	for side: int in [-1, 1]:
		for leg: int in 4:
			var turn: float = PI / 2 - side * (bend + 0.12 * (leg + 1))
			var place: Vector2 = Vector2(side * (4 + 6 * leg), 0)
			var upper: Bone2D = _bone(trunk, "Upper", place, turn, 30)
			gait.add_leg(upper, _bone(upper, "Lower", Vector2(30, 0), side * 2 * bend, 30))
	movers.append(
		func(step: int) -> void:
			body.position.x = BODY_SPACING * index + 1.5 * (100 - absi(step % 400 - 200))
	)


func _add_body(index: int, on_ground: bool, pushed: bool) -> void:
	var body: Node2D = Node2D.new()
	body.position = Vector2(BODY_SPACING * index, -50)
	body.rotation = 0.05 * index
	add_child(body)
	var skeleton: Skeleton2D = _skeleton(body)
	var first: int = bones.size()
	var hips: Bone2D = _bone(skeleton, "Hips", Vector2.ZERO, -PI / 2, 10)
	var chest: Bone2D = _bone(hips, "Chest", Vector2(10, 0), 0, 24)
	_bone(chest, "Head", Vector2(26, 0), 0, 14)
	for side: int in [1, -1]:
		var upper: Bone2D = _bone(chest, "Upper", Vector2(22, 4 * side), PI - 0.5 * side, 16)
		_bone(upper, "Fore", Vector2(16, 0), -0.4, 16)
		var thigh: Bone2D = _bone(hips, "Thigh", Vector2(0, 4 * side), PI - 0.2 * side, 22)
		var shin: Bone2D = _bone(thigh, "Shin", Vector2(22, 0), 0.2, 22)
		_bone(shin, "Foot", Vector2(22, 0), -1.4, 8)
	for bone: Bone2D in bones.slice(first + 1):
		var limit: TendonJointLimit2D = TendonJointLimit2D.new()
		limit.min_angle = -0.9
		limit.max_angle = 0.9
		bone.add_child(limit)
	var ragdoll: TendonRagdoll2D = TendonRagdoll2D.new()
	_rig([ragdoll], skeleton)
	ragdoll.start.call_deferred()
	if pushed or not on_ground:
		# A setting that changes keeps it from coming to rest.
		movers.append(
			func(step: int) -> void: ragdoll.damping_ratio = 0.7 if step % 2 == 0 else 0.71
		)


func _rig(modifiers: Array[Node], skeleton: Skeleton2D) -> TendonRig2D:
	var rig: TendonRig2D = TendonRig2D.new()
	for modifier: Node in modifiers:
		rig.add_child(modifier)
	skeleton.add_child(rig)
	rigs.append(rig)
	return rig


func _skeleton(body: Node2D) -> Skeleton2D:
	var skeleton: Skeleton2D = Skeleton2D.new()
	body.add_child(skeleton)
	return skeleton


func _bone(parent: Node2D, title: String, at: Vector2, turn: float, length: float) -> Bone2D:
	var bone: Bone2D = Bone2D.new()
	bone.name = title
	bone.position = at
	bone.rotation = turn
	bone.set_autocalculate_length_and_angle(false)
	bone.set_length(length)
	bone.set_bone_angle(0)
	parent.add_child(bone, true)
	bone.rest = bone.transform
	bones.append(bone)
	return bone


## A leg that hangs down, with its knee bent so that its foot is 40 px below.
func _leg(hips: Bone2D, at: Vector2, side: int, down: float) -> TendonTwoBoneIK2D:
	var bend: float = acos(0.5 * 40.0 / 30.0)
	var leg: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
	leg.bone_one = _bone(hips, "Thigh%d" % side, at, down - bend, 30)
	leg.bone_two = _bone(leg.bone_one, "Shin%d" % side, Vector2(30, 0), 2 * bend, 30)
	return leg


func _tail(carrier: Bone2D) -> TendonSpring2D:
	var tail: TendonSpring2D = TendonSpring2D.new()
	tail.gravity = Vector2(0, 300)
	tail.root_bone = _bone(carrier, "Tail", Vector2(20, 0), PI - 0.3, 10)
	tail.tip_bone = tail.root_bone
	for link: int in 3:
		tail.tip_bone = _bone(tail.tip_bone, "Tail", Vector2(10, 0), 0.1, 10)
	return tail


## The animation of a walk in which the hips bob.
func _walk(body: Node2D, hips: Bone2D) -> Animation:
	var animation: Animation = Animation.new()
	animation.loop_mode = Animation.LOOP_LINEAR
	animation.length = 1.0
	var track: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, "%s:position" % body.get_path_to(hips))
	for key: int in 3:
		var bob: Vector2 = Vector2(0, 2 * (key % 2))
		animation.track_insert_key(track, 0.5 * key, hips.position + bob)
	return animation


func _swing(animation: Animation, body: Node2D, bone: Bone2D, angle: float) -> void:
	var track: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, "%s:rotation" % body.get_path_to(bone))
	for key: int in 5:
		var turn: float = angle * sin(PI / 2 * key)
		animation.track_insert_key(track, 0.25 * key, bone.rotation + turn)


func _play(animation: Animation, body: Node2D, from: float) -> void:
	var player: AnimationPlayer = AnimationPlayer.new()
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation("walk", animation)
	body.add_child(player)
	player.add_animation_library("", library)
	player.play("walk")
	player.seek(from, true)


func _add_hills() -> void:
	for index: int in range(-5, 30):
		var place: Vector2 = Vector2(40.0 * index, 20.0 + 5.0 * sin(1.7 * index))
		_add_ground(Vector2(60, 40), Transform2D(0.2 * sin(2.3 * index), place))


func _add_ground(size: Vector2, place: Transform2D) -> void:
	var ground: StaticBody2D = StaticBody2D.new()
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = size
	ground.transform = place
	ground.add_child(shape)
	add_child(ground)
