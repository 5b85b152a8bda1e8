class_name Astronaut
extends CharacterBody2D
## An astronaut with a walk that was animated for flat ground.
##
## The body slides over the ground, and the AnimationTree plays the walk as fast as the body goes.
## The TendonFootPlacement2D does the rest. To face left, the skeleton is mirrored.

## How fast the animated walk goes, in pixels per second.
const ANIMATED_SPEED: float = 110.0
const ACCELERATION: float = 220.0

## How close to the goal he stops.
const RESPECT: float = 110.0

## How fast he walks, in pixels per second.
@export var speed: float = 120.0

@onready var _skeleton: Skeleton2D = $Skeleton2D
@onready var _feet: TendonFootPlacement2D = %Feet
@onready var _tree: AnimationTree = %AnimationTree


func _ready() -> void:
	up_direction = _feet.up


## What he looks at.
func look_at_node(node: Node2D) -> void:
	(%Gaze as TendonLookAt2D).target = node


## Walks towards [param goal], a global position, for a physics frame of [param delta] seconds.
func walk(goal: Vector2, delta: float) -> void:
	var way: float = goal.x - global_position.x
	var wanted: float = clampf((absf(way) - RESPECT) / 60.0, 0.0, 1.0) * speed * signf(way)
	velocity.x = move_toward(velocity.x, wanted, ACCELERATION * delta)
	velocity += get_gravity() * delta
	move_and_slide()
	# In the air, the feet go with the animation.
	_feet.influence = move_toward(_feet.influence, 1.0 if is_on_floor() else 0.0, 6.0 * delta)
	if absf(way) > 20.0 and absf(velocity.x) < 30.0:
		_skeleton.scale.x = signf(way)

	# Slow steps are short, fast ones are quick.
	var pace: float = absf(get_real_velocity().x - get_platform_velocity().x) / ANIMATED_SPEED
	_tree.set(&"parameters/Blend/blend_amount", minf(pace, 1.0))
	_tree.set(&"parameters/Pace/scale", maxf(pace, 1.0))
