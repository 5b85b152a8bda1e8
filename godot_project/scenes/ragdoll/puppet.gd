class_name Puppet
extends Node2D
## A wooden figure that can be grabbed and hit. It stands by itself, falls, and gets up.
##
## Its TendonRagdoll2D is simulated all the time, but for the moments in which it rises. Standing,
## it follows the pose with a frequency; hit too hard, or grabbed, it becomes limp. When it has come
## to rest, it gets up.

enum State { STANDING, LIMP, RISING }

## An impulse that is stronger than that makes it fall.
const TOUGHNESS: float = 3500.0

## Rotations beside the rest pose, by bone, in degrees. Without an entry: 0.
const KNEELING_UP: Dictionary[String, float] = {
	"ThighL": -70.0, "ShinL": 85.0, "ThighR": -10.0, "ShinR": 95.0, "Chest": 25.0, "ArmR": -40.0
}
const KNEELING_DOWN: Dictionary[String, float] = {
	"ThighL": -85.0, "ShinL": 100.0, "ThighR": -85.0, "ShinR": 100.0, "ArmL": 40.0, "ArmR": 45.0
}
## How much lower the hip is on its knees.
const KNEELING: float = 30.0
const RISE_TIME: float = 0.9

var state: State = State.STANDING
var _kneeling: Dictionary[String, float] = {}
var _risen: float = 1.0
var _bones: Array[Bone2D] = []
var _rest: PackedFloat32Array = []

@onready var ragdoll: TendonRagdoll2D = %Ragdoll


func _ready() -> void:
	for bone: Bone2D in $Skeleton2D.find_children("*", "Bone2D"):
		_bones.append(bone)
		_rest.append(bone.rotation)
	ragdoll.settled.connect(_on_settled)
	ragdoll.recovered.connect(_on_recovered)
	_stand()


func _physics_process(delta: float) -> void:
	if state == State.RISING:
		_risen = minf(_risen + delta / RISE_TIME, 1.0)
		_pose(1.0 - smoothstep(0.35, 1.0, _risen))
		if _risen == 1.0 and not ragdoll.simulating:
			_stand()


## Pushes it at [param place], both in global coordinates.
func push(impulse: Vector2, place: Vector2) -> void:
	ragdoll.simulating = true
	ragdoll.apply_impulse(impulse, place)
	if impulse.length() > TOUGHNESS:
		go_limp()


## Lets it hang from [param hook] at the bone that is nearest to [param place].
func hang(place: Vector2, hook: Node2D) -> void:
	ragdoll.grab(nearest(place), place, hook)
	go_limp()


func go_limp() -> void:
	ragdoll.frequency = 0.6
	ragdoll.root_frequency = 0.0
	ragdoll.start()
	state = State.LIMP


func let_fall() -> void:
	ragdoll.release()


## The bone whose middle is nearest.
func nearest(place: Vector2) -> Bone2D:
	var found: Bone2D = _bones[0]
	for bone: Bone2D in _bones:
		if _middle(bone).distance_to(place) < _middle(found).distance_to(place):
			found = bone
	return found


func _middle(bone: Bone2D) -> Vector2:
	return bone.global_transform * Vector2(bone.get_length() / 2, 0)


func _on_settled() -> void:
	if state != State.LIMP:
		return
	var lies_on_belly: bool = ragdoll.get_facing() == TendonRagdoll2D.FACING_BELLY
	_kneeling = KNEELING_DOWN if lies_on_belly else KNEELING_UP
	ragdoll.stop()
	state = State.RISING
	_risen = 0.0
	_pose(1.0)


func _on_recovered() -> void:
	if state == State.RISING and _risen == 1.0:
		_stand()


func _stand() -> void:
	state = State.STANDING
	_pose(0.0)
	ragdoll.frequency = 5.0
	ragdoll.root_frequency = 3.0
	ragdoll.start()


## On its knees at 1.0, upright at 0.0.
func _pose(part: float) -> void:
	for index: int in _bones.size():
		var turned: float = deg_to_rad(_kneeling.get(String(_bones[index].name), 0.0))
		_bones[index].rotation = _rest[index] + part * turned
	_bones[0].position = Vector2(0, part * KNEELING)
