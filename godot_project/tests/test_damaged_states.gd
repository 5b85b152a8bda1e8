extends "res://tests/suite.gd"
## States of rigs of all kinds: what is damaged in any place is refused as a whole, and what is of
## another rig is refused, or the rig goes on from it.

const Dummy := preload("res://tests/dummy.gd")
const FaultCharacter := preload("res://tests/fault_character.gd")
const GaitSuite := preload("res://tests/test_gait.gd")
const FeetSuite := preload("res://tests/test_feet.gd")

## Damaged states of each rig.
const TRIES: int = 25

## The rigs by what they are made of, and the states that they have had.
var _rigs: Dictionary[String, TendonRig2D] = {}
var _states: Dictionary[String, Array] = {}
var _characters: Array = []
## The nodes that own the rest.
var _walkers: Array = []
var _fallers: Array[Node] = []


func test_damaged_states_of_all_kinds() -> void:
	await _make()
	var random: RandomNumberGenerator = RandomNumberGenerator.new()
	random.seed = 1
	for title: String in _rigs:
		var rig: TendonRig2D = _rigs[title]
		for time: int in TRIES:
			var sound: PackedByteArray = _states[title][time % _states[title].size()]
			check(
				rig.set_state(sound) and rig.get_state() == sound, title + ": a sound one is taken"
			)
			var before: PackedFloat64Array = _pose(rig)
			var damaged: PackedByteArray = sound.duplicate()
			var at: int = random.randi_range(0, sound.size() - 1)
			match random.randi_range(0, 3):
				0:
					damaged.remove_at(at)
				1:
					damaged.resize(at)
				_:
					damaged[at] = (damaged[at] + random.randi_range(1, 255)) % 256
			equal(rig.set_state(damaged), false, "%s: byte %d" % [title, at])
			check(rig.get_state() == sound and _pose(rig) == before, title + ": nothing is taken")
	for title: String in _rigs:
		for other: String in _states:
			_take_state_of(title, other)
	_free_all()
	forgive(["set_state() has changed nothing", INVALID])


## A script says what it remembers in the words of the engine, and any of them may be damaged.
func test_what_a_script_remembers_is_checked_too() -> void:
	var figure: Figure = Figure.new([30, 25])
	add_child(figure.stage)
	var modifier: TendonCustomModifier2D = preload("res://tests/remembering_modifier.gd").new()
	modifier.set("bone", figure.bones[0])
	figure.rig.add_child(modifier)
	figure.rig.advance(0.1)
	var sound: PackedByteArray = figure.rig.get_state()
	var start: int = sound.get_string_from_utf8().find("scripts")
	check(start > 0, "it has what the script remembers")
	for at: int in range(start, sound.get_string_from_utf8().find("modifiers")):
		for digit: String in "0123456789abcdef":
			var damaged: PackedByteArray = sound.duplicate()
			damaged[at] = digit.unicode_at(0)
			equal(figure.rig.set_state(damaged), damaged == sound, "byte %d as %s" % [at, digit])
	forgive(["set_state() has changed nothing"])


func _take_state_of(title: String, other: String) -> void:
	var rig: TendonRig2D = _rigs[title]
	if title == other or not rig.set_state(_states[other][0]):
		return
	for frame: int in 3:
		rig.advance(TICK)
	for number: float in _pose(rig):
		check(is_finite(number), "%s with the state of %s" % [title, other])


## Makes a rig of each kind, and has it play some frames.
func _make() -> void:
	for index: int in FaultCharacter.PLANS.size():
		var character: FaultCharacter = FaultCharacter.new(index, self)
		_characters.append(character)
		_rigs[character.plan] = character.rig()
	for legs: int in [2, 6]:
		_add_walker("%d legs that step" % legs, GaitSuite.Walker.new(2, legs))
	_add_walker("feet on the ground", FeetSuite.Walker.new(2))
	_add_faller("a body that falls", 0.0)
	_add_faller("a body that staggers", 3.0)
	_add_faller("a body that gets up", 0.0)
	var riser: TendonRig2D = _rigs["a body that gets up"]
	for frame: int in 12:
		await physics_frames()
		for walker: Variant in _walkers:
			walker.body.position.x += 4.0
		if frame == 6:
			(riser.get_node(^"Ragdoll") as TendonRagdoll2D).stop()
		_play_all()
		if frame % 4 == 3:
			for title: String in _rigs:
				_states.get_or_add(title, []).append(_rigs[title].get_state())


func _free_all() -> void:
	for character: FaultCharacter in _characters:
		character.free_all()
	for walker: Variant in _walkers:
		walker.free_all()
	for faller: Node in _fallers:
		faller.free()


func _add_walker(title: String, walker: Variant) -> void:
	add_child(walker.body)
	walker.body.position.y = 4000.0 * (1 + _walkers.size())
	walker.add_ground(walker.body.position + Vector2(-960, 20), 0.0)
	_rigs[title] = walker.rig
	_walkers.append(walker)


## A ragdoll just above the ground. With a [param frequency] it follows the pose.
func _add_faller(title: String, frequency: float) -> void:
	var ground: StaticBody2D = StaticBody2D.new()
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = Vector2(2000, 100)
	ground.add_child(shape)
	ground.position = Vector2(4000.0 * (1 + _fallers.size()), 50)
	add_child(ground)
	var place: Vector2 = ground.position - Vector2(0, 52.0 + Dummy.SOLE)
	var dummy: Dummy = Dummy.new(self, Node2D.new(), place)
	dummy.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
	dummy.ragdoll.frequency = frequency
	dummy.ragdoll.start(Vector2(300, 0))
	_rigs[title] = dummy.rig
	_fallers.append_array([ground, dummy.body])


func _play_all() -> void:
	for title: String in _rigs:
		_rigs[title].advance(TICK)


## Rotation, position and scale of all bones.
func _pose(rig: TendonRig2D) -> PackedFloat64Array:
	var pose: PackedFloat64Array = []
	for bone: Node in rig.get_parent().find_children("*", "Bone2D", true, false):
		var own: Bone2D = bone
		pose.append_array([own.rotation, own.position.x, own.position.y, own.scale.x, own.scale.y])
	return pose
