extends RefCounted
## Damages the states of rigs of all kinds, and checks that each is refused as a whole, or that the
## rig goes on from it.

const Dummy := preload("res://tests/dummy.gd")
const FaultCharacter := preload("res://tests/fault_character.gd")
const GaitSuite := preload("res://tests/test_gait.gd")
const FeetSuite := preload("res://tests/test_feet.gd")

const TICK: float = 1.0 / 60
## What a damaged place becomes.
const WILD: Array = [
	"NaN",
	"inf",
	"-inf",
	1e39,
	3.4e38,
	-3.4e38,
	1e-40,
	0,
	-1,
	7,
	4294967295,
	null,
	true,
	[],
	{},
	"x"
]
## The same for a number, mostly: one that a state could have.
const NUMBERS: Array[float] = [0.0, -0.0, 1.0, -1.0, 1e-40, 1e9, -1e20, 3.4e38, -3.4e38]
## The bits of numbers for a word of a bone: infinities, NaN, the largest, the smallest.
const BITS: PackedInt64Array = [
	2139095040, 4286578688, 2143289344, 4294967295, 2139095039, 1, 2147483648, 2, 1065353216
]
const BONES: String = '"bones":['

## What went wrong, in words.
var wrong: PackedStringArray = []
var tried: int = 0
var taken: int = 0

var _random: RandomNumberGenerator = RandomNumberGenerator.new()
## The rigs by what they are made of, and the states that they have had.
var _rigs: Dictionary[String, TendonRig2D] = {}
var _states: Dictionary[String, Array] = {}
var _characters: Array = []
## The nodes that own the rest.
var _walkers: Array = []
var _fallers: Array[Node] = []


func _init(number: int) -> void:
	_random.seed = number


## Makes a rig of each kind below [param above], and has it play some frames.
func make(above: Node) -> void:
	for index: int in FaultCharacter.PLANS.size():
		var character: FaultCharacter = FaultCharacter.new(index, above)
		_characters.append(character)
		_rigs[character.plan] = character.rig()
	for legs: int in [2, 6]:
		_add_walker("%d legs that step" % legs, GaitSuite.Walker.new(2, legs), above)
	_add_walker("feet on the ground", FeetSuite.Walker.new(2), above)
	_add_faller("a body that falls", 0.0, above)
	_add_faller("a body that staggers", 3.0, above)
	_add_faller("a body that gets up", 0.0, above)
	var riser: TendonRig2D = _rigs["a body that gets up"]
	for frame: int in 12:
		await above.get_tree().physics_frame
		for walker: Variant in _walkers:
			walker.body.position.x += 4.0
		if frame == 6:
			(riser.get_node(^"Ragdoll") as TendonRagdoll2D).stop()
		_play_all()
		if frame % 4 == 3:
			for title: String in _rigs:
				_states.get_or_add(title, []).append(_rigs[title].get_state())


func free_all() -> void:
	for character: FaultCharacter in _characters:
		character.free_all()
	for walker: Variant in _walkers:
		walker.free_all()
	for faller: Node in _fallers:
		faller.free()


## Tries [param count] damaged states. The gaits and feet ask for the ground in physics frames only.
func try_some(count: int) -> void:
	for number: int in count:
		var titles: Array = _rigs.keys()
		_try(titles[_random.randi_range(0, titles.size() - 1)])
		tried += 1


func _add_walker(title: String, walker: Variant, above: Node) -> void:
	above.add_child(walker.body)
	walker.body.position.y = 4000.0 * (1 + _walkers.size())
	walker.add_ground(walker.body.position + Vector2(-960, 20), 0.0)
	_rigs[title] = walker.rig
	_walkers.append(walker)


## A ragdoll just above the ground. With a [param frequency] it follows the pose.
func _add_faller(title: String, frequency: float, above: Node) -> void:
	var ground: StaticBody2D = StaticBody2D.new()
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = RectangleShape2D.new()
	(shape.shape as RectangleShape2D).size = Vector2(2000, 100)
	ground.add_child(shape)
	ground.position = Vector2(4000.0 * (1 + _fallers.size()), 50)
	above.add_child(ground)
	var place: Vector2 = ground.position - Vector2(0, 52.0 + Dummy.SOLE)
	var dummy: Dummy = Dummy.new(above, Node2D.new(), place)
	dummy.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
	dummy.ragdoll.frequency = frequency
	dummy.ragdoll.start(Vector2(300, 0))
	_rigs[title] = dummy.rig
	_fallers.append_array([ground, dummy.body])


