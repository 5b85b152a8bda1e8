extends GalleryScene
## A figure that walks over uneven ground, wherever the target leads it.
##
## Every solver works in this one rig. The script never touches a leg: it moves
## the hip, and sets the two step markers down on the ground, one after the
## other; TendonTwoBoneIK2D bends the knees and TendonLookAt2D turns the boots.
## To walk to the left, Character gets [code]scale.x = -1[/code], and nothing else
## has to know about it: knees, elbow and scarf are mirrored along with it.

const MAX_SPEED: float = 175.0
const ACCELERATION: float = 260.0

## How close to the target the figure stops.
const RESPECT: float = 150.0

## The ground that one full step covers, and the part of it that a foot stays put.
const STRIDE: float = 176.0
const STANCE: float = 0.6

## How high a foot is lifted, and how far from the ankle the sole, toe and heel are.
const LIFT: float = 26.0
const SOLE: float = 18.0
const TOE: float = 40.0
const HEEL: float = -14.0

const HIP_HEIGHT: float = 157.0
const ARM_SWING: float = 0.55
const SCARF_LENGTH: float = 84.0


## One foot, and how far it is in its step.
class Foot:
	var marker: Node2D
	var offset: float
	var from: float
	var at: float
	var swings: bool = false

	func _init(step_marker: Node2D, cycle_offset: float) -> void:
		marker = step_marker
		offset = cycle_offset
		at = marker.global_position.x
		from = at


var _velocity: float = 0.0
var _facing: float = 1.0
var _cycle: float = 0.0
var _feet: Array[Foot] = []
var _lantern_speed: float = 0.0

@onready var _ground: PackedVector2Array = (%Grass as Line2D).points
@onready var _character: Node2D = $Character
@onready var _skeleton: Skeleton2D = $Character/Skeleton2D
@onready var _torso: Bone2D = _skeleton.get_node("Hip/Torso")
@onready var _back_arm: Bone2D = _torso.get_node("BackUpperArm")
@onready var _back_forearm: Bone2D = _back_arm.get_node("BackForearm")
@onready var _lantern_arm: TendonTwoBoneIK2D = %LanternArm
@onready var _lantern: Node2D = %Lantern
@onready var _scarf_end: Node2D = %ScarfEnd
@onready var _gaze: Node2D = %Gaze
@onready var _camera: Camera2D = %Camera2D
@onready var _rig: TendonRig2D = $Character/Skeleton2D/TendonRig2D


func _ready() -> void:
	super()
	_feet = [Foot.new(%FrontStep, 0.0), Foot.new(%BackStep, 0.5)]
	_rig.modification_processed.connect(_hang_lantern)


## Ahead of the figure for a while, then back to the other side.
func _path(at_time: float) -> Vector2:
	var x: float = 640.0 * sin(at_time * 0.42 + 0.35)
	return Vector2(x, ground_height(x) - 270.0 + 60.0 * sin(at_time * 1.7))


func _keep_inside(point: Vector2) -> Vector2:
	return point.clamp(Vector2(-1100, 60), Vector2(2300, ground_height(point.x) - 20.0))


## The height of the ground at [param x].
func ground_height(x: float) -> float:
	var spacing: float = _ground[1].x - _ground[0].x
	var place: float = clampf((x - _ground[0].x) / spacing, 0.0, _ground.size() - 1.001)
	var index: int = int(place)
	return lerpf(_ground[index].y, _ground[index + 1].y, place - index)


func ground_angle(x: float) -> float:
	return atan2(ground_height(x + 16.0) - ground_height(x - 16.0), 32.0)


func _play(delta: float) -> void:
	_walk(delta)
	for foot: Foot in _feet:
		_step(foot)
	_carry_hip(delta)
	_swing_upper_body(delta)
	_camera.position.x = lerpf(
		_camera.position.x, _character.position.x + 60.0 * _heading(), 1.0 - exp(-2.5 * delta)
	)


## Towards the target, slower near to it.
func _walk(delta: float) -> void:
	var way: float = target.global_position.x - _character.position.x
	var wanted: float = clampf((absf(way) - RESPECT) / 120.0, 0.0, 1.0) * MAX_SPEED * signf(way)
	_velocity = move_toward(_velocity, wanted, ACCELERATION * delta)
	_character.position.x += _velocity * delta
	_cycle += absf(_velocity) * delta / STRIDE
	if absf(_velocity) > 6.0:
		_facing = signf(_velocity)
	_character.scale.x = _facing


## The speed, from -1 (full speed to the left) to 1.
func _heading() -> float:
	return _velocity / MAX_SPEED


