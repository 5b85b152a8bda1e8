extends SceneTree
## Counts the memory allocations of a pass, for the kinds of modifiers that search for a pose. There
## must be none. A library that [code]scripts/test.mk[/code] loads into the engine counts those of
## the extension.

const Figure := preload("res://tests/figure.gd")

## Characters with feet on the ground, and what walks with them.
const WALKERS: Array[String] = ["res://scenes/feet/astronaut.tscn", "res://scenes/gait/spider.tscn"]

const POSE: Array[float] = [0.4, -0.7, 0.9, 0.2]
const PASSES: int = 200
## Names of modifiers that have something more.
const TREE: String = " with an effector"
const WALLED: String = " with an obstacle"


func _initialize() -> void:
	# The scene tree is not ready before the first frame.
	await process_frame
	var worst: int = 0
	for modifier: Node in [
		TendonLookAt2D.new(),
		TendonTwoBoneIK2D.new(),
		TendonCCDIK2D.new(),
		TendonFABRIK2D.new(),
		TendonSplineIK2D.new(),
		_named(TendonFABRIK2D.new(), TREE),
		_named(TendonFABRIK2D.new(), WALLED),
		_named(TendonCCDIK2D.new(), WALLED),
	]:
		var solver: String = modifier.get_class() + modifier.name
		var allocations: int = _count(modifier)
		print("%s: %d allocations in %d passes" % [solver, allocations, PASSES])
		worst = maxi(worst, allocations)
	for path: String in WALKERS:
		var allocations: int = await _count_walking(path)
		print("%s: %d allocations in %d passes" % [path.get_file(), allocations, PASSES])
		worst = maxi(worst, allocations)
	if _allocations() == 0:
		print("ALLOCATIONS: nothing counts them")
	else:
		print("ALLOCATIONS: %d at most" % worst)
	quit()


## In reach and out of reach, with a moved target and without. A signal may allocate, so no status
## changes while this counts.
func _count(modifier: Node) -> int:
	var figure: Figure = Figure.new([30, 25, 20, 10], POSE)
	figure.add(modifier)
	match String(modifier.name):
		TREE:
			var effector: TendonEffector2D = TendonEffector2D.new()
			effector.tip_bone = figure.bones[1]
			effector.target = Marker2D.new()
			effector.target.position = Vector2(20, 900)
			figure.stage.add_child(effector.target)
			modifier.add_child(effector)
		WALLED:
			var obstacle: CollisionShape2D = CollisionShape2D.new()
			obstacle.shape = CircleShape2D.new()
			obstacle.position = Vector2(25, 10)
			figure.stage.add_child(obstacle)
			modifier.get("obstacles").append(obstacle)
	root.add_child(figure.stage)
	var allocations: int = 0
	for distance: float in [40.0, 500.0]:
		# A tree grows its memory the first time it has to search.
		_circle(figure, distance, modifier)
		allocations += _circle(figure, distance, modifier)
	if modifier.call("get_iterations") == 0:
		allocations = PASSES
		printerr("It was not solved")
	figure.stage.free()
	return allocations


## Follows a target round a circle. Returns the allocations of the passes in which the status stays:
## a change of it is told by a signal, which allocates.
func _circle(figure: Figure, distance: float, modifier: Node) -> int:
	var allocations: int = 0
	for step: int in range(0, PASSES, 4):
		for point: Vector2 in [Vector2.from_angle(0.1 * step) * distance, Vector2.INF]:
			var status: int = modifier.call("get_status")
			var before: int = _allocations()
			if point == Vector2.INF:
				figure.solve()
			else:
				figure.solve(point)
			if modifier.call("get_status") == status:
				allocations += _allocations() - before
	return allocations


## Walks to and fro over two stairs. When a foot is planted or lifted, a signal may allocate.
func _count_walking(path: String) -> int:
	var ground: StaticBody2D = StaticBody2D.new()
	for stair: int in 3:
		var shape: CollisionShape2D = CollisionShape2D.new()
		shape.shape = RectangleShape2D.new()
		(shape.shape as RectangleShape2D).size = Vector2(400, 40)
		shape.position = Vector2(150 * stair, 20 - 10 * stair)
		ground.add_child(shape)
	root.add_child(ground)
	var walker: Node2D = (load(path) as PackedScene).instantiate()
	var rig: TendonRig2D = walker.get_node("Skeleton2D/TendonRig2D")
	rig.callback_mode_process = TendonRig2D.CALLBACK_MODE_PROCESS_MANUAL
	root.add_child(walker)
	var feet: Array[Node] = rig.find_children("*", "TendonFoot2D", true, false)
	var allocations: int = 0
	var steps: int = 0
	for step: int in 4 * PASSES:
		walker.position.x = 200.0 * sin(0.01 * step)
		await physics_frame
		var planted: Array = feet.map(_is_planted)
		var before: int = _allocations()
		rig.advance(1.0 / 60.0)
		var made: int = _allocations() - before
		if planted != feet.map(_is_planted):
			steps += 1
		elif step >= 3 * PASSES:
			allocations += made
	if steps == 0:
		allocations = PASSES
		printerr("It did not walk")
	walker.free()
	ground.free()
	return allocations


func _is_planted(foot: TendonFoot2D) -> bool:
	return foot.is_planted()


## How many allocations the extension has made so far.
func _allocations() -> int:
	# Opened anew: an open file keeps what it has read.
	var file: FileAccess = FileAccess.open(
		OS.get_environment("TENDON_ALLOCATIONS"), FileAccess.READ
	)
	return 0 if file == null else file.get_64()


func _named(modifier: Node, title: String) -> Node:
	modifier.name = title
	return modifier
