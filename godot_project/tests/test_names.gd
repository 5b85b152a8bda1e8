extends "res://tests/suite.gd"
## The classes, members and defaults that users rely on.

const FaultCharacter := preload("res://tests/fault_character.gd")

const COMMON: Dictionary[String, Variant] = {
	"active": true, "influence": 1.0, "target": null, "target_position": Vector2.INF
}
const CHAIN: Dictionary[String, Variant] = {
	"root_bone": null,
	"tip_bone": null,
	"tip": null,
	"max_iterations": 16,
	"tolerance": 0.01,
	"deterministic": false,
	"softness": 0.0,
	"stretch": 1.0,
	"match_target_rotation": false,
	"obstacles": [],
}

const RIG: Dictionary[String, Variant] = {
	"active": true,
	"influence": 1.0,
	"callback_mode_process": 1,
	"preview_in_editor": true,
	"skip_when_invisible": false,
	"transition_turn_speed": 15.0,
	"transition_point_speed": 7.4,
}
const COMMON_METHODS: PackedStringArray = [
	"get_status", "get_target_distance", "get_tip_position", "get_iterations"
]

## What each modifier has beyond the common members, with the defaults.
const MODIFIERS: Dictionary[String, Dictionary] = {
	"TendonLookAt2D":
	{
		"bone": null,
		"chain_root": null,
		"share_curve": null,
		"tip": null,
		"additional_rotation": 0.0
	},
	"TendonTwoBoneIK2D":
	{
		"bone_one": null,
		"bone_two": null,
		"tip": null,
		"flip_bend_direction": false,
		"pole": null,
		"min_distance": 0.0,
		"max_distance": 0.0,
		"softness": 0.0,
		"stretch": 1.0,
		"match_target_rotation": false,
	},
	"TendonCCDIK2D": CHAIN,
	"TendonFABRIK2D": CHAIN,
	"TendonFullBody2D":
	{
		"root_bone": null,
		"root_stiffness": 0.3,
		"max_root_distance": 0.0,
		"max_iterations": 16,
		"tolerance": 0.05,
	},
	"TendonSpring2D":
	{
		"root_bone": null,
		"tip_bone": null,
		"tip": null,
		"pin": null,
		"slack": 1.0,
		"frequency": 3.0,
		"damping_ratio": 0.4,
		"gravity": Vector2.ZERO,
		"inertia": 1.0,
		"frequency_curve": null,
		"damping_curve": null,
		"max_angle": 0.0,
		"radius": 0.0,
		"obstacles": [],
	},
	"TendonSplineIK2D":
	{
		"root_bone": null,
		"tip_bone": null,
		"tip": null,
		"path_2d": null,
		"progress": 0.0,
		"progress_ratio": 0.0,
		"move_root": false,
		"stretch": 1.0,
	},
	"TendonCopyTransform2D":
	{
		"bone": null,
		"source": null,
		"source_channel": 0,
		"source_min": 0.0,
		"source_max": 1.0,
		"clamp": false,
		"bone_channel": 0,
		"bone_min": 0.0,
		"bone_max": 1.0,
		"space": 0,
		"relative": true,
		"additive": false,
	},
	"TendonTrail2D":
	{
		"root_bone": null,
		"tip_bone": null,
		"tip": null,
		"leader": null,
		"max_bend": PI / 4,
		"stiffness": 0.0,
	},
	"TendonWave2D":
	{
		"root_bone": null,
		"tip_bone": null,
		"tip": null,
		"amplitude": 0.3,
		"amplitude_curve": null,
		"wave_length": 1.0,
		"speed": 1.0,
		"phase": 0.0,
	},
	"TendonSlider2D":
	{
		"source": null,
		"animation_player": null,
		"animation": &"",
		"channel": 0,
		"source_min": 0.0,
		"source_max": 1.0,
		"time_min": 0.0,
		"time_max": -1.0,
		"loop": false,
		"additive": false,
	},
	"TendonFootPlacement2D":
	{
		"pelvis": null,
		"stand_height": 0.0,
		"body_tilt": 0.0,
		"body": null,
		"in_air": 0,
		"up": Vector2.UP,
		"up_space": 0,
		"collision_mask": 1,
		"search_up": 30.0,
		"search_down": 60.0,
		"max_pelvis_drop": 40.0,
		"max_pelvis_rise": 0.0,
		"pelvis_frequency": 3.0,
	},
	"TendonGait2D":
	{
		"pelvis": null,
		"gait": 0,
		"max_lifted": 0,
		"step_distance": 30.0,
		"step_height": 12.0,
		"step_duration": 0.0,
		"overshoot": 0.1,
		"settle_time": 0.3,
		"body_height": 0.0,
		"body_tilt": 0.5,
		"body_motion": 0.0,
		"body": null,
		"in_air": 0,
		"up": Vector2.UP,
		"up_space": 0,
		"collision_mask": 1,
		"search_up": 40.0,
		"search_down": 60.0,
		"max_pelvis_drop": 40.0,
		"max_pelvis_rise": 40.0,
		"pelvis_frequency": 3.0,
	},
	"TendonRagdoll2D":
	{
		"root_bone": null,
		"exclude_bones": [],
		"simulating": false,
		"blend_time": 0.4,
		"frequency": 0.0,
		"damping_ratio": 0.7,
		"frequency_curve": null,
		"root_frequency": 0.0,
		"frequencies": {},
		"body": null,
		"mass": 10.0,
		"masses": {},
		"radius": 0.0,
		"friction": 0.6,
		"bounce": 0.0,
		"gravity_scale": 1.0,
		"linear_damp": 0.0,
		"angular_damp": 0.0,
		"joint_damping": 3.5,
		"grab_force": 0.0,
		"break_torque": 0.0,
		"self_collision": false,
		"collision_mask": 1,
		"collision_layer": 0,
	},
	"TendonCustomModifier2D": {},
}
## What users know of nodes.
const BASES: PackedStringArray = ["Object", "Node", "Node2D"]
## Those that reach for nothing.
const WITHOUT_TARGET: PackedStringArray = [
	"TendonFullBody2D",
	"TendonSpring2D",
	"TendonSplineIK2D",
	"TendonCopyTransform2D",
	"TendonTrail2D",
	"TendonWave2D",
	"TendonSlider2D",
	"TendonFootPlacement2D",
	"TendonGait2D",
	"TendonRagdoll2D",
	"TendonCustomModifier2D"
]
const ALL_GROUPS: PackedStringArray = ["Solver", "Constraints", "Handover"]
## The groups of those that have others.
const GROUPS: Dictionary[String, PackedStringArray] = {
	"TendonLookAt2D": ["Handover"],
	"TendonFullBody2D": ["Solver", "Handover"],
	"TendonSpring2D": ["Stiffness", "Gravity and Wind", "Constraints"],
	"TendonSplineIK2D": ["Constraints"],
	"TendonCopyTransform2D": ["Mapping"],
	"TendonTrail2D": [],
	"TendonWave2D": ["Wave"],
	"TendonSlider2D": ["Mapping"],
	"TendonFootPlacement2D": ["Ground", "Pelvis"],
	"TendonGait2D": ["Ground", "Pelvis"],
	"TendonRagdoll2D": ["Exclude", "Stiffness", "Weight and Contact"],
	"TendonCustomModifier2D": [],
}
## What some modifiers can do beyond the common methods.
const METHODS: Dictionary[String, PackedStringArray] = {
	"TendonFABRIK2D": ["add_effector"],
	"TendonFullBody2D": ["add_effector"],
	"TendonSpring2D": ["apply_impulse", "reset"],
	"TendonTrail2D": ["reset"],
	"TendonFootPlacement2D":
	["add_exception", "add_leg", "add_legs", "get_ground_velocity", "remove_exception"],
	"TendonGait2D":
	["add_exception", "add_leg", "add_legs", "get_ground_velocity", "remove_exception"],
	"TendonRagdoll2D":
	[
		"add_exception",
		"apply_impulse",
		"break_joint",
		"can_stop",
		"get_facing",
		"grab",
		"is_broken",
		"release",
		"remove_exception",
		"start",
		"stop"
	],
	"TendonCustomModifier2D":
	[
		"get_pose_position",
		"get_pose_rotation",
		"get_pose_scale",
		"get_pose_transform",
		"set_pose_position",
		"set_pose_rotation",
		"set_pose_scale"
	],
}
## The signals that some have beyond the common ones.
const SIGNALS: Dictionary[String, PackedStringArray] = {
	"TendonRagdoll2D": ["hit", "joint_broken", "recovered", "settled"],
}
## What follows from other properties.
const NOT_STORED: PackedStringArray = ["progress_ratio", "target_position"]
## What scripts alone set.
const NOT_SHOWN: PackedStringArray = ["target_position"]

