@tool
extends SceneTree
## Takes pictures of the editor with the gallery's scenes: see [code]scripts/screenshots[/code].
##
## [code]godot --editor --path godot_project --script res://tools/editor_pictures.gd --
## FOLDER [NAME...][/code] saves them in FOLDER and quits; only those called NAME, if given.

const SIZE: Vector2i = Vector2i(1600, 900)

## What to take: the scene, by its folder or with its name in that, the nodes to select, the point
## of the scene in the middle of the viewport, and the zoom. [code]set[/code] has properties to set
## before, by [code]node:property[/code], and [code]hover[/code] the handle to have the mouse on, by
## the same. With [code]menu[/code] the Tendon menu is open, with [code]help[/code] the page of that
## class, with [code]export[/code] the export dialog with that preset. With [code]unfold[/code] all
## groups of the inspector are open. With [code]pull[/code] the end of that bone is pulled in pose
## mode, by as many pixels as [code]by[/code] says. With [code]window[/code] that entry of the menu
## has opened its window, and all choices in it are made. With [code]stack[/code] that skeleton has
## a stack of the engine's instead of its rig, for those [code]limbs[/code].
const PICTURES: Dictionary[String, Dictionary] = {
	"look_at":
	{
		"scene": "look_at",
		"select": ["Skeleton2D/TendonRig2D/HeadLooks"],
		"centre": Vector2(576, 324),
		"zoom": 0.85,
	},
	"two_bone":
	{
		"scene": "two_bone",
		"select": ["Figure/Skeleton2D/TendonRig2D/ArmReaches"],
		"centre": Vector2(576, 324),
		"zoom": 0.85,
	},
	"ccd":
	{
		"scene": "ccd",
		"select": ["Skeleton2D/TendonRig2D/ArmReaches"],
		"centre": Vector2(576, 324),
		"zoom": 0.85,
	},
	"fabrik":
	{
		"scene": "fabrik",
		"select": ["LongTentacle/Skeleton2D/TendonRig2D/Reach"],
		"centre": Vector2(576, 324),
		"zoom": 0.85,
	},
	"limits":
	{
		"scene": "limits",
		"select": ["Skeleton2D/TendonRig2D/LegKicks"],
		"set": {"Kick:position": Vector2(648, 490)},
		"hover": "Skeleton2D/Hip/Thigh/TendonJointLimit2D:min_angle",
		"centre": Vector2(576, 324),
		"zoom": 0.85,
	},
	"torso":
	{
		"scene": "torso",
		"select": ["Skeleton2D/TendonRig2D/BothReach"],
		"centre": Vector2(576, 324),
		"zoom": 0.85,
	},
	"obstacles":
	{
		"scene": "obstacles",
		"select": ["Skeleton2D/TendonRig2D/Reach"],
		"centre": Vector2(576, 324),
		"zoom": 0.85,
	},
	"stretch":
	{
		"scene": "stretch",
		"select": ["Soft/Skeleton2D/TendonRig2D/ArmReaches"],
		"set":
		{
			"Target:position": Vector2(470, 210),
			"Soft/Skeleton2D/TendonRig2D/ArmReaches:min_distance": 90.0
		},
		"centre": Vector2(576, 324),
		"zoom": 0.85,
	},
	"ragdoll":
	{
		"scene": "ragdoll/puppet",
		"select": ["Skeleton2D/TendonRig2D/Ragdoll"],
		"centre": Vector2(0, -105),
		"zoom": 2.8,
	},
	"mirrored":
	{
		"scene": "two_bone",
		"select": ["Figure/Skeleton2D/TendonRig2D/ArmReaches"],
		"set":
		{
			"Figure:scale": Vector2(-1.25, 0.9),
			"Target:position": Vector2(270, 290),
			"Figure/Skeleton2D/TendonRig2D/ArmReaches:max_distance": 250.0,
		},
		"centre": Vector2(576, 324),
		"zoom": 0.85,
	},
	"menu":
	{
		"scene": "first_steps",
		"select":
		[
			"Puppet/Skeleton2D/Body/FrontThigh",
			"Puppet/Skeleton2D/Body/FrontThigh/FrontShin",
		],
		"menu": true,
		"centre": Vector2(600, 400),
		"zoom": 2.4,
	},
	"rig_character":
	{
		"scene": "first_steps/bones_and_sprites",
		"select": ["Puppet/Skeleton2D"],
		"window": "Rig a Character…",
		"centre": Vector2(600, 400),
		"zoom": 2.4,
	},
	"leg":
	{
		"scene": "first_steps",
		"select": ["Puppet/Skeleton2D/TendonRig2D/FrontShinTwoBoneIK"],
		"set": {"Puppet/FrontShinTarget:position": Vector2(46, -34)},
		"centre": Vector2(590, 400),
		"zoom": 2.4,
	},
	"bone":
	{
		"scene": "first_steps",
		"select": ["Puppet/Skeleton2D/Body/FrontThigh/FrontShin"],
		"set": {"Puppet/FrontShinTarget:position": Vector2(46, -34)},
		"unfold": true,
		"centre": Vector2(590, 400),
		"zoom": 2.4,
	},
	"neck":
	{
		"scene": "first_steps",
		"select": ["Puppet/Skeleton2D/Body/Head/JointLimit"],
		"set": {"HeadTarget:position": Vector2(700, 90)},
		"hover": "Puppet/Skeleton2D/Body/Head/JointLimit:min_angle",
		"centre": Vector2(600, 340),
		"zoom": 2.4,
	},
	"feet":
	{
		"scene": "feet",
		"select": ["Astronaut/Skeleton2D/TendonRig2D/Feet"],
		"set": {"Astronaut:position": Vector2(440, 513)},
		"centre": Vector2(460, 450),
		"zoom": 2.0,
	},
	"gait":
	{
		"scene": "gait",
		"select": ["Spider/Skeleton2D/TendonRig2D/Gait"],
		"set": {"Spider:position": Vector2(380, 560)},
		"centre": Vector2(390, 540),
		"zoom": 1.6,
	},
	"posing":
	{
		"scene": "first_steps",
		"select": [],
		"set": {"Puppet/Skeleton2D/TendonRig2D:active": false},
		"pull": "Puppet/Skeleton2D/Body/BackThigh/BackShin",
		"by": Vector2(110, -70),
		"centre": Vector2(600, 400),
		"zoom": 2.4,
	},
	"help":
	{
		"scene": "first_steps",
		"select": ["Puppet/Skeleton2D/TendonRig2D/FrontShinTwoBoneIK"],
		"help": "TendonTwoBoneIK2D",
		"centre": Vector2(600, 400),
		"zoom": 2.0,
	},
	"spring":
	{
		"scene": "spring",
		"select": ["Cat/Skeleton2D/TendonRig2D/TailSwings"],
		"centre": Vector2(576, 324),
		"zoom": 0.85,
	},
	"aim":
	{
		"scene": "aim",
		"select": ["Figure/Skeleton2D/TendonRig2D/GunAims"],
		"set": {"Target:position": Vector2(826, 296), "Caption:visible": false},
		"centre": Vector2(640, 400),
		"zoom": 1.25,
	},
	"spline":
	{
		"scene": "spline",
		"select": ["Skeleton2D/TendonRig2D/Flight"],
		"centre": Vector2(576, 324),
		"zoom": 0.85,
	},
	"trail":
	{
		"scene": "trail/koi",
		"select": ["Skeleton2D/TendonRig2D/Trail"],
		"centre": Vector2(0, 0),
		"zoom": 1.6,
	},
	"wave":
	{
		"scene": "trail/koi",
		"select": ["Skeleton2D/TendonRig2D/Swim"],
		"centre": Vector2(0, 0),
		"zoom": 1.6,
	},
	"slider":
	{
		"scene": "slider",
		"select": ["Moon/Skeleton2D/TendonRig2D/Mouth"],
		"centre": Vector2(576, 324),
		"zoom": 0.85,
	},
	"copy_transform":
	{
		"scene": "copy_transform",
		"select": ["Skeleton2D/TendonRig2D/SparkOpensJaw"],
		"centre": Vector2(576, 324),
		"zoom": 0.85,
	},
	"custom_modifier":
	{
		"scene": "custom_modifier",
		"select": ["Skeleton2D/TendonRig2D/Gait"],
		"centre": Vector2(576, 324),
		"zoom": 0.85,
	},
	"handover":
	{
		"scene": "handover",
		"select": ["Monkey/Skeleton2D/TendonRig2D/LeftHand"],
		"unfold": true,
		"centre": Vector2(576, 324),
		"zoom": 0.85,
	},
	"full_character":
	{
		"scene": "walker",
		"select": ["Character/Skeleton2D/TendonRig2D/Scarf"],
		"centre": Vector2(150, 390),
		"zoom": 1.5,
	},
	"cut_out":
	{
		"scene": "first_steps/cut_out",
		"select": ["Puppet/Body"],
		"window": "Parts to Bones…",
		"centre": Vector2(600, 400),
		"zoom": 2.4,
	},
	"troubleshooting":
	{
		"scene": "first_steps",
		"select": ["Puppet/Skeleton2D/TendonRig2D/FrontShinTwoBoneIK"],
		"set": {"Puppet/Skeleton2D/TendonRig2D/FrontShinTwoBoneIK:target": null},
		"centre": Vector2(600, 400),
		"zoom": 2.0,
	},
	"moving_in":
	{
		"scene": "first_steps",
		"select": ["Puppet/Skeleton2D"],
		"stack": "Puppet/Skeleton2D",
		"limbs": ["BackThigh/BackShin", "FrontThigh/FrontShin"],
		"window": "Convert Modification Stack",
		"centre": Vector2(640, 400),
		"zoom": 2.0,
	},
	"export":
	{
		"scene": "first_steps",
		"select": [],
		"export": "Web",
		"centre": Vector2(600, 400),
		"zoom": 2.0,
	},
}

