extends Node2D
## Sends an arm round its target with one modifier after the other, and says whether all arrived.

const STEPS: int = 24
const TOLERANCE: float = 0.05

@onready var _target: Marker2D = $Target
@onready var _skeleton: Skeleton2D = $Skeleton2D


func _ready() -> void:
	var reached: int = 0
	var modifiers: Array[Node] = $Skeleton2D/TendonRig2D.get_children()
	for modifier: Node in modifiers:
		for other: Node in modifiers:
			other.set("active", other == modifier)
		for step: int in STEPS:
			_target.position = Vector2(110, 0).rotated(TAU * step / STEPS)
			await get_tree().process_frame
			await get_tree().process_frame
			reached += int(_arrived(modifier))
	print("BLANK PROJECT: %d reached, %d missed" % [reached, modifiers.size() * STEPS - reached])
	get_tree().quit()


## By the bones themselves: what Tendon says of them must be right, too.
func _arrived(modifier: Node) -> bool:
	var hand: Node2D = $Skeleton2D/UpperArm/Forearm/Hand
	var to: Vector2 = _target.position
	var gap: float
	match modifier.name:
		&"TwoBone":
			gap = hand.global_position.distance_to(to)
		&"LookAt":
			var way: Vector2 = to - hand.global_position
			gap = absf(angle_difference(hand.global_rotation, way.angle()))
		_:
			gap = hand.to_global(Vector2(40, 0)).distance_to(to)
	return gap < TOLERANCE and modifier.call("get_status") == TendonFABRIK2D.STATUS_REACHED