## A foot stays where it was set down until its turn comes, then swings ahead.
func _step(foot: Foot) -> void:
	var phase: float = fposmod(_cycle + foot.offset, 1.0)
	var vigour: float = minf(absf(_heading()) * 1.6, 1.0)
	var lift: float = 0.0
	var pitch: float = 0.0  # of the sole, positive when the heel is up
	if phase < STANCE:
		foot.swings = false
		pitch = 0.75 * smoothstep(STANCE - 0.22, STANCE, phase) - 0.3 * smoothstep(0.1, 0.0, phase)
	else:
		if not foot.swings:
			foot.from = foot.at
			foot.swings = true
		var swing: float = (phase - STANCE) / (1.0 - STANCE)
		var ahead: float = STRIDE * (STANCE * 0.5 + (1.0 - STANCE) * (1.0 - swing))
		var landing: float = _character.position.x + _heading() * ahead
		foot.at = lerpf(foot.from, landing, smoothstep(0.0, 1.0, swing))
		lift = sin(PI * swing) * LIFT
		pitch = lerpf(0.75, -0.3, smoothstep(0.0, 0.8, swing))

	# The sole lies on the slope, and rolls over the toe or the heel.
	var slope: float = ground_angle(foot.at)
	var along: Vector2 = Vector2.from_angle(slope)
	var roll: float = slope + pitch * vigour * _facing
	var pivot: Vector2 = Vector2(TOE if pitch > 0.0 else HEEL, SOLE) * Vector2(_facing, 1.0)
	var ground: Vector2 = Vector2(foot.at, ground_height(foot.at))
	var ankle: Vector2 = ground + along.orthogonal() * SOLE
	ankle += pivot.rotated(slope) - pivot.rotated(roll)
	foot.marker.global_position = ankle + Vector2(0.0, -lift * vigour)
	foot.marker.rotation = roll
	foot.marker.scale.x = _facing


## The hip rides over the feet, nearer to the lower one so that both can reach.
func _carry_hip(delta: float) -> void:
	var first: float = ground_height(_feet[0].at)
	var second: float = ground_height(_feet[1].at)
	var floor_height: float = lerpf((first + second) * 0.5, maxf(first, second), 0.55)
	var bob: float = 4.0 * cos(2.0 * TAU * (_cycle - STANCE * 0.5)) * absf(_heading())
	var breath: float = 1.2 * sin(time * 2.2)
	var height: float = floor_height - HIP_HEIGHT - bob + breath
	_character.position.y = lerpf(_character.position.y, height, 1.0 - exp(-14.0 * delta))


func _swing_upper_body(delta: float) -> void:
	var slope: float = ground_angle(_character.position.x) * _facing
	var lean: float = 0.1 * absf(_heading()) - 0.25 * slope
	_torso.rotation = _torso.rest.get_rotation() + lean
	var swing: float = sin(TAU * (_cycle + 0.28)) * absf(_heading())
	_back_arm.rotation = _back_arm.rest.get_rotation() - lean - swing * ARM_SWING
	_back_forearm.rotation = -0.35 - 0.3 * maxf(-swing, 0.0)

	# Looking back over the shoulder would turn the head upside down.
	var neck: Vector2 = _torso.global_position + Vector2(0.0, -94.0)
	var way: Vector2 = (target.global_position - neck) * Vector2(_facing, 1.0)
	_gaze.global_position = neck + Vector2(maxf(way.x, 60.0) * _facing, way.y)

	# The scarf trails behind, flutters, and sinks when there is no wind.
	var wind: float = absf(_heading())
	var trail: Vector2 = Vector2.from_angle(lerpf(1.9, 2.95, wind)) * SCARF_LENGTH * 0.93
	trail = trail.rotated(0.16 * sin(time * 7.0) * wind + 0.06 * sin(time * 2.3))
	var goal: Vector2 = neck + trail * Vector2(_facing, 1.0)
	_scarf_end.global_position = _scarf_end.global_position.lerp(goal, 1.0 - exp(-10.0 * delta))

	# The lantern is a pendulum.
	var pull: float = (
		-40.0 * _lantern.rotation
		- 3.0 * _lantern_speed
		- 1.5 * absf(_heading()) * sin(TAU * 2.0 * _cycle)
	)
	_lantern_speed += pull * delta
	_lantern.rotation += _lantern_speed * delta


## Where the hand is, is known only after the rig's pass.
func _hang_lantern() -> void:
	_lantern.global_position = _lantern_arm.get_tip_position()
