extends TendonCustomModifier2D
## Lays a centipede along the ground and sets its feet down one after the other.
##
## A foot stands for a part of its cycle and is carried back by the ground; then
## it swings forward. Each pair of legs is a little later in its cycle than the
## pair in front of it, so that waves run along the body.

const Ground := preload("res://scenes/custom_modifier/ground.gd")

## How far the body walks in one cycle of a leg, in pixels.
const STRIDE: float = 74.0
## The part of a cycle in which a foot stands.
const STANCE: float = 0.62
## How much later in its cycle each segment is than the one in front of it.
const LAG: float = 0.14
const LIFT: float = 15.0
const BODY_HEIGHT: float = 50.0

## The bone in front. The others hang below it, one on the other.
@export var head: Bone2D
@export var ground: Ground


func _process_modification(_delta: float) -> void:
	var segment: Bone2D = head
	var angle_above: float = 0.0
	var index: int = 0
	while segment != null:
		# Working pose, in the skeleton's space. It has what was set above.
		var joint: Vector2 = get_pose_transform(segment).origin
		var next: Bone2D = segment.get_node_or_null("Segment%d" % (index + 1))
		var back: Vector2 = joint - Vector2(segment.get_length(), 0)
		var hover: float = 2.5 * sin(TAU * (ground.walked / STRIDE - LAG * index))
		back.y = _ground_at(back.x) - BODY_HEIGHT + hover
		var angle: float = (joint - back).angle()
		set_pose_rotation(segment, angle - angle_above)
		_step(segment, index, "Far", 0.5)
		_step(segment, index, "Near", 0.0)
		angle_above = angle
		segment = next
		index += 1


## Puts the foot of one leg where its cycle has it.
func _step(segment: Bone2D, index: int, side: String, offset: float) -> void:
	var thigh: Bone2D = segment.get_node_or_null(side + "Thigh")
	if thigh == null:
		return
	var shin: Bone2D = thigh.get_node(side + "Shin")
	var cycle: float = fposmod(ground.walked / STRIDE - LAG * index + offset, 1.0)
	var hip: Vector2 = get_pose_transform(thigh).origin
	var sweep: float = STANCE * STRIDE
	var foot: Vector2 = hip
	if cycle < STANCE:
		foot.x += sweep * (0.5 - cycle / STANCE)
		foot.y = _ground_at(foot.x)
	else:
		var swing: float = (cycle - STANCE) / (1.0 - STANCE)
		foot.x += sweep * (smoothstep(0.0, 1.0, swing) - 0.5)
		foot.y = _ground_at(foot.x) - LIFT * sin(PI * swing)
	_bend(segment, thigh, shin, foot)


## Two bones in closed form: the law of cosines.
func _bend(segment: Bone2D, thigh: Bone2D, shin: Bone2D, foot: Vector2) -> void:
	var hip: Vector2 = get_pose_transform(thigh).origin
	var upper: float = shin.position.x
	var lower: float = shin.get_length()
	var reach: Vector2 = (foot - hip).limit_length(0.995 * (upper + lower))
	var far: float = reach.length()
	var bend: float = acos(clampf((upper ** 2 + far ** 2 - lower ** 2) / (2 * upper * far), -1, 1))
	var angle: float = reach.angle() - bend
	var knee: Vector2 = hip + Vector2.from_angle(angle) * upper
	set_pose_rotation(thigh, angle - get_pose_transform(segment).get_rotation())
	set_pose_rotation(shin, (hip + reach - knee).angle() - angle)


func _ground_at(x: float) -> float:
	var skeleton: Node2D = get_node("../..")
	return ground.height_at(x + skeleton.position.x) - skeleton.position.y