var _overlay: Control


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	var arguments: PackedStringArray = OS.get_cmdline_user_args()
	var folder: String = arguments[0]
	var names: PackedStringArray = arguments.slice(1)
	await _settle()
	root.size = SIZE
	(EditorInterface.get_editor_toaster() as Control).hide()
	EditorInterface.set_main_screen_editor("2D")
	_overlay = _find("CanvasItemEditorViewport")
	while not EditorInterface.get_open_scenes().is_empty():
		EditorInterface.call(&"close_scene")
		await _wait(5)
	var taken: int = 0
	for title: String in PICTURES:
		if names.is_empty() or title in names:
			await _take(PICTURES[title], folder.path_join(title + ".png"))
			taken += 1
	print("TAKEN %d" % taken)
	quit()


func _take(picture: Dictionary, file: String) -> void:
	var title: String = picture["scene"]
	var place: String = title if "/" in title else title.path_join(title)
	var scene: Node = await _open("res://scenes/%s.tscn" % place)
	var changes: Dictionary = picture.get("set", {})
	for path: String in changes:
		scene.get_node(path.get_slice(":", 0)).set(path.get_slice(":", 1), changes[path])
	if picture.has("stack"):
		_give_stack(scene.get_node(picture["stack"]), picture["limbs"])
	var selection: EditorSelection = EditorInterface.get_selection()
	selection.clear()
	for path: String in picture["select"]:
		selection.add_node(scene.get_node(path))
	await _wait(5)
	_look(picture["centre"], picture["zoom"])
	await _wait(5)
	_hover(picture.get("hover", ""))
	if picture.has("unfold"):
		var inspector: EditorInspector = EditorInterface.get_inspector()
		for section: Node in inspector.find_children("*", "EditorInspectorSection", true, false):
			section.call(&"unfold")
	if picture.has("menu"):
		_open_menu()
	if picture.has("window"):
		_open_window(picture["window"])
	if picture.has("pull"):
		await _pull(scene.get_node(picture["pull"]), picture["by"])
	if picture.has("help"):
		EditorInterface.set_main_screen_editor("Script")
		EditorInterface.get_script_editor().goto_help("class_name:" + picture["help"])
	if picture.has("export"):
		_open_export(picture["export"])
	await _wait(30)
	RenderingServer.force_draw()
	_smaller(root.get_texture().get_image()).save_png(file)
	_close_menu()
	for window: Window in _windows():
		window.hide()
	_export_dialog().hide()
	_pose_button().button_pressed = false
	EditorInterface.set_main_screen_editor("2D")
	EditorInterface.call(&"close_scene")


