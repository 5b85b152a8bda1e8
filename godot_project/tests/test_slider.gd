extends "res://tests/suite.gd"
## TendonSlider2D.

const LENGTHS: Array[float] = [30, 10, 20]
const POSE: Array[float] = [0.4, -0.3, 0.7]
const COUNT: int = 500
const PROPERTIES: PackedStringArray = [
	"rotation", "position", "scale", "position:x", "position:y", "scale:x", "scale:y"
]

var random: RandomNumberGenerator = RandomNumberGenerator.new()


func test_random_tracks_are_as_the_engine_samples_them() -> void:
	random.seed = 26
	for count: int in COUNT:
		var figure: Figure = _figure()
		var animation: Animation = _animation(figure)
		var property: String = PROPERTIES[count % PROPERTIES.size()]
		var is_bezier: bool = property not in ["position", "scale"] and random.randf() < 0.5
		var track: int = _random_track(animation, _path(figure, property), is_bezier)
		var slider: TendonSlider2D = _slider(figure)
		slider.source_min = random.randf_range(-50, 0)
		slider.source_max = random.randf_range(1, 90)
		slider.time_min = random.randf_range(-0.2, 0.5)
		slider.time_max = random.randf_range(0.6, 2.2)
		for step: int in 4:
			figure.target.position.x = random.randf_range(-60, 100)
			figure.rig.advance(0.0)
			var time: float = _time(slider)
			var expected: Variant = (
				animation.bezier_track_interpolate(track, time)
				if is_bezier
				else animation.value_track_interpolate(track, time)
			)
			var about: String = "track %d, %s, at %s" % [count, property, time]
			equal(
				_single(figure.bones[1].get_indexed(NodePath(property))), _single(expected), about
			)
			equal(slider.get_status(), TendonSlider2D.STATUS_REACHED, "status, " + about)
		figure.stage.free()


func test_the_player_is_not_touched() -> void:
	var figure: Figure = _figure()
	_turning(figure)
	var player: AnimationPlayer = figure.stage.get_node("Player")
	var other: Animation = Animation.new()
	other.length = 5.0
	player.get_animation_library("").add_animation("other", other)
	player.callback_mode_process = AnimationMixer.ANIMATION_CALLBACK_MODE_PROCESS_MANUAL
	player.play("other")
	player.seek(1.25, true)
	_slider(figure)
	for step: int in 10:
		figure.target.position.x = 0.1 * step
		figure.rig.advance(0.1)
	equal(player.current_animation, "other", "plays on")
	equal(player.current_animation_position, 1.25, "at the same time")
	near(figure.bones[1].rotation, 0.9 * 2.0, 1e-5, "the bone follows the other animation")


## Also after its length was changed.
func test_it_goes_to_the_end_of_the_animation() -> void:
	var figure: Figure = _figure()
	var animation: Animation = _turning(figure)
	animation.track_insert_key(0, 3.0, 5.0)
	var slider: TendonSlider2D = _slider(figure)
	slider.time_max = -1.0
	figure.target.position.x = 1.0
	for length: float in [1.0, 3.0]:
		animation.length = length
		figure.rig.advance(0.0)
		near_angle(figure.bones[1].rotation, length + 1.0 + (length - 1.0) / 2.0, 1e-5, str(length))
	slider.time_max = 0.25
	figure.rig.advance(0.0)
	near(figure.bones[1].rotation, 0.5, 1e-5, "a time that is set")
	slider.time_min = 1.0
	slider.time_max = 0.0
	figure.rig.advance(0.0)
	near(figure.bones[1].rotation, 0.0, 1e-5, "backwards")


## The source is a bone that a modifier above has turned in the same pass.
func test_it_follows_the_modifiers_above() -> void:
	var figure: Figure = _figure()
	_turning(figure)
	var copy: TendonCopyTransform2D = TendonCopyTransform2D.new()
	copy.bone = figure.bones[0]
	copy.source = figure.target
	copy.relative = false
	figure.rig.add_child(copy)
	var slider: TendonSlider2D = _slider(figure)
	slider.channel = TendonCopyTransform2D.CHANNEL_ROTATION
	slider.source = figure.bones[0]
	for angle: float in [0.2, 0.9, 0.4]:
		figure.target.rotation = angle
		figure.rig.advance(0.0)
		near(figure.bones[1].rotation, 2.0 * angle, 1e-5, "at %s" % angle)


func test_changed_keys_show_at_once() -> void:
	var figure: Figure = _figure()
	var animation: Animation = _turning(figure)
	_slider(figure)
	figure.target.position.x = 1.0
	figure.rig.advance(0.0)
	animation.track_set_key_value(0, 1, 1.5)
	figure.rig.advance(0.0)
	near(figure.bones[1].rotation, 1.5, 1e-6, "the new key")
	animation.track_set_enabled(0, false)
	figure.rig.advance(0.0)
	equal(figure.pose(), PackedFloat32Array(POSE), "no track")
	expect_warnings(["no track that poses a bone"], "no track")


