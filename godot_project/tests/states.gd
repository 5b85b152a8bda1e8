extends SceneTree
## Plays rigs by hand, as a game that keeps machines in lockstep does, and prints what all bytes of
## their states come to: one line, which must be the same on every platform.
##
## [code]godot --headless --path godot_project --script res://tests/states.gd[/code]

const Figure := preload("res://tests/figure.gd")

const SIZES: PackedInt32Array = [3, 7, 12]
const FRAMES: int = 2000
## A fraction that floats hold exactly.
const DELTA: float = 1.0 / 64


func _initialize() -> void:
	# The scene tree is not ready before the first frame.
	await process_frame
	var all: HashingContext = HashingContext.new()
	all.start(HashingContext.HASH_SHA256)
	var passes: int = 0
	for kind: String in ["fabrik", "ccd", "spring"]:
		for size: int in SIZES:
			passes += _play(kind, size, all)
	print("STATES: %s after %d passes" % [all.finish().hex_encode().left(32), passes])
	quit()


## Adds the state after each frame to [param all].
func _play(kind: String, size: int, all: HashingContext) -> int:
	var figure: Figure = _figure(kind, size)
	root.add_child(figure.stage)
	for frame: int in FRAMES:
		# Somewhere else in each frame, without the system's sines.
		var step: Vector2 = Vector2((frame * 37) % 101 - 50, (frame * 53) % 89 - 44)
		figure.target.position += 0.0625 * step
		if frame % 100 == 0:
			figure.target.position = step
		figure.rig.advance(DELTA)
		all.update(figure.rig.get_state())
	figure.stage.free()
	return FRAMES


func _figure(kind: String, size: int) -> Figure:
	var lengths: Array[float] = []
	var pose: Array[float] = []
	for bone: int in size:
		lengths.append(10.0 + bone % 5)
		pose.append(0.125 * (bone % 3 - 1))
	var figure: Figure = Figure.new(lengths, pose)
	if kind == "spring":
		figure.add(TendonSpring2D.new())
	else:
		figure.call(kind)
	if kind == "ccd":
		for bone: Bone2D in figure.bones.slice(1):
			var limit: TendonJointLimit2D = TendonJointLimit2D.new()
			limit.min_angle = -1.25
			limit.max_angle = 1.25
			bone.add_child(limit)
	return figure
