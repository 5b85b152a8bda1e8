extends RefCounted
## Has the ragdoll of a fault character fall, so that a fault is done to a body that is simulated.

const FaultCharacter := preload("res://tests/fault_character.gd")

## Nobody else stands on that.
const LAYER: int = 1 << 19
const TICK: float = 1.0 / 60.0
## Ticks until something that is waited for does not come any more.
const PATIENCE: int = 240
## How far below the skeleton the ground is.
const DEPTH: float = 150.0

var _character: FaultCharacter
var _tree: SceneTree
var _ground: StaticBody2D


func _init(tree: SceneTree, character: FaultCharacter) -> void:
	_tree = tree
	_character = character


## Frees what was added.
func finish() -> void:
	if is_instance_valid(_ground):
		_ground.free()


## Lets it go, with wild settings.
func let_go(random: RandomNumberGenerator) -> void:
	_ground = StaticBody2D.new()
	_ground.collision_layer = LAYER
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = WorldBoundaryShape2D.new()
	_ground.add_child(shape)
	_tree.root.add_child(_ground)
	_ground.global_position = (_character.part(&"Skeleton") as Node2D).global_position
	_ground.global_position.y += DEPTH
	var ragdoll: TendonRagdoll2D = ragdoll_of()
	ragdoll.collision_mask = LAYER
	if random.randf() < 0.5:
		ragdoll.root_bone = null
	if random.randf() < 0.3:
		ragdoll.frequency = 3.0
		ragdoll.root_frequency = random.randf_range(0.0, 4.0)
	if random.randf() < 0.3:
		ragdoll.self_collision = true
	ragdoll.start(Vector2(random.randf_range(-900, 900), random.randf_range(-900, 900)))
	if random.randf() < 0.4:
		var bone: Bone2D = _character.part(&"Bone4") as Bone2D
		var hook: Node2D = _character.part(&"Target") as Node2D
		ragdoll.grab(bone, bone.global_position, hook)


func play(ticks: int) -> void:
	for tick: int in ticks:
		await _tick()


## Plays until the signal [param heard] comes, and calls [param action] in it.
func play_until(heard: String, action: Callable) -> void:
	var is_heard: Array[bool] = [false]
	var told: Callable = func() -> void:
		is_heard[0] = true
		await action.call()
	ragdoll_of().release()
	ragdoll_of().root_bone = null
	ragdoll_of().connect(heard, told.unbind(3) if heard == "hit" else told, CONNECT_ONE_SHOT)
	var stops: bool = heard == "recovered"
	for tick: int in PATIENCE:
		await _tick()
		if is_heard[0] or ragdoll_of() == null:
			return
		if stops and tick == 30:
			ragdoll_of().stop()


func ragdoll_of() -> TendonRagdoll2D:
	return _character.part(&"Modifier ragdoll") as TendonRagdoll2D


func _tick() -> void:
	await _tree.physics_frame
	var rig: TendonRig2D = _character.rig()
	if rig != null and rig.callback_mode_process == TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL:
		rig.advance(TICK)