## Each limb is brought to the target that has the name of its last bone. By name only: the engine's
## stack is experimental.
func _give_stack(skeleton: Skeleton2D, limbs: Array) -> void:
	skeleton.get_node("TendonRig2D").free()
	var stack: Resource = ClassDB.instantiate(&"SkeletonModificationStack2D")
	for path: String in limbs:
		var limb: Resource = ClassDB.instantiate(&"SkeletonModification2DTwoBoneIK")
		var lower: Node = skeleton.get_node("Body").get_node(path)
		limb.call("set_joint_one_bone2d_node", skeleton.get_path_to(lower.get_parent()))
		limb.call("set_joint_two_bone2d_node", skeleton.get_path_to(lower))
		limb.set("target_nodepath", NodePath("../%sTarget" % lower.name))
		stack.call("add_modification", limb)
	stack.set("enabled", true)
	skeleton.call("set_modification_stack", stack)


## Opens a scene, once the editor is done with whatever it had open last.
func _open(path: String) -> Node:
	while true:
		EditorInterface.open_scene_from_path(path)
		await _wait(20)
		var scene: Node = EditorInterface.get_edited_scene_root()
		if scene != null and scene.scene_file_path == path:
			return scene
	return null


## Has the viewport show [param centre] in its middle.
func _look(centre: Vector2, zoom: float) -> void:
	_find("EditorZoomWidget").emit_signal(
		&"zoom_changed", zoom * EditorInterface.get_editor_scale()
	)
	var corner: Vector2 = centre - 0.5 * _overlay.size / zoom
	for bar: Node in _overlay.get_parent().find_children("*", "ScrollBar", true, false):
		(bar as Range).value = corner.x if bar is HScrollBar else corner.y