const NODES: Dictionary[String, String] = {
	"target": "Node2D",
	"tip": "Node2D",
	"pin": "Node2D",
	"pole": "Node2D",
	"bone": "Bone2D",
	"chain_root": "Bone2D",
	"pelvis": "Bone2D",
	"leader": "Node2D",
	"source": "Node2D",
	"bone_one": "Bone2D",
	"bone_two": "Bone2D",
	"root_bone": "Bone2D",
	"tip_bone": "Bone2D",
	"path_2d": "Path2D",
	"animation_player": "AnimationPlayer",
	"body": "CharacterBody2D",
	# Anything may carry one that falls.
	"TendonRagdoll2D.body": "Node2D",
}


func test_the_rig() -> void:
	_expect_class("TendonRig2D")
	_expect_members("TendonRig2D", RIG)
	_expect_methods(
		"TendonRig2D",
		[
			"add_bone",
			"add_ccd",
			"add_copy_transform",
			"add_fabrik",
			"add_full_body",
			"add_joint_limit",
			"add_look_at",
			"add_ragdoll",
			"add_slider",
			"add_spline",
			"add_spring",
			"add_trail",
			"add_two_bone",
			"add_wave",
			"advance",
			"capture",
			"get_base_position",
			"get_base_rotation",
			"get_base_transform",
			"get_state",
			"keep_pose",
			"pose_limb",
			"reset",
			"restore_pose",
			"rig_character",
			"set_state",
			"sort_modifiers",
		]
	)
	_expect_signals("TendonRig2D", ["modification_processed"])
	equal(TendonRig2D.CALLBACK_MODE_PROCESS_PHYSICS, 0, "PHYSICS")
	equal(TendonRig2D.CALLBACK_MODE_PROCESS_IDLE, 1, "IDLE")
	equal(TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL, 2, "MANUAL")
	equal(TendonRig2D.CALLBACK_MODE_PROCESS_FRAME_END, 3, "FRAME_END")
	_expect_constants(
		"TendonRig2D",
		"CallbackModeProcess",
		[
			"CALLBACK_MODE_PROCESS_PHYSICS",
			"CALLBACK_MODE_PROCESS_IDLE",
			"CALLBACK_MODE_PROCESS_MANUAL",
			"CALLBACK_MODE_PROCESS_FRAME_END",
		]
	)
	var mode: Dictionary = _property("TendonRig2D", "callback_mode_process")
	equal(mode["hint"], PROPERTY_HINT_ENUM, "callback_mode_process is an enum")
	check(str(mode["hint_string"]).begins_with("Physics"), str(mode["hint_string"]))


