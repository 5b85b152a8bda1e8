extends TendonCustomModifier2D
## A script that does as many calls of the pose as it is told.

var bones: Array[Bone2D] = []
## How many bones it reads and sets.
var reads: int = 0
var writes: int = 0
## How many transforms it reads.
var transforms: int = 0

var _step: int = 0


func _process_modification(_delta: float) -> void:
	_step += 1
	var angle: float = 0.0001 * (_step % 1000)
	for index: int in reads:
		angle += 1e-9 * get_pose_rotation(bones[index])
	for index: int in writes:
		set_pose_rotation(bones[index], angle)
	for index: int in transforms:
		angle += get_pose_transform(bones[index]).x.x
