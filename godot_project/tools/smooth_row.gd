extends SceneTree
## Draws film strips of an arm of two bones, and below each how much its lower bone turns in each
## frame: the figure of [code]docs/smoothness.md[/code].
##
## [code]godot --headless --path godot_project --script res://tools/smooth_row.gd -- FILE[/code]

const FRAMES: int = 36
## What is drawn of a strip: every third frame.
const EVERY: int = 3
## When the change comes.
const CHANGE: int = 3
const LENGTH: float = 30.0
const TARGET: Vector2 = Vector2(44, 0)
const CELL: Vector2 = Vector2(66, 74)
const GRAPH: float = 54.0
## Radians in a frame that fill a graph.
const MOST: float = 0.3
const DURATION: float = 0.4

const STRIPS: Array[Dictionary] = [
	{"name": "flip_bend_direction, at once", "change": "flip", "duration": 0.0},
	{
		"name": "flip_bend_direction, transition_duration 0.4",
		"change": "flip",
		"duration": DURATION
	},
	{"name": "a pole on the other side, at the bounded speed", "change": "pole", "duration": 0.0},
	{
		"name": "a pole on the other side, transition_duration 0.4",
		"change": "pole",
		"duration": DURATION
	},
	{"name": "another target, at once", "change": "target", "duration": 0.0},
	{"name": "another target, transition_duration 0.4", "change": "target", "duration": DURATION},
]


func _initialize() -> void:
	_run.call_deferred(OS.get_cmdline_user_args()[0])


func _run(file: String) -> void:
	var columns: int = FRAMES / EVERY
	var height: float = CELL.y + GRAPH + 34.0
	var size: Vector2 = Vector2(columns * CELL.x + 16.0, STRIPS.size() * height + 8.0)
	var lines: PackedStringArray = [
		(
			'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif"'
			% [size.x, size.y]
		),
		'font-size="12" fill="#2b3145" stroke-linecap="round" stroke-linejoin="round">',
		'<rect width="%d" height="%d" rx="8" fill="#ffffff"/>' % [size.x, size.y],
	]
	for index: int in STRIPS.size():
		lines.append_array(_strip(STRIPS[index], Vector2(8.0, 8.0 + index * height)))
	lines.append("</svg>\n")
	FileAccess.open(file, FileAccess.WRITE).store_string("\n".join(lines))
	quit()


func _strip(strip: Dictionary, at: Vector2) -> PackedStringArray:
	var stage: Node2D = Node2D.new()
	root.add_child(stage)
	var arm: Array[Bone2D] = _arm(stage)
	var rig: TendonRig2D = arm[0].get_parent().get_node("Rig")
	var modifier: TendonTwoBoneIK2D = rig.get_child(0)
	modifier.transition_duration = strip["duration"]
	modifier.target = _marker(stage, TARGET)
	if strip["change"] == "pole":
		modifier.pole = _marker(stage, Vector2(22, 60))
	var lines: PackedStringArray = []
	var turns: PackedFloat64Array = []
	var before: float = 0.0
	for frame: int in FRAMES:
		if frame == CHANGE:
			_change(strip["change"], modifier)
		rig.advance(1.0 / 60.0)
		var turn: float = arm[1].rotation
		turns.append(angle_difference(before, turn) if frame > 0 else 0.0)
		before = turn
		if frame % EVERY == 0:
			var middle: Vector2 = Vector2((frame / EVERY + 0.12) * CELL.x, 18.0 + 0.5 * CELL.y)
			lines.append_array(_figure(arm, modifier, at + middle))
	stage.free()
	lines.append_array(_graph(turns, at + Vector2(0.0, 20.0 + CELL.y)))
	var kink: float = 0.0
	for frame: int in range(1, turns.size()):
		kink = maxf(kink, absf(turns[frame] - turns[frame - 1]))
	var title: String = "%s: the turn changes by %.2f rad in a frame" % [strip["name"], kink]
	lines.append('<text x="%.0f" y="%.0f">%s</text>' % [at.x + 4.0, at.y + 12.0, title])
	print(title)
	return lines


## An arm in a rig that runs only when it is asked to.
func _arm(stage: Node2D) -> Array[Bone2D]:
	var skeleton: Skeleton2D = Skeleton2D.new()
	stage.add_child(skeleton)
	var bones: Array[Bone2D] = []
	var parent: Node = skeleton
	for index: int in 2:
		var bone: Bone2D = Bone2D.new()
		bone.set_autocalculate_length_and_angle(false)
		bone.set_length(LENGTH)
		bone.position = Vector2(index * LENGTH, 0)
		bone.rotation = 0.2
		bone.rest = bone.transform
		parent.add_child(bone)
		parent = bone
		bones.append(bone)
	var rig: TendonRig2D = TendonRig2D.new()
	rig.name = "Rig"
	rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
	skeleton.add_child(rig)
	var modifier: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
	modifier.bone_one = bones[0]
	modifier.bone_two = bones[1]
	rig.add_child(modifier)
	return bones


func _marker(stage: Node2D, place: Vector2) -> Marker2D:
	var marker: Marker2D = Marker2D.new()
	marker.position = place
	stage.add_child(marker)
	return marker


func _change(change: String, modifier: TendonTwoBoneIK2D) -> void:
	match change:
		"flip":
			modifier.flip_bend_direction = true
		"pole":
			modifier.pole = _marker(modifier.target.get_parent(), Vector2(22, -60))
		"target":
			modifier.target = _marker(modifier.target.get_parent(), Vector2(20, -34))


func _figure(arm: Array[Bone2D], modifier: TendonTwoBoneIK2D, at: Vector2) -> PackedStringArray:
	var points: PackedStringArray = []
	for place: Vector2 in [
		arm[0].global_position, arm[1].global_position, modifier.get_tip_position()
	]:
		points.append("%.1f,%.1f" % [at.x + place.x, at.y + place.y])
	var goal: Vector2 = at + modifier.target.position
	return [
		'<circle cx="%.1f" cy="%.1f" r="3" fill="#d9822b"/>' % [goal.x, goal.y],
		'<polyline points="%s" fill="none" stroke="#2f6fb2" stroke-width="4"/>' % " ".join(points),
	]


## The turns of the lower bone, in radians in a frame: what leaves the graph is cut off.
func _graph(turns: PackedFloat64Array, at: Vector2) -> PackedStringArray:
	var points: PackedStringArray = []
	var middle: float = at.y + 0.5 * GRAPH
	for frame: int in turns.size():
		var shown: float = clampf(turns[frame] / MOST, -1.0, 1.0)
		var x: float = at.x + (frame + 0.5) * CELL.x / EVERY
		points.append("%.1f,%.1f" % [x, middle - 0.5 * GRAPH * shown])
	var width: float = FRAMES * CELL.x / EVERY
	return [
		(
			'<path d="M%.1f %.1fh%.1f" stroke="#c9cdd8" stroke-width="1" fill="none"/>'
			% [at.x, middle, width]
		),
		(
			'<polyline points="%s" fill="none" stroke="#c2414b" stroke-width="1.5"/>'
			% " ".join(points)
		),
	]
