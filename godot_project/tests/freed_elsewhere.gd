extends RefCounted
## Nodes that are removed from the tree and freed on a thread, which the engine allows, while the
## main thread runs passes: nothing crashes, and the rigs go on.

const Figure := preload("res://tests/figure.gd")
const FaultCharacter := preload("res://tests/fault_character.gd")
const FaultModifier := preload("res://tests/fault_modifier.gd")

const ROUNDS: int = 400
const BONES: int = 300
const CROWD: int = 20
const BODIES: int = 40
const POINT: Vector2 = Vector2(-20, 40)

var wrong: PackedStringArray = []

var _tree: SceneTree


func _init(tree: SceneTree) -> void:
	_tree = tree


func run() -> void:
	_free_bones()
	_free_targets()
	await _free_bodies()
	_free_parts()


## A skeleton of many bones, all of which a custom modifier turns.
func _free_bones() -> void:
	for count: int in ROUNDS:
		var skeleton: Skeleton2D = Skeleton2D.new()
		_tree.root.add_child(skeleton)
		var bones: Array[Node] = []
		for index: int in BONES:
			bones.append(_bone())
			skeleton.add_child(bones[index])
		var rig: TendonRig2D = TendonRig2D.new()
		rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
		skeleton.add_child(rig)
		var modifier: FaultModifier = FaultModifier.new()
		rig.add_child(modifier)
		rig.advance(0.1)
		_advance_beside_freeing(bones, [rig])
		var calls: Array[int] = [0]
		modifier.callback = func() -> void: calls[0] += 1
		skeleton.add_child(_bone())
		rig.advance(0.1)
		_expect(calls[0] == 1, "bones, round %d: the rig is dead" % count)
		skeleton.free()


func _bone() -> Bone2D:
	var bone: Bone2D = Bone2D.new()
	bone.set_autocalculate_length_and_angle(false)
	bone.rest = Transform2D.IDENTITY
	return bone


func _free_targets() -> void:
	var crowd: Array[Figure] = []
	for index: int in CROWD:
		crowd.append(Figure.new([30, 25], [0.4, -0.7]))
		crowd[index].fabrik()
		_tree.root.add_child(crowd[index].stage)
	for count: int in ROUNDS:
		var targets: Array[Node] = []
		var rigs: Array[TendonRig2D] = []
		for figure: Figure in crowd:
			figure.solve(POINT)
			_expect(figure.gap() < 0.01, "targets, round %d: the rig is dead" % count)
			targets.append(figure.target)
			rigs.append(figure.rig)
		_advance_beside_freeing(targets, rigs)
		for figure: Figure in crowd:
			figure.target = Marker2D.new()
			figure.stage.add_child(figure.target)
			figure.rig.get_child(0).set("target", figure.target)
	for figure: Figure in crowd:
		figure.stage.free()


## Feet that stand on bodies, which vanish below them.
func _free_bodies() -> void:
	Engine.physics_ticks_per_second = 1000
	var character: FaultCharacter = FaultCharacter.new(
		FaultCharacter.PLANS.find("feet two_bone limit"), _tree.root
	)
	var gait: FaultCharacter = FaultCharacter.new(
		FaultCharacter.PLANS.find("gait two_bone limit"), _tree.root
	)
	var rigs: Array[TendonRig2D] = [character.rig(), gait.rig()]
	for count: int in ROUNDS:
		var bodies: Array[Node] = []
		for index: int in BODIES:
			var body: StaticBody2D = StaticBody2D.new()
			var shape: CollisionShape2D = CollisionShape2D.new()
			var circle: CircleShape2D = CircleShape2D.new()
			circle.radius = 40.0
			shape.shape = circle
			body.add_child(shape)
			body.position = Vector2(20 * index - 400, 60 + 7 * (index % 3))
			_tree.root.add_child(body)
			bodies.append(body)
		for tick: int in 2:
			await _tree.physics_frame
			for rig: TendonRig2D in rigs:
				rig.advance(0.01)
		var thread: Thread = _free(bodies)
		await _tree.physics_frame
		for rig: TendonRig2D in rigs:
			rig.advance(0.01)
		thread.wait_to_finish()
	for one: FaultCharacter in [character, gait]:
		one.repair()
		# One that has looked for the ground as often, and never found any.
		var fresh: FaultCharacter = FaultCharacter.new(
			FaultCharacter.PLANS.find(one.plan), _tree.root
		)
		for tick: int in 3:
			await _tree.physics_frame
			for other: FaultCharacter in [one, fresh]:
				other.solve_anew(0)
		_expect(one.pose() == fresh.pose(), "bodies: it solves otherwise: " + one.plan)
		fresh.free_all()
		one.free_all()
	Engine.physics_ticks_per_second = 60


## Any part of characters of all kinds.
func _free_parts() -> void:
	var random: RandomNumberGenerator = RandomNumberGenerator.new()
	random.seed = 1
	var characters: Array[FaultCharacter] = []
	for plan: int in FaultCharacter.PLANS.size():
		characters.append(FaultCharacter.new(plan, _tree.root))
	for count: int in ROUNDS:
		var character: FaultCharacter = characters[count % characters.size()]
		var rig: TendonRig2D = character.rig()
		var parts: Array[Node] = character.all()
		var victim: Node = parts[random.randi() % parts.size()]
		if victim == rig or victim.is_ancestor_of(rig):
			continue
		character.forget(victim)
		_advance_beside_freeing([victim], [rig])
		character.repair()
		character.solve_anew(0)
		var about: String = "round %d, %s" % [count, character.plan]
		_expect(character.pose() == character.solved[0], about + ": it solves otherwise")
	for character: FaultCharacter in characters:
		character.free_all()


func _advance_beside_freeing(nodes: Array[Node], rigs: Array[TendonRig2D]) -> void:
	var thread: Thread = _free(nodes)
	for rig: TendonRig2D in rigs:
		rig.advance(0.1)
	thread.wait_to_finish()


## Removes nodes and has a thread free them, which it returns.
func _free(nodes: Array[Node]) -> Thread:
	for node: Node in nodes:
		node.get_parent().remove_child(node)
	var thread: Thread = Thread.new()
	thread.start(
		func() -> void:
			for node: Node in nodes:
				node.free()
	)
	return thread


func _expect(right: bool, otherwise: String) -> void:
	if not right and wrong.size() < 20:
		wrong.append(otherwise)
