class_name Tentacle
extends Node2D
## A tentacle of fourteen bones that reaches for its target.
##
## This script only poses it, as an animation would: an arc that turns towards the
## target and is the rounder the nearer the target is, with a wave running through
## it. TendonFABRIK2D takes the pose from there and puts the tip on the target. It
## changes no more than it has to: the better the pose, the more of it is left.

const WAVE: float = 0.05
const WAVE_SPEED: float = 2.4
const WAVE_STEP: float = 0.6

var _time: float = 0.0
var _bones: Array[Bone2D] = []
var _length: float = 0.0

@onready var _skeleton: Skeleton2D = $Skeleton2D
@onready var _reach: TendonFABRIK2D = %Reach


func _ready() -> void:
	_time = position.x
	for index: int in _skeleton.get_bone_count():
		_bones.append(_skeleton.get_bone(index))
		_length += _bones[index].get_length()


func _process(delta: float) -> void:
	_time += GalleryScene.step_of(delta)
	var way: Vector2 = _skeleton.to_local(_reach.target.global_position)
	var nearness: float = 1.0 - minf(way.length() / _length, 1.0)
	# How far the whole arc turns, to end about as far away as the target.
	var arc: float = 4.56 * sqrt(nearness) * (1.0 + 0.46 * nearness * nearness)
	var last: float = _bones.size() - 1.0
	var angle: float = 0.0
	var tip: Vector2 = Vector2.ZERO
	for index: int in _bones.size():
		# It turns the more the nearer to the tip.
		var share: float = (0.2 + 1.6 * index / last) / _bones.size()
		var wave: float = WAVE * sin(_time * WAVE_SPEED - index * WAVE_STEP)
		_bones[index].rotation = arc * share + wave
		angle += _bones[index].rotation
		tip += Vector2.from_angle(angle) * _bones[index].get_length()
	_bones[0].rotation += tip.angle_to(way)