func test_the_modifiers() -> void:
	for kind: String in MODIFIERS:
		_expect_class(kind)
		_expect_members(kind, _members(kind))
		var signals: PackedStringArray = ["target_reached", "target_lost"]
		signals.append_array(SIGNALS.get(kind, []))
		var methods: PackedStringArray = COMMON_METHODS.duplicate()
		if kind not in WITHOUT_TARGET:
			signals.append("transition_finished")
			methods.append_array(["is_in_transition", "reach"])
		elif kind == "TendonFullBody2D":
			signals.append("transition_finished")
			methods.append("is_in_transition")
		_expect_signals(kind, signals)
		if "obstacles" in MODIFIERS[kind]:
			methods.append("get_penetration")
		methods.append_array(METHODS.get(kind, []))
		_expect_methods(kind, methods)
		var statuses: PackedStringArray = ["IDLE", "REACHED", "OUT_OF_REACH", "INVALID"]
		for index: int in statuses.size():
			var constant: StringName = "STATUS_" + statuses[index]
			equal(
				ClassDB.class_get_integer_constant(kind, constant),
				index,
				"%s.%s" % [kind, constant]
			)


func test_the_joint_limit() -> void:
	_expect_class("TendonJointLimit2D")
	var expected: Dictionary[String, Variant] = {
		"active": true,
		"min_angle": -PI / 4,
		"max_angle": PI / 4,
		"space": 0,
		"stiffness": 0.0,
	}
	_expect_members("TendonJointLimit2D", expected)
	_expect_methods("TendonJointLimit2D", [])
	_expect_signals("TendonJointLimit2D", [])
	equal(TendonJointLimit2D.SPACE_PARENT, 0, "PARENT")
	equal(TendonJointLimit2D.SPACE_SKELETON, 1, "SKELETON")
	var space: Dictionary = _property("TendonJointLimit2D", "space")
	equal(space["hint"], PROPERTY_HINT_ENUM, "space is an enum")
	for member: String in ["min_angle", "max_angle"]:
		var angle: Dictionary = _property("TendonJointLimit2D", member)
		check("radians_as_degrees" in angle["hint_string"], member + " is shown in degrees")


