class_name Puppet
extends Node2D
## A wooden figure that can be grabbed and hit. It stands by itself, staggers, falls, and gets up.
##
## Its TendonRagdoll2D is simulated all the time, but for the moments in which it rises. Standing,
## it follows the pose with a frequency; hit too hard, or grabbed, it becomes limp. When it has come
## to rest, it gets up.

enum State { STANDING, LIMP, RISING }

## A blow that is stronger than that makes it fall.
const TOUGHNESS: float = 4200.0

## The ways up, from the belly and from the back: the time of each pose in seconds, how far the hip
## is in front and how much lower than upright, and the rotations beside the rest pose in degrees.
const FROM_BELLY: Array[Array] = [
	[0.0, Vector2(0, 75), {"Spine": 90.0, "ShinL": 18.0, "ShinR": 14.0, "FootL": 34.0}],
	[
		0.22,
		Vector2(0, 62),
		{
			"Spine": 78.0,
			"Head": -20.0,
			"ArmL": 24.0,
			"ArmR": 20.0,
			"HandL": -108.0,
			"HandR": -105.0,
			"ThighL": -10.0,
			"ThighR": -10.0,
			"ShinL": 40.0,
			"ShinR": 34.0,
			"FootL": 34.0,
			"FootR": 34.0,
		}
	],
	[
		0.55,
		Vector2(0, 37),
		{
			"Spine": 62.0,
			"Head": -20.0,
			"ArmL": -56.0,
			"ArmR": -64.0,
			"ThighL": -64.0,
			"ThighR": -60.0,
			"ShinL": 92.0,
			"ShinR": 90.0,
			"FootL": 34.0,
			"FootR": 34.0,
		}
	],
	[
		0.9,
		Vector2(0, 36),
		{
			"Spine": 24.0,
			"Chest": 12.0,
			"ArmL": 12.0,
			"ArmR": -70.0,
			"HandR": -20.0,
			"ThighL": -26.0,
			"ShinL": 94.0,
			"FootL": 34.0,
			"ThighR": -100.0,
			"ShinR": 86.0,
			"FootR": -10.0,
		}
	],
	[
		1.2,
		Vector2(15, 15),
		{
			"Spine": 16.0,
			"ArmL": -20.0,
			"ArmR": -30.0,
			"ThighL": -10.0,
			"ShinL": 40.0,
			"FootL": -14.0,
			"ThighR": -58.0,
			"ShinR": 55.0,
			"FootR": -13.0,
		}
	],
	[1.55, Vector2(34, 0), {}],
]
const FROM_BACK: Array[Array] = [
	[0.0, Vector2(0, 75), {"Spine": -90.0, "ArmL": 20.0, "ArmR": -20.0}],
	[
		0.5,
		Vector2(0, 74),
		{
			"Spine": -16.0,
			"Chest": 14.0,
			"Head": 20.0,
			"ArmL": 40.0,
			"ArmR": 50.0,
			"ThighL": -80.0,
			"ThighR": -94.0,
			"ShinL": 26.0,
			"ShinR": 52.0,
		}
	],
	[
		0.9,
		Vector2(20, 38),
		{
			"Spine": 36.0,
			"Chest": 20.0,
			"ArmL": -80.0,
			"ArmR": -90.0,
			"ThighL": -106.0,
			"ThighR": -110.0,
			"ShinL": 104.0,
			"ShinR": 110.0,
			"FootL": -30.0,
			"FootR": -30.0,
		}
	],
	[
		1.2,
		Vector2(30, 12),
		{
			"Spine": 20.0,
			"ArmL": -40.0,
			"ArmR": -44.0,
			"ThighL": -56.0,
			"ThighR": -55.0,
			"ShinL": 60.0,
			"ShinR": 60.0,
			"FootL": -24.0,
			"FootR": -25.0,
		}
	],
	[1.5, Vector2(36, 0), {}],
]

var state: State = State.STANDING
var _way_up: Array[Array] = FROM_BELLY
var _time: float = 0.0
var _bones: Array[Bone2D] = []
var _rest: PackedFloat32Array = []

@onready var ragdoll: TendonRagdoll2D = %Ragdoll