func _hover(handle: String) -> void:
	var motion: InputEventMouseMotion = InputEventMouseMotion.new()
	motion.position = _find("TendonGizmoPlugin").call(&"get_handles").get(handle, Vector2.ZERO)
	_overlay.gui_input.emit(motion)


## Pulls the end of [param bone], and holds it.
func _pull(bone: Bone2D, by: Vector2) -> void:
	_pose_button().button_pressed = true
	await _wait(5)
	var end: Vector2 = Vector2.from_angle(bone.get_bone_angle()) * bone.get_length()
	var canvas: Transform2D = EditorInterface.get_editor_viewport_2d().global_canvas_transform
	var press: Vector2 = canvas * (bone.global_transform * end)
	for event: InputEventMouse in [InputEventMouseButton.new(), InputEventMouseMotion.new()]:
		if event is InputEventMouseButton:
			(event as InputEventMouseButton).button_index = MOUSE_BUTTON_LEFT
			(event as InputEventMouseButton).pressed = true
		event.position = press + (by if event is InputEventMouseMotion else Vector2.ZERO)
		_overlay.gui_input.emit(event)


func _pose_button() -> Button:
	for button: Node in EditorInterface.get_base_control().find_children(
		"*", "Button", true, false
	):
		if button.get("text") == "Pose" and button.get("toggle_mode"):
			return button
	return null


func _open_menu() -> void:
	_menu().show_popup()


## Otherwise it would be in the next pictures, too.
func _close_menu() -> void:
	_menu().get_popup().hide()


func _menu() -> MenuButton:
	for button: MenuButton in root.find_children("*", "MenuButton", true, false):
		if button.text == "Tendon":
			return button
	return null


## Opens the window of an entry of the Tendon menu, and makes all choices in it.
func _open_window(entry: String) -> void:
	for menu: PopupMenu in _menu().find_children("*", "PopupMenu", true, false):
		for index: int in menu.item_count:
			if menu.get_item_text(index) == entry:
				menu.id_pressed.emit(menu.get_item_id(index))
	for window: Window in _windows():
		for choice: CheckBox in window.find_children("*", "CheckBox", true, false):
			choice.button_pressed = true


## Those of Tendon that are open: they ask before something is added or made, or report.
func _windows() -> Array[Window]:
	var windows: Array[Window] = []
	for window: AcceptDialog in root.find_children("*", "AcceptDialog", true, false):
		var asks: bool = window.get_ok_button().text in ["Add", "Make Bones"]
		if window.visible and (asks or window.title == "Tendon"):
			windows.append(window)
	return windows


## Opens the export dialog with [param preset].
func _open_export(preset: String) -> void:
	for menu: PopupMenu in root.find_children("*", "PopupMenu", true, false):
		for index: int in menu.item_count:
			if menu.get_item_text(index) in ["Export...", "Export…"]:
				menu.id_pressed.emit(menu.get_item_id(index))
	var presets: ItemList = _export_dialog().find_children("*", "ItemList", true, false)[0]
	for index: int in presets.item_count:
		if presets.get_item_text(index).begins_with(preset):
			presets.select(index)
			presets.item_selected.emit(index)


func _export_dialog() -> Window:
	return _find("ProjectExportDialog")


## The image without transparency and without the last two bits of its colours, which nobody sees
## and which compress badly.
func _smaller(image: Image) -> Image:
	image.convert(Image.FORMAT_RGB8)
	var bytes: PackedByteArray = image.get_data()
	for word: int in bytes.size() / 4:
		bytes.encode_u32(4 * word, bytes.decode_u32(4 * word) & 0xFCFCFCFC)
	return Image.create_from_data(SIZE.x, SIZE.y, false, Image.FORMAT_RGB8, bytes)


func _find(type: String) -> Node:
	return root.find_children("*", type, true, false)[0]


func _settle() -> void:
	await _wait(30)
	while EditorInterface.get_resource_filesystem().is_scanning():
		await _wait(5)


func _wait(count: int) -> void:
	for frame: int in count:
		await process_frame
