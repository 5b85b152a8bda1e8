extends CharacterBody2D
## The character of a platformer: legs of 34 and 30 pixels with placed feet, ankles 8 above the
## soles, hips 64 above the ground; a capsule, gravity, and an animation player.

const Hero := preload("res://tests/ground_hero.gd")
const Legs := preload("res://tests/ground_legs.gd")
const GroundAnimations := preload("res://tests/ground_animations.gd")

const ANKLE: float = 8.0

var legs: Legs
var player: AnimationPlayer = AnimationPlayer.new()
## Along x, in pixels a second.
var speed: float = 0.0
## The speed upwards of a jump that is due, as soon as there is a floor.
var jump: float = 0.0
## How high a stair it climbs in one tick. 0: none.
var step_up: float = 0.0
## Whether it moves by itself.
var falls: bool = true


func _init(with_feet: bool = true, size: Vector3 = Vector3(34, 30, 64)) -> void:
	name = "Hero"
	legs = Legs.new(size.x, size.y, size.z)
	legs.ankle_height = ANKLE
	legs.placement = TendonFootPlacement2D.new()
	legs.placement.pelvis = legs.pelvis
	legs.placement.set(&"body", self)
	legs.rig.add_child(legs.placement)
	legs.add_leg(Vector2(3, 0), Vector2(3, 0), 1)
	legs.add_leg(Vector2(-3, 0), Vector2(-3, 0), 1)
	if with_feet:
		legs.add_foot_bones(13.0)
	add_child(legs)
	var capsule: CapsuleShape2D = CapsuleShape2D.new()
	capsule.radius = 10.0
	capsule.height = 100.0
	var shape: CollisionShape2D = CollisionShape2D.new()
	shape.shape = capsule
	shape.position.y = -50.0
	add_child(shape)
	player.name = "Player"
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_PHYSICS
	add_child(player)
	player.add_animation_library("", GroundAnimations.library(legs))


func _physics_process(delta: float) -> void:
	if not falls:
		return
	velocity.x = speed
	velocity += get_gravity() * delta
	if jump > 0.0 and is_on_floor():
		velocity.y = -jump
		jump = 0.0
	if step_up > 0.0 and is_on_floor() and speed != 0.0:
		_climb(Vector2(speed * delta, 0))
	move_and_slide()


## Plays it from its beginning, at once.
func play(animation: String, rate: float = 1.0) -> void:
	player.play(animation, -1, rate)
	player.advance(0)


## Stands on the stair in front of it, if it is not too high.
func _climb(motion: Vector2) -> void:
	if not test_move(global_transform, motion):
		return
	var high: Transform2D = global_transform.translated(Vector2(0, -step_up))
	var ahead: Vector2 = Vector2(maxf(absf(motion.x), 8.0) * signf(motion.x), 0)
	if test_move(high, ahead):
		return
	var down: PhysicsTestMotionParameters2D = PhysicsTestMotionParameters2D.new()
	down.from = high.translated(ahead)
	down.motion = Vector2(0, step_up)
	var met: PhysicsTestMotionResult2D = PhysicsTestMotionResult2D.new()
	if PhysicsServer2D.body_test_motion(get_rid(), down, met):
		global_position.y += met.get_travel().y - step_up
