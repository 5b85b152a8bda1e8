extends GalleryScene
## Two robots, two arms of the same length, one target.
##
## The blue arm is a plain TendonTwoBoneIK2D: at the end of its reach it is straight
## with a snap, and stays behind. On the amber arm, [code]softness[/code] eases it out,
## [code]stretch[/code] moves its bones apart, [code]match_target_rotation[/code] turns
## the hand like the target, and the marker [code]pole[/code] keeps the elbow down.
## The amber robot is the mirrored one. Nothing had to be set for that.

## From the middle of the hand to the end of the rod that holds it.
const HAND: float = 34.0

@onready var _upper_arm: Bone2D = $Soft/Skeleton2D/UpperArm
@onready var _forearm: Bone2D = _upper_arm.get_node("Forearm")
@onready var _hand: Bone2D = _forearm.get_node("Hand")
@onready var _upper_rod: Node2D = _upper_arm.get_node("Rod")
@onready var _rod: Node2D = _forearm.get_node("Rod")


func _ready() -> void:
	super()
	var rig: TendonRig2D = $Soft/Skeleton2D/TendonRig2D
	rig.modification_processed.connect(_slide_rods)


func _path(at_time: float) -> Vector2:
	return Vector2(576 + 60 * sin(at_time * 0.7), 330 - 170 * sin(at_time * 1.15 - 0.6))


## Above the ground.
func _keep_inside(point: Vector2) -> Vector2:
	return point.min(Vector2(INF, 560))


func _play(_delta: float) -> void:
	target.rotation = PI + 0.7 * sin(time * 1.3)


## Out of the tubes, as far as the bones have moved apart.
func _slide_rods() -> void:
	_upper_rod.position.x = _forearm.position.x
	_rod.position.x = _hand.position.x - HAND