func test_effectors_and_obstacles() -> void:
	_expect_class("TendonEffector2D")
	var members: Dictionary = {"tip_bone": null, "tip": null, "target": null}
	members.merge({"match_target_rotation": false, "weight": 1.0})
	_expect_members("TendonEffector2D", members)
	_expect_methods("TendonEffector2D", ["get_target_distance", "get_tip_position"])
	_expect_signals("TendonEffector2D", [])
	check(str(_property("TendonEffector2D", "weight")["hint_string"]).begins_with("0,1,"), "weight")
	for kind: String in ["TendonCCDIK2D", "TendonFABRIK2D", "TendonSpring2D"]:
		var property: Dictionary = _property(kind, "obstacles")
		equal(property["hint"], PROPERTY_HINT_TYPE_STRING, kind + ".obstacles is a typed array")
		var picker: String = "%d/%d:CollisionShape2D" % [TYPE_OBJECT, PROPERTY_HINT_NODE_TYPE]
		equal(property["hint_string"], picker, kind + ".obstacles takes nodes of its kind")
		var modifier: Node = ClassDB.instantiate(kind)
		equal(modifier.call("get_penetration"), 0.0, "before the first pass")
		equal(modifier.get("obstacles").get_typed_class_name(), &"CollisionShape2D", "its type")
		modifier.free()
	var effector: TendonEffector2D = TendonEffector2D.new()
	equal(effector.get_target_distance(), INF, "before the first pass")
	effector.free()


func test_inspector_hints() -> void:
	for kind: String in MODIFIERS.keys() + ["TendonRig2D"]:
		var influence: Dictionary = _property(kind, "influence")
		equal(influence["hint"], PROPERTY_HINT_RANGE, kind + ".influence is a range")
		check(str(influence["hint_string"]).begins_with("0,1,"), str(influence["hint_string"]))
	var angle: Dictionary = _property("TendonLookAt2D", "additional_rotation")
	check("radians_as_degrees" in angle["hint_string"], "additional_rotation is shown in degrees")


func test_enums() -> void:
	var mode: TendonRig2D.CallbackModeProcess = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
	var rig: TendonRig2D = TendonRig2D.new()
	rig.callback_mode_process = mode
	equal(rig.callback_mode_process, mode, "set as an enum")
	rig.free()
	var space: TendonJointLimit2D.Space = TendonJointLimit2D.SPACE_SKELETON
	equal(space, 1, "SKELETON")
	var fabrik: TendonFABRIK2D = TendonFABRIK2D.new()
	var status: TendonFABRIK2D.Status = fabrik.get_status()
	equal(status, TendonFABRIK2D.STATUS_IDLE, "read as an enum")
	fabrik.free()
	for kind: String in MODIFIERS:
		var statuses: PackedStringArray = ClassDB.class_get_enum_constants(kind, "Status", true)
		equal(statuses.size(), 4, kind + ".Status")
	_expect_constants("TendonJointLimit2D", "Space", ["SPACE_PARENT", "SPACE_SKELETON"])
	var copy: String = "TendonCopyTransform2D"
	_expect_constants(copy, "Space", ["SPACE_PARENT", "SPACE_SKELETON", "SPACE_GLOBAL"])
	_expect_constants(
		copy,
		"Channel",
		[
			"CHANNEL_ROTATION",
			"CHANNEL_POSITION_X",
			"CHANNEL_POSITION_Y",
			"CHANNEL_SCALE_X",
			"CHANNEL_SCALE_Y",
		]
	)


func test_groups() -> void:
	for kind: String in MODIFIERS:
		var groups: PackedStringArray = []
		for property: Dictionary in ClassDB.class_get_property_list(kind, true):
			if property["usage"] & PROPERTY_USAGE_GROUP != 0:
				groups.append(property["name"])
		equal(groups, PackedStringArray(GROUPS.get(kind, ALL_GROUPS)), kind)