func test_bad_input() -> void:
	var figure: Figure = _figure()
	var animation: Animation = _turning(figure)
	var slider: TendonSlider2D = _slider(figure)
	figure.target.position.x = 0.5
	figure.rig.advance(0.0)
	slider.animation = "unknown"
	for pass_count: int in 3:
		figure.rig.advance(0.0)
	expect_warnings(['Set "Animation"'], "an unknown animation")
	equal(figure.pose(), PackedFloat32Array(POSE), "the base pose")
	slider.animation = "scrubbed"
	figure.rig.advance(0.0)
	near(figure.bones[1].rotation, 1.0, 1e-6, "it recovers")
	animation.track_set_key_value(0, 1, NAN)
	figure.rig.advance(0.0)
	equal(slider.get_status(), TendonSlider2D.STATUS_INVALID, "not a number")
	expect_warnings([INVALID], "not a number")
	equal(figure.pose(), PackedFloat32Array(POSE), "the base pose, not a number")
	animation.track_set_key_value(0, 1, 2.0)
	figure.rig.advance(0.0)
	equal(slider.get_status(), TendonSlider2D.STATUS_REACHED, "it recovers from that")
	figure.stage.get_node("Player").free()
	for pass_count: int in 3:
		figure.rig.advance(0.0)
	expect_warnings(['Set "Animation Player"'], "a freed player")
	equal(figure.pose(), PackedFloat32Array(POSE), "the base pose, without a player")
	equal(slider.get_status(), TendonSlider2D.STATUS_IDLE, "idle")


func _figure() -> Figure:
	var figure: Figure = Figure.new(LENGTHS, POSE)
	var player: AnimationPlayer = AnimationPlayer.new()
	player.name = "Player"
	player.add_animation_library("", AnimationLibrary.new())
	figure.stage.add_child(player)
	add_child(figure.stage)
	return figure


func _slider(figure: Figure) -> TendonSlider2D:
	var slider: TendonSlider2D = TendonSlider2D.new()
	slider.source = figure.target
	slider.channel = TendonCopyTransform2D.CHANNEL_POSITION_X
	slider.animation_player = figure.stage.get_node("Player")
	slider.animation = "scrubbed"
	slider.time_max = 1.0
	figure.rig.add_child(slider)
	return slider


func _animation(figure: Figure) -> Animation:
	var animation: Animation = Animation.new()
	animation.length = 2.0
	var player: AnimationPlayer = figure.stage.get_node("Player")
	player.get_animation_library("").add_animation("scrubbed", animation)
	return animation


## From 0 to 2 radians in a second.
func _turning(figure: Figure) -> Animation:
	var animation: Animation = _animation(figure)
	var track: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, _path(figure, "rotation"))
	animation.track_insert_key(track, 0.0, 0.0)
	animation.track_insert_key(track, 1.0, 2.0)
	return animation


func _path(figure: Figure, property: String) -> NodePath:
	return NodePath("%s:%s" % [figure.stage.get_path_to(figure.bones[1]), property])


func _random_track(animation: Animation, path: NodePath, is_bezier: bool) -> int:
	var kind: Animation.TrackType = Animation.TYPE_BEZIER if is_bezier else Animation.TYPE_VALUE
	var track: int = animation.add_track(kind)
	animation.track_set_path(track, path)
	animation.loop_mode = random.randi_range(0, 1) as Animation.LoopMode
	for key: int in random.randi_range(1, 6):
		var time: float = random.randf_range(0, 2)
		var value: float = random.randf_range(0.2, 9.0)
		if is_bezier:
			var handle: Vector2 = Vector2(random.randf_range(0, 0.4), random.randf_range(-3, 3))
			animation.bezier_track_insert_key(track, time, value, -handle, handle)
		elif path.get_concatenated_subnames() in [&"position", &"scale"]:
			animation.track_insert_key(track, time, Vector2(value, random.randf_range(0.3, 5)))
		else:
			animation.track_insert_key(track, time, value, random.randf_range(0.3, 3))
	if not is_bezier:
		var curve: int = random.randi_range(0, 4)
		animation.track_set_interpolation_type(track, curve as Animation.InterpolationType)
		var mode: int = random.randi_range(0, 1)
		animation.value_track_set_update_mode(track, mode as Animation.UpdateMode)
	return track


func _time(slider: TendonSlider2D) -> float:
	var value: float = (slider.source as Node2D).position.x
	var part: float = (value - slider.source_min) / (slider.source_max - slider.source_min)
	return slider.time_min + clampf(part, 0.0, 1.0) * (slider.time_max - slider.time_min)


## In single precision, as nodes hold numbers.
func _single(value: Variant) -> Vector2:
	return value if value is Vector2 else Vector2(value, 0)
