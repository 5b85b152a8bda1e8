extends TendonCustomModifier2D
## Kicks a gun that has just been aimed, before the arms take hold of it.
##
## The kick turns the muzzle up, pushes the gun back along its barrel, and the chest with it.
## It dies away by itself.

const TURN: float = -13.0
const LEAN: float = -5.0
const BACK: float = 20.0
## Seconds in which it becomes a third of what it was.
const DECAY: float = 0.11

@export var gun: Bone2D
@export var chest: Bone2D

## One after a shot, and then ever less.
var _kick: float = 0.0


func fire() -> void:
	_kick = 1.0


func _process_modification(delta: float) -> void:
	var turned: float = get_pose_rotation(gun) + deg_to_rad(TURN * _kick)
	var back: Vector2 = BACK * _kick * Vector2.from_angle(turned)
	set_pose_rotation(gun, turned)
	set_pose_position(gun, get_pose_position(gun) - back)
	set_pose_rotation(chest, get_pose_rotation(chest) + deg_to_rad(LEAN * _kick))
	_kick *= exp(-delta / DECAY)
	if _kick < 0.001:
		_kick = 0.0


func _get_state() -> Variant:
	return _kick


func _set_state(state: Variant) -> void:
	_kick = state