func test_what_does_not_apply_is_hidden() -> void:
	var modifier: TendonTwoBoneIK2D = TendonTwoBoneIK2D.new()
	var changes: Array[int] = [0]
	modifier.property_list_changed.connect(func() -> void: changes[0] += 1)
	check(_is_shown(modifier, "flip_bend_direction"), "without a pole")
	var pole: Node2D = Node2D.new()
	modifier.pole = pole
	check(not _is_shown(modifier, "flip_bend_direction"), "with a pole")
	equal(changes[0], 1, "the inspector is told")
	modifier.pole = null
	check(_is_shown(modifier, "flip_bend_direction"), "without it again")
	equal(changes[0], 2, "the inspector is told again")
	pole.free()
	modifier.free()
	var rig: TendonRig2D = TendonRig2D.new()
	check(_is_shown(rig, "skip_when_invisible"), "in idle frames")
	rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
	check(not _is_shown(rig, "skip_when_invisible"), "by hand")
	rig.free()


func test_properties_take_only_nodes_of_their_kind() -> void:
	var modifier: TendonFABRIK2D = TendonFABRIK2D.new()
	var plain: Node2D = Node2D.new()
	modifier.set("root_bone", plain)
	equal(modifier.root_bone, null, "a bone property does not take another node")
	modifier.target = plain
	equal(modifier.target, plain, "any Node2D is a target")
	modifier.target = null
	equal(modifier.target, null, "nor does it have to be one")
	plain.free()
	modifier.free()
	expect_errors(["set_root_bone"], "the engine says so")


func test_status_before_the_first_pass() -> void:
	for kind: String in MODIFIERS:
		var modifier: Node = ClassDB.instantiate(kind)
		equal(modifier.call("get_status"), 0, kind + " is idle")
		equal(modifier.call("get_iterations"), 0, kind + " has not iterated")
		equal(modifier.call("get_target_distance"), INF, kind + " measures nothing")
		modifier.free()


func test_the_list_of_modifiers_is_complete() -> void:
	equal(_sorted(MODIFIERS.keys()), _sorted(modifier_classes()), "modifiers")
	var made: PackedStringArray = []
	for modifier: Node in one_of_each():
		made.append(modifier.get_class())
		modifier.free()
	equal(_sorted(made), _sorted(MODIFIERS.keys()), "one of each")
	equal(_sorted(FaultCharacter.MODIFIERS.values()), _sorted(MODIFIERS.keys()), "faults")


func test_every_class_has_the_prefix() -> void:
	var ours: PackedStringArray = extension_classes()
	check("TendonRig2D" in ours, "classes: %s" % ours)
	for kind: String in ours:
		check(kind.begins_with("Tendon"), kind + " has the prefix")
		# Of a class with static functions only there is nothing to clean up.
		var is_static: bool = not ClassDB.can_instantiate(kind)
		var is_counted: bool = ClassDB.is_parent_class(kind, "RefCounted")
		var is_node: bool = ClassDB.is_parent_class(kind, "Node")
		check(is_static or is_counted or is_node, kind + " cleans up")


## What a class has of the same name would take the place of what every node has.
func test_no_member_hides_one_of_a_node() -> void:
	for kind: String in extension_classes():
		for method: Dictionary in ClassDB.class_get_method_list(kind, true):
			for base: String in BASES:
				check(
					not ClassDB.class_has_method(base, method["name"]), kind + "." + method["name"]
				)
		for property: Dictionary in ClassDB.class_get_property_list(kind, true):
			if property["usage"] & (PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP) != 0:
				continue
			for base: String in BASES:
				var hidden: Array[Dictionary] = ClassDB.class_get_property_list(base).filter(
					func(other: Dictionary) -> bool: return other["name"] == property["name"]
				)
				check(hidden.is_empty(), kind + "." + property["name"])


func _expect_class(kind: String) -> void:
	check(ClassDB.class_exists(kind), kind + " exists")
	check(ClassDB.can_instantiate(kind), kind + " can be instantiated")
	equal(ClassDB.get_parent_class(kind), &"Node", kind + " is a Node")


func _members(kind: String) -> Dictionary:
	var members: Dictionary = COMMON.merged(MODIFIERS[kind])
	if kind == "TendonCCDIK2D":
		members["root_first"] = false
	if kind in WITHOUT_TARGET:
		members.erase("target")
		members.erase("target_position")
	if kind not in WITHOUT_TARGET or kind == "TendonFullBody2D":
		members["transition_duration"] = 0.0
		members["transition_type"] = Tween.TRANS_SINE
		members["ease_type"] = Tween.EASE_IN_OUT
		members["max_turn_speed"] = 0.0
	return members