func _ready() -> void:
	for bone: Bone2D in $Skeleton2D.find_children("*", "Bone2D"):
		_bones.append(bone)
		_rest.append(bone.rotation)
	ragdoll.hit.connect(_on_hit)
	ragdoll.settled.connect(_on_settled)
	_stand()


func _physics_process(delta: float) -> void:
	_time += delta
	match state:
		State.STANDING:
			_balance()
		State.RISING:
			_rise()


## Lets it hang from [param hook] at the bone that is nearest to [param place].
func hang(place: Vector2, hook: Node2D) -> void:
	ragdoll.grab(nearest(place), place, hook)
	go_limp()


func let_fall() -> void:
	ragdoll.release()


func go_limp() -> void:
	ragdoll.frequency = 0.6
	ragdoll.root_frequency = 0.0
	ragdoll.start()
	state = State.LIMP


## The middle of its chest.
func heart() -> Vector2:
	return _middle(_bones[1])


## The bone whose middle is nearest.
func nearest(place: Vector2) -> Bone2D:
	var found: Bone2D = _bones[0]
	for bone: Bone2D in _bones:
		if _middle(bone).distance_to(place) < _middle(found).distance_to(place):
			found = bone
	return found


func _middle(bone: Bone2D) -> Vector2:
	return bone.global_transform * Vector2(bone.get_length() / 2, 0)


func _on_hit(_bone: Bone2D, impulse: Vector2, _collider: Node) -> void:
	if state == State.STANDING and impulse.length() > TOUGHNESS:
		go_limp()


func _on_settled() -> void:
	if state != State.LIMP:
		return
	var lies_on_belly: bool = ragdoll.get_facing() == TendonRagdoll2D.FACING_BELLY
	_way_up = FROM_BELLY if lies_on_belly else FROM_BACK
	ragdoll.stop()
	state = State.RISING
	_time = 0.0
	_rise()


func _stand() -> void:
	state = State.STANDING
	_time = 0.0
	_pose({}, Vector2.ZERO)
	ragdoll.frequency = 3.0
	ragdoll.root_frequency = 1.1
	ragdoll.start()


## It breathes, and its arms and knees work against what makes it lean.
func _balance() -> void:
	var breath: float = sin(2.4 * _time)
	var lean: float = rad_to_deg(angle_difference(-PI / 2, _bones[0].global_rotation))
	var reach: float = clampf(4.0 * lean, -70.0, 70.0)
	var turned: Dictionary = {
		"Chest": 1.5 * breath - 0.5 * lean,
		"Head": -2.0 * breath - 0.5 * lean,
		"ArmL": 3.0 * breath - reach,
		"ArmR": -3.0 * breath + reach,
		"HandL": -8.0 - 0.3 * absf(reach),
		"HandR": -8.0 - 0.3 * absf(reach),
		"ThighL": -0.4 * absf(lean) - lean,
		"ShinL": 0.8 * absf(lean),
	}
	_pose(turned, Vector2(0, 0.5 + 0.5 * breath))


func _rise() -> void:
	var next: int = 1
	while next < _way_up.size() - 1 and _time > _way_up[next][0]:
		next += 1
	var from: Array = _way_up[next - 1]
	var to: Array = _way_up[next]
	var part: float = smoothstep(from[0], to[0], _time)
	var turned: Dictionary = {}
	for bone: Bone2D in _bones:
		var key: String = bone.name
		var begin: float = from[2].get(key, 0.0)
		turned[key] = lerpf(begin, to[2].get(key, 0.0), part)
	_pose(turned, (from[1] as Vector2).lerp(to[1], part))
	if part == 1.0 and next == _way_up.size() - 1 and not ragdoll.simulating:
		# Where it has stepped to is its place now.
		position += transform.basis_xform(Vector2((to[1] as Vector2).x, 0))
		_stand()


## [param turned]: degrees beside the rest pose, by bone. [param hip]: its place beside the upright.
func _pose(turned: Dictionary, hip: Vector2) -> void:
	for index: int in _bones.size():
		var degrees: float = turned.get(String(_bones[index].name), 0.0)
		_bones[index].rotation = _rest[index] + deg_to_rad(degrees)
	_bones[0].position = hip
