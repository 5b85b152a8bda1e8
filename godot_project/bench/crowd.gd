extends Node2D
## Many characters that all do the same, and can be stopped while others are measured.

## Who moves the bones in every frame.
enum Mover { NOBODY, TENDON, ENGINE, SCRIPT, WRITER, READER }

const BoneWriter := preload("res://bench/bone_writer.gd")
const Character := preload("res://bench/character.gd")

## How much further along its way each target is than its neighbour's.
const STAGGER: int = 37

var characters: Array[Character] = []

var _targets: Array[Node2D] = []
var _path: PackedVector2Array = PackedVector2Array()
var _players: Array[AnimationPlayer] = []
## The rotation of every bone when [method has_moved] was last called.
var _seen: PackedFloat32Array = PackedFloat32Array()


func _init(count: int, bone_count: int) -> void:
	process_mode = Node.PROCESS_MODE_DISABLED
	for index: int in count:
		var character: Character = Character.new(bone_count)
		@warning_ignore("integer_division")
		character.position = Vector2(index % 50, index / 50) * 100.0
		characters.append(character)
		_targets.append(character.target)
		add_child(character)
	_path = characters[0].path


## Hands the bones to [param mover]. The crowd has to be in the tree.
func give_to(mover: Mover, solver: Character.Solver) -> void:
	if mover == Mover.READER:
		var bones: Array[Bone2D] = []
		for character: Character in characters:
			bones.append_array(character.bones)
		# One for all: what is called by way of godot-rust costs as much as many reads.
		add_child(BoneWriter.make_reader(bones))
		return
	for character: Character in characters:
		match mover:
			Mover.TENDON:
				character.add_tendon(solver, TendonRig2D.CALLBACK_MODE_PROCESS_IDLE)
			Mover.ENGINE:
				character.add_engine(solver)
			Mover.SCRIPT:
				character.add_script()
			Mover.WRITER:
				character.add_child(BoneWriter.new(character.bones))


## Gives every character an AnimationPlayer that turns all its bones. It waits for
## [method animate].
func add_animation() -> void:
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation(&"wave", _wave(characters[0]))
	for character: Character in characters:
		var player: AnimationPlayer = AnimationPlayer.new()
		player.add_animation_library(&"", library)
		character.add_child(player)
		player.play(&"wave")
		player.active = false
		_players.append(player)


func animate(active: bool) -> void:
	for player: AnimationPlayer in _players:
		player.active = active


func run(active: bool) -> void:
	process_mode = Node.PROCESS_MODE_INHERIT if active else Node.PROCESS_MODE_DISABLED


## Whether a bone has turned since this was last called.
func has_moved() -> bool:
	var rotations: PackedFloat32Array = PackedFloat32Array()
	for character: Character in characters:
		for bone: Bone2D in character.bones:
			rotations.append(bone.rotation)
	var moved: bool = rotations != _seen
	_seen = rotations
	return moved


## Moves every target to another position than the one before.
func move_targets(step: int) -> void:
	for target: Node2D in _targets:
		target.position = _path[step % Character.PATH_SIZE]
		step += STAGGER


func _wave(character: Character) -> Animation:
	var animation: Animation = Animation.new()
	animation.loop_mode = Animation.LOOP_LINEAR
	animation.length = 2.0
	for bone: Bone2D in character.bones:
		var track: int = animation.add_track(Animation.TYPE_VALUE)
		animation.track_set_path(track, NodePath("%s:rotation" % character.get_path_to(bone)))
		animation.track_insert_key(track, 0.0, bone.rotation)
		animation.track_insert_key(track, 1.0, bone.rotation + 0.1)
		animation.track_insert_key(track, 2.0, bone.rotation)
	return animation
