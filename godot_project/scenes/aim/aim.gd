extends GalleryScene
## A fox at a shooting gallery: two hands on a rifle, an aim, and a recoil.
##
## From top to bottom in the rig: the chest leans a part of the way, the head looks, and the rifle
## is aimed with its muzzle. Then comes the recoil, a modifier of this scene, and at last the arms,
## which hold the rifle where that has thrown it. Their targets hang on the bone of the rifle.

const CORK: Texture2D = preload("res://art/aim/cork.svg")
const HIT: Texture2D = preload("res://art/aim/hit.svg")

## The fox turns round when the target is this far behind its back.
const TURN_AT: float = 30.0
## How near the target may come to the middle of the fox, and how steep it may be.
const NEAREST: float = 250.0
const STEEPEST: float = 0.9
## From the feet to the height of the rifle.
const SHOULDER: Vector2 = Vector2(0, -230)

## How the strings of the balloons hang, in radians.
const LEANING: Array[float] = [-0.35, 0.31, -0.02]
## Pixels per second.
const CORK_SPEED: float = 1500.0
## Seconds from a shot to the next one, and while the fox plays by itself.
const RELOAD: float = 0.3
const PAUSE: float = 1.5
## How long the fox then looks after the cork.
const LOOK_AFTER: float = 0.5

## What the fox shoots at by itself, by its place in the list of marks: ducks, then balloons.
const ROUND: Array[int] = [0, 5, 2, 7, 3, 1, 4, 6, 8]

var _shot_at: float = 0.0
var _shots: int = 0

@onready var _figure: Node2D = $Figure
@onready var _recoil: TendonCustomModifier2D = %Recoil
@onready var _muzzle: Node2D = %Muzzle
@onready var _loaded: Sprite2D = %Loaded
@onready var _puff: Sprite2D = %Puff
@onready var _corks: Node2D = %Corks
@onready var _rows: Array[Node] = $Ducks.get_children()
@onready var _ties: Array[Node] = $Balloons.get_children()
@onready var _marks: Array[Node] = (
	$Ducks.find_children("Duck*", "Mark") + $Balloons.find_children("Balloon", "Mark")
)


func _unhandled_input(event: InputEvent) -> void:
	var click: InputEventMouseButton = event as InputEventMouseButton
	if click and click.pressed and click.button_index == MOUSE_BUTTON_LEFT:
		if time - _shot_at > RELOAD:
			_fire()


func _path(at_time: float) -> Vector2:
	var looks_after: bool = _shots > 0 and at_time - _shot_at < LOOK_AFTER
	return _mark(_shots - 1 if looks_after else _shots).heart()


## Where the rifle can be aimed at it.
func _keep_inside(point: Vector2) -> Vector2:
	var middle: Vector2 = _figure.position + SHOULDER
	var way: Vector2 = point - middle
	var side: float = -1.0 if way.x < 0.0 else 1.0
	var ahead: Vector2 = Vector2(absf(way.x), way.y)
	var angle: float = clampf(ahead.angle(), -STEEPEST, STEEPEST)
	var held: Vector2 = Vector2.from_angle(angle) * maxf(ahead.length(), NEAREST)
	return middle + Vector2(held.x * side, held.y)


func _play(_delta: float) -> void:
	for row: int in _rows.size():
		(_rows[row] as Node2D).position.x = 936.0 + 34.0 * sin(0.9 * time + PI * row)
	for tie: int in _ties.size():
		(_ties[tie] as Node2D).rotation = LEANING[tie] + 0.05 * sin(1.3 * time + 2.0 * tie)
	var way: float = (target.global_position.x - _figure.position.x) * _figure.scale.x
	if way < -TURN_AT:
		_figure.scale.x = -_figure.scale.x
	if time - _shot_at > PAUSE and not is_mouse_awake() and _mark(_shots).is_up:
		_fire()
	_loaded.visible = time - _shot_at > RELOAD


## What the fox shoots at by itself with [param shot].
func _mark(shot: int) -> Mark:
	return _marks[ROUND[shot % ROUND.size()]]


func _fire() -> void:
	_shot_at = time
	_shots += 1
	_recoil.call("fire")
	_puff.modulate.a = 1.0
	_puff.scale = Vector2(0.5, 0.5)
	var smoke: Tween = create_tween()
	smoke.tween_property(_puff, "scale", Vector2(0.95, 0.95), 0.3)
	smoke.parallel().tween_property(_puff, "modulate:a", 0.0, 0.3)
	var goal: Vector2 = target.global_position
	var cork: Sprite2D = _picture(CORK, _muzzle.global_position)
	cork.scale = Vector2.ONE / 3.0
	cork.rotation = _muzzle.global_transform.x.angle()
	var flight: Tween = create_tween()
	flight.tween_property(cork, "position", goal, goal.distance_to(cork.position) / CORK_SPEED)
	flight.tween_callback(_land.bind(cork))


## The cork hits what is there, or falls down.
func _land(cork: Sprite2D) -> void:
	for mark: Mark in _marks:
		if mark.is_hit_at(cork.position):
			mark.knock()
			_burst(cork.position)
			cork.queue_free()
			return
	var fall: Tween = create_tween().set_ease(Tween.EASE_IN).set_trans(Tween.TRANS_QUAD)
	fall.tween_property(cork, "position:y", cork.position.y + 260.0, 0.5)
	fall.parallel().tween_property(cork, "modulate:a", 0.0, 0.5)
	fall.tween_callback(cork.queue_free)


func _burst(place: Vector2) -> void:
	var burst: Sprite2D = _picture(HIT, place)
	burst.scale = Vector2(0.15, 0.15)
	var tween: Tween = create_tween()
	tween.tween_property(burst, "scale", Vector2(0.6, 0.6), 0.16)
	tween.parallel().tween_property(burst, "modulate:a", 0.0, 0.16).set_delay(0.06)
	tween.tween_callback(burst.queue_free)


func _picture(texture: Texture2D, place: Vector2) -> Sprite2D:
	var sprite: Sprite2D = Sprite2D.new()
	sprite.texture = texture
	sprite.position = place
	_corks.add_child(sprite)
	return sprite
