class_name Fingerprint
extends Node2D
## Tiles whose colors say whether two machines have computed the same.

const COLUMNS: int = 10
const ROWS: int = 8
const SIZE: Vector2 = Vector2(34, 32)

var _all: HashingContext = HashingContext.new()
var _colors: PackedColorArray = []

@onready var _word: Label = %Word


func is_full() -> bool:
	return _colors.size() == COLUMNS * ROWS


## Begins again. The word of what was played before stays.
func clear() -> void:
	_colors.clear()
	queue_redraw()


## Adds a tile for [param states].
func add(states: Array[PackedByteArray]) -> void:
	if _colors.is_empty():
		_all.start(HashingContext.HASH_SHA256)
	var one: HashingContext = HashingContext.new()
	one.start(HashingContext.HASH_SHA256)
	for state: PackedByteArray in states:
		one.update(state)
	var digest: PackedByteArray = one.finish()
	_all.update(digest)
	_colors.append(Color.from_hsv(digest[0] / 256.0, 0.35 + digest[1] / 512.0, 0.95))
	if is_full():
		_word.text = _all.finish().hex_encode().left(16)
		print("LOCKSTEP: ", _word.text)
	queue_redraw()


func _draw() -> void:
	for index: int in COLUMNS * ROWS:
		var corner: Vector2 = SIZE * Vector2(index % COLUMNS, floori(float(index) / COLUMNS))
		var color: Color = _colors[index] if index < _colors.size() else Color(1, 1, 1, 0.05)
		draw_rect(Rect2(corner, SIZE).grow(-2), color)
