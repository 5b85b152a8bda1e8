class_name Koi
extends Node2D
## A fish that swims where it is told to.
##
## Only its leader moves: a marker that cannot turn on the spot. The TendonTrail2D draws the body
## behind it, and a TendonWave2D for the body and for each fin lets them swim.

## How fast it swims, in pixels of the scene per second.
@export var speed: float = 120.0

## How fast the leader turns, in radians per second.
@export var turn_speed: float = 1.9

var _heading: float = PI

@onready var _leader: Marker2D = %Leader
@onready var _swim: TendonWave2D = %Swim


## Swims towards [param goal], a global position, for [param delta] seconds. Near the goal it slows
## down, but does not stop.
func swim(goal: Vector2, delta: float) -> void:
	var way: Vector2 = goal - _leader.global_position
	var pace: float = clampf(way.length() / 120.0, 0.35, 1.0)
	_heading = rotate_toward(_heading, way.angle(), turn_speed * delta)
	_leader.global_position += Vector2.from_angle(_heading) * speed * pace * delta
	_swim.speed = lerpf(0.7, 1.5, pace)
