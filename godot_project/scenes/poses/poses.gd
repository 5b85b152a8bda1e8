extends GalleryScene
## A manikin that is posed by hand, and a library of its poses.
##
## [method TendonRig2D.pose_limb] brings a hand or a foot to the mouse. A sheet of paper is a
## pose of a [TendonPoseLibrary]: a click blends to it. The drawings are made with a second
## manikin that nobody sees. Nothing here is animated, and the head looks at the spark by a
## TendonLookAt2D on top of any pose.

## Seconds that a pose takes to come, and that it stays while the mouse rests.
const BLEND: float = 0.45
const STAY: float = 1.8

## How near the mouse takes hold, in pixels.
const GRASP: float = 42.0

## The name under which the pose is kept that a blend begins with.
const BEFORE: StringName = &"before the blend"

## The two bones of each limb.
const LIMBS: Array[Array] = [
	["UpperArm", "Forearm"],
	["Thigh", "Shin"],
	["BackUpperArm", "BackForearm"],
	["BackThigh", "BackShin"],
]

var _library: TendonPoseLibrary = preload("res://scenes/poses/poses.tres").duplicate()
var _limbs: Array[Array] = []
## The limb that is dragged, and the one under the mouse: their places in the list, or -1.
var _dragged: int = -1
var _hovered: int = -1
var _chosen: PoseSheet = null
## Seconds since the blend to the pose began.
var _since: float = 0.0

@onready var _skeleton: Skeleton2D = %Skeleton2D
@onready var _handles: Node2D = %Handles
@onready var _sheets: Array[Node] = %Sheets.get_children()
@onready var _model: Skeleton2D = _make_model()


func _ready() -> void:
	super()
	for limb: Array in LIMBS:
		var bones: Array = limb.map(func(bone: String) -> Node: return _skeleton.find_child(bone))
		_limbs.append(bones)
	for sheet: PoseSheet in _sheets:
		sheet.pressed.connect(_press.bind(sheet))
		_sketch(sheet)
	_handles.draw.connect(_draw_handles)
	_library.apply(_skeleton, (_sheets[0] as PoseSheet).pose)
	_choose(_sheets[1])


func _unhandled_input(event: InputEvent) -> void:
	var click: InputEventMouseButton = event as InputEventMouseButton
	if click and click.button_index == MOUSE_BUTTON_LEFT:
		_dragged = _hovered if click.pressed else -1
		if _dragged >= 0:
			_choose(null)


func _path(at_time: float) -> Vector2:
	return Vector2(500 + 90 * sin(at_time * 0.9), 230 + 110 * sin(at_time * 1.3))


func _play(delta: float) -> void:
	_since += delta
	if _chosen and _since < BLEND + delta:
		var weight: float = smoothstep(0.0, BLEND, _since)
		_library.apply(_skeleton, _chosen.pose, weight, BEFORE)
	if _dragged >= 0:
		TendonRig2D.pose_limb(_limbs[_dragged][0], _limbs[_dragged][1], get_global_mouse_position())
	elif is_mouse_awake():
		_hovered = _limb_at(get_global_mouse_position())
	elif _since > BLEND + STAY:
		_choose(_next_sheet())
	_handles.queue_redraw()


func _press(sheet: PoseSheet) -> void:
	if sheet.pose.is_empty():
		sheet.pose = &"Yours"
		_library.store(_skeleton, sheet.pose)
		_sketch(sheet)
	_choose(sheet)


## Begins to blend from the present pose to that of [param sheet], if there is one.
func _choose(sheet: PoseSheet) -> void:
	_chosen = sheet
	_since = 0.0
	_library.store(_skeleton, BEFORE)
	for other: PoseSheet in _sheets:
		other.is_chosen = other == sheet


func _next_sheet() -> PoseSheet:
	var place: int = _sheets.find(_chosen) + 1
	var next: PoseSheet = _sheets[place % _sheets.size()]
	return next if next.pose else _sheets[0] as PoseSheet


func _sketch(sheet: PoseSheet) -> void:
	if sheet.pose:
		_library.apply(_model, sheet.pose)
		sheet.sketch(_model)


## The manikin alone, without its rig.
func _make_model() -> Skeleton2D:
	var model: Skeleton2D = _skeleton.duplicate()
	model.get_node("TendonRig2D").free()
	model.hide()
	add_child(model)
	return model


## The limb whose end is nearest to [param point], or -1.
func _limb_at(point: Vector2) -> int:
	var nearest: int = -1
	var distance: float = GRASP
	for limb: int in _limbs.size():
		if _end(limb).distance_to(point) < distance:
			nearest = limb
			distance = _end(limb).distance_to(point)
	return nearest


func _end(limb: int) -> Vector2:
	var bone: Bone2D = _limbs[limb][1]
	return bone.to_global(Vector2.from_angle(bone.get_bone_angle()) * bone.get_length())


func _draw_handles() -> void:
	for limb: int in _limbs.size():
		var is_held: bool = limb == _dragged or (limb == _hovered and is_mouse_awake())
		var color: Color = Color(1, 0.714, 0.282, 0.95 if is_held else 0.4)
		_handles.draw_arc(_end(limb), 19.0, 0.0, TAU, 40, color, 3.0 if is_held else 2.0, true)