func _play_all() -> void:
	for title: String in _rigs:
		_rigs[title].advance(TICK)


func _try(title: String) -> void:
	var rig: TendonRig2D = _rigs[title]
	var states: Array = _states[title]
	var sound: PackedByteArray = states[_random.randi_range(0, states.size() - 1)]
	if not rig.set_state(sound) or rig.get_state() != sound:
		wrong.append(title + ": a sound state is not taken")
		return
	var before: PackedFloat64Array = _pose(rig)
	var damaged: PackedByteArray = _damage(sound)
	if damaged == sound:
		return
	if not rig.set_state(damaged):
		if rig.get_state() != sound or _pose(rig) != before:
			wrong.append("%s: half of it is taken: %s" % [title, damaged.get_string_from_utf8()])
		return
	taken += 1
	for frame: int in 3:
		rig.advance(TICK)
	for number: float in _pose(rig):
		if not is_finite(number):
			wrong.append("%s: %s after %s" % [title, number, damaged.get_string_from_utf8()])
			break


## Rotation, position and scale of all bones.
func _pose(rig: TendonRig2D) -> PackedFloat64Array:
	var pose: PackedFloat64Array = []
	for bone: Node in rig.get_parent().find_children("*", "Bone2D", true, false):
		var own: Bone2D = bone
		pose.append_array([own.rotation, own.position.x, own.position.y, own.scale.x, own.scale.y])
	return pose


func _damage(sound: PackedByteArray) -> PackedByteArray:
	var text: String = sound.get_string_from_utf8()
	match _random.randi_range(0, 9):
		0:
			var bytes: PackedByteArray = sound.duplicate()
			bytes[_random.randi_range(0, bytes.size() - 1)] = _random.randi_range(0, 255)
			return bytes
		1, 2:
			return _damage_bones(text).to_utf8_buffer()
	# The words of bones are whole numbers, which a parser of the engine would turn into floats.
	var rest: Variant = JSON.parse_string(text.substr(text.find("]") + 2).insert(0, "{"))
	rest = _with_whole_numbers(rest)
	for time: int in _random.randi_range(1, 2):
		rest["modifiers"] = _damaged(rest["modifiers"])
	var bones: String = text.substr(0, text.find("]") + 2)
	return (bones + JSON.stringify(rest, "", true, true).substr(1)).to_utf8_buffer()


func _damage_bones(text: String) -> String:
	var start: int = text.find(BONES) + BONES.length()
	var end: int = text.find("]", start)
	var words: PackedStringArray = text.substr(start, end - start).split(",")
	var at: int = _random.randi_range(0, words.size() - 1)
	match _random.randi_range(0, 5):
		0:
			words.remove_at(at)
		1:
			words.insert(at, words[at])
		_:
			words[at] = str(BITS[_random.randi_range(0, BITS.size() - 1)])
	return text.substr(0, start) + ",".join(words) + text.substr(end)


## The engine's parser knows only floats.
func _with_whole_numbers(value: Variant) -> Variant:
	if value is Array:
		return value.map(_with_whole_numbers)
	if value is Dictionary:
		for key: Variant in value:
			value[key] = _with_whole_numbers(value[key])
	elif value is float and value == floorf(value) and absf(value) < 1e15:
		return int(value)
	return value


func _damaged(value: Variant) -> Variant:
	var goes_down: bool = _random.randi_range(0, 11) > 0
	if value is Array and goes_down and not value.is_empty():
		var at: int = _random.randi_range(0, value.size() - 1)
		match _random.randi_range(0, 7):
			0:
				value.remove_at(at)
			1:
				value.insert(at, value[at])
			_:
				value[at] = _damaged(value[at])
		return value
	if value is Dictionary and goes_down and not value.is_empty():
		var key: Variant = value.keys()[_random.randi_range(0, value.size() - 1)]
		if _random.randi_range(0, 14) == 0:
			value.erase(key)
		else:
			value[key] = _damaged(value[key])
		return value
	if (value is float or value is int) and _random.randi_range(0, 4) > 0:
		return NUMBERS[_random.randi_range(0, NUMBERS.size() - 1)]
	return WILD[_random.randi_range(0, WILD.size() - 1)]
