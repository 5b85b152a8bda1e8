extends RefCounted
## The animations of a platformer's character: each foot on a path over level ground, and the pelvis
## up and down, turned into keys of the leg's bones.

const Legs := preload("res://tests/ground_legs.gd")

## What a walk and a run are made for, in pixels a second.
const WALK: float = 100.0
const RUN: float = 400.0


static func library(legs: Legs) -> AnimationLibrary:
	var made: AnimationLibrary = AnimationLibrary.new()
	var stays: Callable = func(_part: float, _leg: int) -> Vector2: return Vector2.ZERO
	var level: Callable = func(_part: float) -> float: return 0.0
	var walks: Callable = _stride.bind(WALK * 0.7, 0.6, 14.0)
	var walk_drop: Callable = func(part: float) -> float: return 2.5 - 1.5 * cos(2.0 * TAU * part)
	var runs: Callable = _stride.bind(RUN * 0.42, 0.3, 26.0)
	var run_drop: Callable = func(part: float) -> float: return 8.0 - 3.0 * cos(2.0 * TAU * part)
	var tucks: Callable = func(_part: float, leg: int) -> Vector2:
		return Vector2(6.0 - 14.0 * leg, -10.0 - 6.0 * leg)
	var crouches: Callable = func(part: float) -> float:
		return 24.0 * smoothstep(0.0, 1.0, minf(2.0 * part, 1.0))
	var breathes: Callable = func(part: float) -> float: return 2.0 + 2.0 * sin(TAU * part)
	made.add_animation("idle", _animation(legs, Vector2(1.0, 4), stays, level))
	made.add_animation("breathe", _animation(legs, Vector2(2.0, 16), stays, breathes))
	var crouch: Animation = _animation(legs, Vector2(0.5, 10), stays, crouches)
	crouch.loop_mode = Animation.LOOP_NONE
	made.add_animation("crouch", crouch)
	made.add_animation("walk", _animation(legs, Vector2(0.7, 70), walks, walk_drop))
	made.add_animation("run", _animation(legs, Vector2(0.42, 14), runs, run_drop))
	made.add_animation("jump", _animation(legs, Vector2(0.6, 6), tucks, level))
	return made


## A foot's place beside its home: so long a stride, of which a part is on the ground.
static func _stride(part: float, leg: int, stride: float, standing: float, lift: float) -> Vector2:
	var phase: float = fposmod(part + 0.5 * leg, 1.0)
	var way: float = stride * standing
	if phase < standing:
		return Vector2(way * (0.5 - phase / standing), 0)
	var swing: float = (phase - standing) / (1.0 - standing)
	return Vector2(way * (smoothstep(0.0, 1.0, swing) - 0.5), -lift * sin(PI * swing))


## `time` is how long it takes, and how many keys it has.
static func _animation(legs: Legs, time: Vector2, foot: Callable, drop: Callable) -> Animation:
	var made: Animation = Animation.new()
	made.length = time.x
	made.loop_mode = Animation.LOOP_LINEAR
	var pelvis: int = _track(made, "Legs/Pelvis:position")
	for leg: int in legs.uppers.size():
		var upper: String = "Legs/Pelvis/Upper%d" % leg
		var tracks: PackedInt32Array = [
			_track(made, upper + ":rotation"), _track(made, upper + "/Lower%d:rotation" % leg)
		]
		if not legs.foot_bones.is_empty():
			tracks.append(_track(made, upper + "/Lower%d/Foot%d:rotation" % [leg, leg]))
		for key: int in int(time.y) + 1:
			var part: float = key / time.y
			var sunk: Vector2 = Vector2(0, drop.call(part))
			var end: Vector2 = foot.call(part, leg)
			end += legs.homes[leg] - Vector2(0, legs.ankle_height) - sunk
			var turns: Vector2 = legs.bend(
				end - legs.pelvis.rest.origin - legs.uppers[leg].position
			)
			var values: PackedFloat64Array = [turns.x, turns.y, -turns.x - turns.y]
			for index: int in tracks.size():
				made.track_insert_key(tracks[index], time.x * part, values[index])
			if leg == 0:
				made.track_insert_key(pelvis, time.x * part, legs.pelvis.rest.origin + sunk)
	return made


static func _track(animation: Animation, path: String) -> int:
	var track: int = animation.add_track(Animation.TYPE_VALUE)
	animation.track_set_path(track, path)
	return track
