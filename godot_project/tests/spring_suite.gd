extends "res://tests/suite.gd"
## A suite about springs: a character with one on all of its bones.

const LENGTHS: Array = [24, 20, 16, 12]
const ROTATIONS: Array = [0.4, 0.3, -0.2, 0.3]
const FRAME: float = 1.0 / 60.0


func _figure(above: String) -> Figure:
	var figure: Figure = Figure.new(LENGTHS, ROTATIONS, Figure.ANCESTORS[above])
	figure.add(TendonSpring2D.new())
	add_child(figure.stage)
	return figure


func _spring(figure: Figure) -> TendonSpring2D:
	return figure.rig.get_child(-1)


func _advance(figure: Figure, count: int) -> void:
	for pass_number: int in count:
		figure.rig.advance(FRAME)


func _wander(frame: int) -> Vector2:
	return 60.0 * Vector2(sin(0.06 * frame), 0.6 * cos(0.11 * frame))


func _apart(one: PackedFloat32Array, other: PackedFloat32Array) -> float:
	var most: float = 0.0
	for index: int in one.size():
		most = maxf(most, absf(angle_difference(one[index], other[index])))
	return most
