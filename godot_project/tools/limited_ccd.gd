extends SceneTree
## Prints how many times as long the engine's own CCD with constraints takes as Tendon's, for short
## chains with limits on every joint: the least of five runs of 4,000 passes each. Some targets are
## out of reach within the limits. For a release build.
##
## [code]godot --headless --path build/packaged/godot_project --script
## res://tools/limited_ccd.gd[/code]

const LENGTH: float = 40.0
const LIMIT: float = 1.2
const FRAMES: int = 4000
const RUNS: int = 5
const DELTA: float = 1.0 / 60.0


func _initialize() -> void:
	_run.call_deferred()


func _run() -> void:
	for count: int in [2, 3, 5]:
		var engine: float = _measure(_engine, count)
		var tendon: float = _measure(_tendon, count)
		print("%d bones: engine/Tendon %.2f" % [count, engine / tendon])
	quit()


## Microseconds for a pass. [param prepare] returns what runs one.
func _measure(prepare: Callable, count: int) -> float:
	var stage: Node2D = Node2D.new()
	root.add_child(stage)
	var skeleton: Skeleton2D = Skeleton2D.new()
	stage.add_child(skeleton)
	var target: Marker2D = Marker2D.new()
	stage.add_child(target)
	var pass_once: Callable = prepare.call(skeleton, _bones(skeleton, count), target)
	var least: float = INF
	for run: int in RUNS:
		var spent: int = 0
		for frame: int in FRAMES:
			var phase: float = 0.01 * frame
			var reach: float = (0.7 + 0.2 * sin(1.7 * phase)) * LENGTH * count
			target.position = Vector2.from_angle(0.3 * sin(phase)) * reach
			var begun: int = Time.get_ticks_usec()
			pass_once.call()
			spent += Time.get_ticks_usec() - begun
		least = minf(least, float(spent) / FRAMES)
	stage.free()
	return least


func _bones(skeleton: Skeleton2D, count: int) -> Array[Bone2D]:
	var bones: Array[Bone2D] = []
	var above: Node = skeleton
	for index: int in count:
		var bone: Bone2D = Bone2D.new()
		bone.set_autocalculate_length_and_angle(false)
		bone.set_length(LENGTH)
		bone.position.x = LENGTH if index > 0 else 0.0
		bone.rotation = 0.2
		bone.rest = bone.transform
		above.add_child(bone)
		bones.append(bone)
		above = bone
	return bones


func _engine(skeleton: Skeleton2D, bones: Array[Bone2D], target: Node2D) -> Callable:
	var tip: Node2D = Node2D.new()
	tip.position.x = LENGTH
	bones[-1].add_child(tip)
	var stack: SkeletonModificationStack2D = SkeletonModificationStack2D.new()
	var ccd: SkeletonModification2DCCDIK = SkeletonModification2DCCDIK.new()
	stack.modification_count = 1
	stack.set_modification(0, ccd)
	ccd.ccdik_data_chain_length = bones.size()
	skeleton.set_modification_stack(stack)
	ccd.target_nodepath = skeleton.get_path_to(target)
	ccd.tip_nodepath = skeleton.get_path_to(tip)
	for index: int in bones.size():
		ccd.set_ccdik_joint_bone2d_node(index, skeleton.get_path_to(bones[index]))
		ccd.set_ccdik_joint_enable_constraint(index, true)
		ccd.set_ccdik_joint_constraint_angle_min(index, -LIMIT)
		ccd.set_ccdik_joint_constraint_angle_max(index, LIMIT)
	stack.setup()
	stack.enabled = true
	return skeleton.execute_modifications.bind(DELTA, 0)


func _tendon(skeleton: Skeleton2D, bones: Array[Bone2D], target: Node2D) -> Callable:
	var rig: TendonRig2D = TendonRig2D.new()
	rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
	skeleton.add_child(rig)
	var ccd: TendonCCDIK2D = TendonCCDIK2D.new()
	ccd.root_bone = bones[0]
	ccd.tip_bone = bones[-1]
	ccd.target = target
	rig.add_child(ccd)
	for bone: Bone2D in bones:
		var limit: TendonJointLimit2D = TendonJointLimit2D.new()
		limit.min_angle = -LIMIT
		limit.max_angle = LIMIT
		bone.add_child(limit)
	return rig.advance.bind(DELTA)
