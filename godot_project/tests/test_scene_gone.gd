extends "res://tests/posing_suite.gd"
## Drags, strokes and windows whose scene goes meanwhile: its tab is left, it is closed or loaded
## again, what they hold is deleted, renamed or moved. An editor is started for this: see
## [code]scene_gone_driver.gd[/code].

const DRIVER: String = "scene_gone_driver"


func test_nothing_outlives_its_scene() -> void:
	for line: String in seen:
		if not ", " in line:
			continue
		var facts: Dictionary = seen[line]
		equal(facts["held"], true, line + ": it was held")
		equal(facts["newly selected"], [], line + ": what is selected elsewhere")
		equal(facts["changed"], [], line + ": the scene that is left is as before")
		equal(facts["blocked"], false, line + ": the selection tells of changes")
	for window: String in ["Bake to Animation…", "Bake to Targets…", "Skin to Bones…"]:
		equal(seen[window], [true, false], window + " is open, there and in another scene")
	expect_no_errors(["panic", "SCRIPT ERROR", "Tendon"], ENGINE_NOISE)


func _make_scenes() -> Dictionary:
	return {"plain": _character("plain"), "arm": _arm(), "other": _arm()}


## A limb with a target, bones without one, of which one has a limit, and a skin.
func _arm() -> Node2D:
	var figure: Figure = Figure.new([60.0, 50.0], [0.25, 0.5])
	figure.rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_IDLE
	var arm: TendonTwoBoneIK2D = figure.two_bone()
	arm.name = "Arm"
	figure.target.position = Vector2(60, 70)
	var free: Bone2D = Figure.branch(figure.skeleton, Vector2(-40, 0), [50.0], [2.0])[0]
	free.name = "Free"
	var still: Bone2D = Figure.branch(figure.skeleton, Vector2(-40, 30), [50.0], [2.0])[0]
	still.name = "Still"
	var limit: TendonJointLimit2D = TendonJointLimit2D.new()
	limit.name = "Limit"
	still.add_child(limit)
	var skin: Polygon2D = Polygon2D.new()
	skin.name = "Skin"
	skin.position = Vector2(-150, -60)
	var corners: Array = [Vector2(0, 0), Vector2(40, 0), Vector2(40, 20), Vector2(0, 20)]
	skin.polygon = PackedVector2Array(corners)
	skin.skeleton = NodePath("../Skeleton")
	skin.add_bone(NodePath("Free"), PackedFloat32Array([0.5, 0.5, 0.5, 0.5]))
	skin.add_bone(NodePath("Still"), PackedFloat32Array([0.5, 0.5, 0.5, 0.5]))
	figure.stage.add_child(skin)
	var library: AnimationLibrary = AnimationLibrary.new()
	library.add_animation("walk", Animation.new())
	var player: AnimationPlayer = AnimationPlayer.new()
	player.name = "Player"
	player.add_animation_library(&"", library)
	figure.stage.add_child(player)
	return figure.stage
