extends SceneTree
## Plays every scene of the gallery, and rigs that it has not, and captures their passes: to be
## solved again, to the last bit, by [code]tendon-replay[/code].
##
## [code]godot --headless --path godot_project --script res://tests/captures.gd -- FILE[/code]

const Figure := preload("res://tests/figure.gd")

const SCENES: String = "res://scenes"
const FRAMES: int = 60
## Frames between two captures.
const EVERY: int = 12
const POSE: Array[float] = [0.4123456, -0.7654321, 0.9182736, 0.1234567]

var _lines: PackedStringArray = []
var _missing: int = 0


func _initialize() -> void:
	# The scene tree is not ready before the first frame.
	await process_frame
	for folder: String in DirAccess.get_directories_at(SCENES):
		await _play("%s/%s/%s.tscn" % [SCENES, folder, folder])
	for about: String in Figure.ANCESTORS:
		for modifier: Node in [
			TendonLookAt2D.new(),
			TendonTwoBoneIK2D.new(),
			TendonCCDIK2D.new(),
			TendonFABRIK2D.new(),
		]:
			_capture_figure(modifier, Figure.ANCESTORS[about])
	var words: PackedStringArray = OS.get_cmdline_user_args()
	var file: FileAccess = FileAccess.open(words[0], FileAccess.WRITE)
	if file == null:
		printerr("%s: %s" % [words[0], error_string(FileAccess.get_open_error())])
		quit(1)
		return
	file.store_string("\n".join(_lines) + "\n")
	print("CAPTURES: %d, %d missing" % [_lines.size(), _missing])
	quit()


func _play(path: String) -> void:
	var scene: Node = (load(path) as PackedScene).instantiate()
	root.add_child(scene)
	var found: int = 0
	for frame: int in FRAMES:
		await process_frame
		if frame % EVERY == EVERY - 1:
			for rig: TendonRig2D in scene.find_children("*", "TendonRig2D", true, false):
				_capture(rig)
				found += 1
	scene.free()
	if found == 0:
		_missing += 1
		printerr("%s has no rig" % path)


## A chain that continues from pose to pose, with and without news, and is given bad numbers.
func _capture_figure(modifier: Node, above: Array) -> void:
	var figure: Figure = Figure.new([30, 25, 20, 10], POSE, above)
	figure.add(modifier)
	root.add_child(figure.stage)
	if "deterministic" in modifier:
		modifier.set("deterministic", false)
	if "stretch" in modifier:
		modifier.set("stretch", 1.3)
		modifier.set("softness", 0.1)
	for step: int in 4:
		figure.solve(Vector2.from_angle(step) * 30 * step)
		_capture(figure.rig)
		# Nothing is new.
		figure.solve()
		_capture(figure.rig)
	figure.rig.restore_pose()
	_capture(figure.rig)
	for point: Vector2 in [Vector2(NAN, 3), Vector2(INF, -INF), Vector2(3e38, 1e-40), Vector2.ZERO]:
		figure.target.position = point
		figure.solve()
		_capture(figure.rig)
	figure.bones[1].scale = Vector2(NAN, 1)
	figure.solve()
	_capture(figure.rig)
	figure.bones[1].scale = Vector2(-0.0, 1)
	figure.bones[0].rotation = -0.0
	figure.solve(Vector2(-20, 0))
	_capture(figure.rig)
	figure.stage.free()


func _capture(rig: TendonRig2D) -> void:
	var line: String = rig.capture()
	if line.is_empty():
		_missing += 1
		printerr("Nothing captured of %s" % rig.get_path())
	else:
		_lines.append(line)
