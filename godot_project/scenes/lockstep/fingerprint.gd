class_name Fingerprint
extends Node2D
## Beads whose colors say whether two rigs went through the same states.

const COLUMNS: int = 10
const ROWS: int = 8
const SIZE: Vector2 = Vector2(34, 32)
const RADIUS: float = 12.5

const COLORS: Array[Color] = [
	Color("ee6352"),
	Color("ffb648"),
	Color("fbeed6"),
	Color("3fb8a0"),
	Color("8fe0b0"),
	Color("7fc8e8"),
	Color("8a78d0"),
	Color("d8728a"),
]
const EMPTY: Color = Color(1, 1, 1, 0.08)

## Whether nobody has played since the beginning: then all machines have the same word.
var is_recorded: bool = true

var _all: HashingContext = HashingContext.new()
## The digests of the states of both rigs.
var _digests: Array[Array] = [[], []]

@onready var _word: Label = %Word


func is_full() -> bool:
	return _digests[1].size() == COLUMNS * ROWS


## Begins again. The word of what was played before stays.
func clear() -> void:
	is_recorded = true
	for digests: Array in _digests:
		digests.clear()
	queue_redraw()


## Adds the half of a bead for [param state] of the first or the second rig.
func add(rig: int, state: PackedByteArray) -> void:
	var one: HashingContext = HashingContext.new()
	one.start(HashingContext.HASH_SHA256)
	one.update(state)
	_digests[rig].append(one.finish())
	if is_full():
		_finish()
	queue_redraw()


func _finish() -> void:
	var equal: int = 0
	_all.start(HashingContext.HASH_SHA256)
	for bead: int in COLUMNS * ROWS:
		for digests: Array in _digests:
			_all.update(digests[bead])
		equal += 1 if _digests[0][bead] == _digests[1][bead] else 0
	var word: String = _all.finish().hex_encode().left(16)
	_word.text = "%d of %d are equal" % [equal, COLUMNS * ROWS]
	if is_recorded:
		_word.text += ", as on all machines:\n" + word
		print("LOCKSTEP: ", word)


func _draw() -> void:
	for bead: int in COLUMNS * ROWS:
		var place: Vector2 = Vector2(bead % COLUMNS, floori(float(bead) / COLUMNS))
		var middle: Vector2 = SIZE * (place + Vector2.ONE / 2.0)
		for rig: int in _digests.size():
			var is_there: bool = bead < _digests[rig].size()
			var color: Color = _color(_digests[rig][bead]) if is_there else EMPTY
			_draw_half(middle, PI / 2.0 + PI * rig, color)


func _color(digest: PackedByteArray) -> Color:
	return COLORS[digest[0] % COLORS.size()].darkened(digest[1] / 640.0)


## From [param angle] on, half a turn.
func _draw_half(middle: Vector2, angle: float, color: Color) -> void:
	var points: PackedVector2Array = []
	for step: int in 17:
		points.append(middle + RADIUS * Vector2.from_angle(angle + PI * step / 16.0))
	draw_colored_polygon(points, color)
	points.append(points[0])
	draw_polyline(points, color, 1.0, true)