## The class has [param expected], with these defaults, and no property beside them.
func _expect_members(kind: String, expected: Dictionary) -> void:
	var found: PackedStringArray = []
	for property: Dictionary in ClassDB.class_get_property_list(kind, true):
		if property["usage"] & (PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP) == 0:
			found.append(property["name"])
	equal(_sorted(found), _sorted(expected.keys()), kind + ", properties")
	for member: String in expected:
		var property: Dictionary = _property(kind, member)
		var about: String = "%s.%s" % [kind, member]
		check(not property.is_empty(), about + " exists")
		if property.is_empty():
			continue
		var default: Variant = ClassDB.class_get_property_default_value(kind, member)
		if member in NOT_SHOWN:
			# The engine knows the defaults of what is shown or stored.
			var node: Node = ClassDB.instantiate(kind)
			default = node.get(member)
			node.free()
		if expected[member] is float:
			near(default, expected[member], 1e-6, about + " by default")
		else:
			equal(default, expected[member], about + " by default")
		if member.ends_with("_curve"):
			equal(property["hint"], PROPERTY_HINT_RESOURCE_TYPE, about + ", hint")
			equal(property["hint_string"], "Curve", about + ", resource type")
		elif member in NODES:
			equal(property["type"], TYPE_OBJECT, about + ", type")
			equal(property["hint"], PROPERTY_HINT_NODE_TYPE, about + ", hint")
			var title: String = NODES.get(about, NODES[member])
			equal(property["hint_string"], title, about + ", node type")
		else:
			equal(property["type"], typeof(expected[member]), about + ", type")
		var is_stored: bool = property["usage"] & PROPERTY_USAGE_STORAGE != 0
		equal(is_stored, member not in NOT_STORED, about + " is stored")
		var is_shown: bool = property["usage"] & PROPERTY_USAGE_EDITOR != 0
		equal(is_shown, member not in NOT_SHOWN, about + " is in the inspector")


## The class has [param expected] and no method beside them, except accessors and virtual ones.
func _expect_methods(kind: String, expected: PackedStringArray) -> void:
	var found: PackedStringArray = []
	for method: Dictionary in ClassDB.class_get_method_list(kind, true):
		var title: String = method["name"]
		var is_accessor: bool = false
		for prefix: String in ["set_", "get_", "is_"]:
			var member: String = title.trim_prefix(prefix)
			is_accessor = (
				is_accessor or (member != title and not _property(kind, member).is_empty())
			)
		if not is_accessor and not title.begins_with("_"):
			found.append(title)
	equal(_sorted(found), _sorted(expected), kind + ", methods")


## The class has [param expected] and no signal beside them.
func _expect_signals(kind: String, expected: PackedStringArray) -> void:
	var found: PackedStringArray = []
	for heard: Dictionary in ClassDB.class_get_signal_list(kind, true):
		found.append(heard["name"])
	equal(_sorted(found), _sorted(expected), kind + ", signals")


## The enum [param title] of the class has the constants [param expected], numbered from 0, and no
## others. Scenes are saved with these numbers.
func _expect_constants(kind: String, title: String, expected: PackedStringArray) -> void:
	var found: PackedStringArray = ClassDB.class_get_enum_constants(kind, title, true)
	equal(_sorted(found), _sorted(expected), "%s.%s" % [kind, title])
	for index: int in expected.size():
		var number: int = ClassDB.class_get_integer_constant(kind, expected[index])
		equal(number, index, "%s.%s" % [kind, expected[index]])


func _sorted(names: PackedStringArray) -> PackedStringArray:
	var sorted: PackedStringArray = names.duplicate()
	sorted.sort()
	return sorted


## Whether the inspector shows [param member], which is stored in any case.
func _is_shown(node: Node, member: String) -> bool:
	for property: Dictionary in node.get_property_list():
		if property["name"] == member:
			check(property["usage"] & PROPERTY_USAGE_STORAGE != 0, member + " is stored")
			return property["usage"] & PROPERTY_USAGE_EDITOR != 0
	return false


func _property(kind: String, member: String) -> Dictionary:
	for property: Dictionary in ClassDB.class_get_property_list(kind, true):
		if property["name"] == member:
			return property
	return {}
