extends Node
## FABRIK as a user would write it: typed GDScript that keeps the joints of one chain in an
## array, pulls them to the target, and turns the bones accordingly.
##
## Ten iterations at most and a tolerance of 0.01 px, as the engine's own solver has them.

const MAX_ITERATIONS: int = 10
const TOLERANCE: float = 0.01

var _skeleton: Skeleton2D
var _bones: Array[Bone2D] = []
var _target: Node2D
var _length: float = 0.0
# The root, every joint and the tip, in the skeleton's space, as the last solve has left them.
var _points: PackedVector2Array = PackedVector2Array()


## All bones of the chain are [param length] long, and the first is a child of the skeleton.
func set_up(skeleton: Skeleton2D, bones: Array[Bone2D], target: Node2D, length: float) -> void:
	_skeleton = skeleton
	_bones = bones
	_target = target
	_length = length
	var pose: Transform2D = Transform2D.IDENTITY
	for bone: Bone2D in bones:
		pose *= bone.transform
		_points.append(pose.origin)
	_points.append(pose * Vector2(length, 0.0))


func _process(_delta: float) -> void:
	solve()


func solve() -> void:
	_pull(_skeleton.global_transform.affine_inverse() * _target.global_position)
	var above: float = 0.0
	for index: int in _bones.size():
		var angle: float = (_points[index + 1] - _points[index]).angle()
		_bones[index].rotation = angle - above
		above = angle


func _pull(goal: Vector2) -> void:
	var last: int = _points.size() - 1
	var root: Vector2 = _points[0]
	if root.distance_to(goal) >= _length * last:
		var direction: Vector2 = root.direction_to(goal)
		for index: int in range(1, last + 1):
			_points[index] = root + direction * (_length * index)
		return
	for iteration: int in MAX_ITERATIONS:
		if _points[last].distance_squared_to(goal) < TOLERANCE * TOLERANCE:
			return
		var end: Vector2 = goal
		_points[last] = end
		for index: int in range(last - 1, -1, -1):
			end += end.direction_to(_points[index]) * _length
			_points[index] = end
		var start: Vector2 = root
		_points[0] = start
		for index: int in range(1, last + 1):
			start += start.direction_to(_points[index]) * _length
			_points[index] = start
