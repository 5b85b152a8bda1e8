extends "res://tests/ground_suite.gd"
## Gaits that start at once, run, climb over crests, and stop.

const MOST_TURN: float = 0.301


func test_the_body_stays_up_when_it_starts_at_once() -> void:
	for count: int in [4, 8]:
		begin()
		box(Vector2.ZERO, Vector2(40000, 40))
		var legs: Legs = put(Legs.spider(count, 26.0 if count == 4 else 20.0), Vector2.ZERO)
		await seconds(0.6)
		var watch: Watch = Watch.new(legs)
		var sunk: float = 0.0
		for tick: int in 60:
			holder_of(legs).position.x += 200.0 * TICK
			await ticks(1)
			sunk = maxf(sunk, legs.pelvis.position.y + legs.hip_height)
		check(sunk <= 8.0, "%d legs: the body sinks by %.1f of 38 px" % [count, sunk])
		_is_calm(watch, "%d legs" % count)


func test_front_feet_keep_up_over_a_crest() -> void:
	for degrees: float in [15.0, 25.0]:
		for count: int in [6, 8]:
			begin()
			var slope: float = tan(deg_to_rad(degrees))
			polygon([Vector2(-600, 600 * slope), Vector2(0, 0), Vector2(600, 600 * slope)])
			var legs: Legs = put(Legs.spider(count, 20.0), Vector2(-250, 250 * slope))
			await seconds(0.5)
			var watch: Watch = Watch.new(legs)
			var farthest: float = 0.0
			var holder: Node2D = holder_of(legs)
			for tick: int in 280:
				holder.position.x += 100.0 * TICK
				holder.position.y = absf(holder.position.x) * slope
				await ticks(1)
				for leg: int in count:
					var away: float = legs.sole(leg).x - holder.position.x - legs.homes[leg].x
					farthest = maxf(farthest, absf(away))
			var text: String = "crest of %.0f degrees, %d legs" % [degrees, count]
			check(farthest <= 65.0, "%s: a foot is %.0f px from its home" % [text, farthest])
			_is_calm(watch, text)


## Of legs whose feet lag behind, the knees come down.
func test_knees_stay_above_the_ground() -> void:
	for degrees: float in [0.0, 15.0, 25.0]:
		for count: int in [4, 6, 8]:
			begin()
			var slope: float = tan(deg_to_rad(degrees))
			polygon(
				[
					Vector2(-600, 600 * slope),
					Vector2.ZERO,
					Vector2(600, 600 * slope),
					Vector2(0, 900)
				]
			)
			var legs: Legs = put(Legs.spider(count, 20.0), Vector2(-200, 200 * slope))
			await seconds(0.5)
			var lowest: float = INF
			var holder: Node2D = holder_of(legs)
			for tick: int in 240:
				holder.position.x += 100.0 * TICK
				holder.position.y = absf(holder.position.x) * slope
				await ticks(1)
				for lower: Bone2D in legs.lowers:
					var knee: Vector2 = lower.global_position
					lowest = minf(lowest, absf(knee.x) * slope - knee.y)
			var text: String = "%.0f degrees, %d legs" % [degrees, count]
			# Where the ground breaks that steeply, a knee may touch it for a moment.
			check(
				lowest > (4.0 if degrees < 20.0 else -7.0),
				"%s: a knee is %.1f px above the ground" % [text, lowest]
			)


func test_legs_turn_calmly_at_high_speed() -> void:
	for speed: float in [120.0, 480.0, 900.0]:
		for count: int in [2, 4, 6]:
			begin()
			box(Vector2.ZERO, Vector2(40000, 40))
			var legs: Legs = put(Legs.spider(count), Vector2.ZERO)
			await seconds(0.5)
			var watch: Watch = Watch.new(legs)
			for tick: int in 120:
				holder_of(legs).position.x += speed * TICK * minf(1.0, tick / 20.0)
				await ticks(1)
			_is_calm(watch, "%d legs, %.0f px/s" % [count, speed])


func test_feet_go_home_after_stopping() -> void:
	for speed: float in [60.0, 200.0]:
		begin()
		box(Vector2.ZERO, Vector2(40000, 40))
		var legs: Legs = put(Legs.spider(4), Vector2.ZERO)
		await seconds(0.5)
		for tick: int in 77:
			holder_of(legs).position.x += speed * TICK
			await ticks(1)
		await seconds(2.0)
		for leg: int in 4:
			var home: Vector2 = legs.to_global(legs.homes[leg])
			near_point(legs.sole(leg), home, 1.0, "%.0f px/s, foot %d" % [speed, leg])


func test_a_pair_of_legs_stands_where_it_stops() -> void:
	begin()
	box(Vector2.ZERO, Vector2(40000, 40))
	var legs: Legs = put(Legs.striding(), Vector2.ZERO)
	await seconds(0.5)
	var watch: Watch = Watch.new(legs)
	for tick: int in 120:
		holder_of(legs).position.x += 100.0 * TICK
		await ticks(1)
	_is_calm(watch, "100 px/s")
	await seconds(1.0)
	var rest: PackedFloat64Array = legs.turns()
	await seconds(0.5)
	for index: int in rest.size():
		near_angle(legs.turns()[index], rest[index], 1e-3, "at rest, joint %d" % index)


## A crab, which is lower than its legs are long and wider than that.
func test_a_low_wide_body_follows_the_ground() -> void:
	for degrees: float in [15.0, 27.0]:
		begin()
		var slope: float = tan(deg_to_rad(degrees))
		polygon(
			[
				Vector2(-600, 0),
				Vector2.ZERO,
				Vector2(200, -200 * slope),
				Vector2(400, 0),
				Vector2(900, 0),
				Vector2(0, 900)
			]
		)
		var legs: Legs = Legs.stepping(6, Vector3(22, 24, 16), 6.0, 18.0)
		var body: CharacterBody2D = carry(legs, Vector2(-100, -1))
		body.floor_snap_length = 20.0
		await fall(body, 0.0, 0.5)
		var deep: int = 0
		for tick: int in 500:
			await fall(body, 60.0, TICK)
			for leg: int in 6:
				deep += int(height_above_ground(legs.sole(leg)) < -4.0)
		check(body.position.x > 250.0, "%.0f degrees: it gets to %s" % [degrees, body.position])
		check(deep <= 15, "%.0f degrees: soles are in the ground in %d looks" % [degrees, deep])
		await fall(body, 0.0, 1.5)
		check(legs.planted() >= 3, "%.0f degrees: %d feet stand" % [degrees, legs.planted()])


## No foot hangs behind the body or is carried along, whatever the dog is like.
func test_a_dog_walks_on_slopes() -> void:
	for size: Vector3 in [Vector3(31, 26, 28), Vector3(58, 26, 28), Vector3(31, 16, 17)]:
		for degrees: float in [20.0, -20.0, 27.0, -27.0]:
			for way: float in [1.0, -1.0]:
				begin()
				var slope: float = tan(deg_to_rad(degrees))
				var far: Vector2 = Vector2(1500.0 * way, -1500.0 * slope)
				polygon(
					[
						Vector2(-400.0 * way, 2000),
						Vector2(-400.0 * way, 0),
						Vector2.ZERO,
						far,
						Vector2(far.x, 2000)
					]
				)
				var legs: Legs = put(_dog(size), Vector2(-150.0 * way, 0))
				var holder: Node2D = holder_of(legs)
				await seconds(0.3)
				var aloft: PackedInt32Array = [0, 0, 0, 0]
				var longest: int = 0
				var planted: PackedInt32Array = [0, 0, 0, 0]
				for tick: int in 360:
					holder.position.x += 80.0 * TICK * way
					holder.position.y = -maxf(holder.position.x * way, 0.0) * slope
					await ticks(1)
					for leg: int in 4:
						var stands: bool = legs.feet[leg].is_planted()
						aloft[leg] = 0 if stands else aloft[leg] + 1
						# It has come to the slope with all feet.
						if tick > 200:
							planted[leg] += int(stands)
							longest = maxi(longest, aloft[leg])
				var text: String = "%s, %.0f degrees, %.0f" % [size, degrees, way]
				check(longest <= 55, "%s: a foot is in the air for %d ticks" % [text, longest])
				for leg: int in 4:
					check(planted[leg] >= 30, "%s: %s of 160 looks planted" % [text, planted])


## At a run, too: most of its feet are in the air, and come down far ahead.
func test_a_dog_runs_on_slopes() -> void:
	# Degrees, pixels a second, the least number of looks planted, and where it begins: on the slope,
	# it dashes off.
	for trial: Vector4 in [
		Vector4(10, 400, 20, -150),
		Vector4(20, 250, 20, -150),
		Vector4(20, 300, 20, -150),
		Vector4(20, 400, 8, -150),
		Vector4(27, 250, 15, -150),
		Vector4(27, 400, 10, -150),
		Vector4(27, 400, 10, 200),
		Vector4(-20, 250, 30, -150),
		Vector4(-20, 400, 8, -150),
		Vector4(-27, 160, 30, -150),
	]:
		begin()
		var slope: float = tan(deg_to_rad(trial.x))
		var far: Vector2 = Vector2(4000, -4000 * slope)
		polygon([Vector2(-600, 4000), Vector2(-600, 0), Vector2.ZERO, far, Vector2(4000, 4000)])
		var start: Vector2 = Vector2(trial.w, -maxf(trial.w, 0.0) * slope)
		var legs: Legs = put(_dog(Vector3(31, 26, 28)), start)
		await seconds(0.3)
		var planted: PackedInt32Array = [0, 0, 0, 0]
		for tick: int in int(maxf(150.0 - trial.w, 0.0) * 60.0 / trial.y) + 240:
			var x: float = holder_of(legs).position.x + trial.y * TICK
			holder_of(legs).position = Vector2(x, -maxf(x, 0.0) * slope)
			await ticks(1)
			for leg: int in 4:
				planted[leg] += int(x > 150.0 and legs.feet[leg].is_planted())
		for leg: int in 4:
			check(planted[leg] >= trial.z, "%s: %s of 240 looks planted" % [trial, planted])


## Four legs below two girdles, which are so far from the middle: thighs and shins.
func _dog(size: Vector3) -> Legs:
	var legs: Legs = Legs.new(size.y, size.z, 0.92 * (size.y + size.z))
	legs._add_gait()
	legs.gait.search_up = 60.0
	for front: float in [-1.0, 1.0]:
		for near: float in [-2.0, 2.0]:
			var at: float = front * size.x + near
			legs.add_leg(Vector2(at, 0), Vector2(at, 0), 1 if front < 0.0 else -1)
	return legs


func test_a_body_that_stops_steps_home_once() -> void:
	var random: RandomNumberGenerator = RandomNumberGenerator.new()
	random.seed = 7
	for count: int in [2, 4, 6]:
		for speed: float in [50.0, 100.0, 200.0, 300.0]:
			for trial: int in 3:
				begin()
				box(Vector2.ZERO, Vector2(40000, 40))
				var bones: Vector3 = Vector3(44, 44, 80)
				var legs: Legs = Legs.striding(bones) if count == 2 else Legs.spider(count)
				put(legs, Vector2.ZERO)
				await seconds(0.3)
				for tick: int in random.randi_range(60, 130):
					holder_of(legs).position.x += speed * TICK
					await ticks(1)
				var watch: Watch = Watch.new(legs)
				var falls: PackedInt32Array = []
				var latest: int = 0
				falls.resize(count)
				for leg: int in count:
					legs.feet[leg].planted.connect(func() -> void: falls[leg] += 1)
				for tick: int in 90:
					var before: int = watch.plants
					await ticks(1)
					latest = tick if watch.plants > before else latest
				var text: String = "%d legs, %.0f px/s" % [count, speed]
				check(Array(falls).max() <= 1, "%s: feet fall so often: %s" % [text, falls])
				check(latest <= 42, "%s: the last foot falls after %d ticks" % [text, latest])
				for leg: int in count:
					var home: Vector2 = legs.to_global(legs.homes[leg])
					near_point(legs.sole(leg), home, 1.1, "%s, foot %d" % [text, leg])
				_is_calm(watch, text)


## By themselves, as animals of their size do.
func test_strides_are_those_of_an_animal() -> void:
	# Hips of 80 and 100 px/s: a human who walks. A small one makes more, and a run is no scurry.
	for trial: Vector4 in [
		Vector4(80, 100, 1.5, 2.6), Vector4(40, 70, 2.0, 4.0), Vector4(80, 300, 2.2, 3.8)
	]:
		begin()
		box(Vector2.ZERO, Vector2(40000, 40))
		var bone: float = 0.55 * trial.x
		var legs: Legs = put(Legs.striding(Vector3(bone, bone, trial.x)), Vector2.ZERO)
		await seconds(0.5)
		var watch: Watch
		for tick: int in 360:
			holder_of(legs).position.x += trial.y * TICK
			if tick == 60:
				watch = Watch.new(legs)
			await ticks(1)
		var falls: float = watch.plants / 5.0
		var text: String = "hips of %.0f at %.0f px/s" % [trial.x, trial.y]
		check(falls >= trial.z and falls <= trial.w, "%s: %.1f footfalls a second" % [text, falls])
		_is_calm(watch, text)


func test_a_body_goes_down_before_it_steps_down() -> void:
	for depth: float in [12.0, 18.0]:
		for count: int in [2, 4]:
			begin()
			box(Vector2(-1000, 0), Vector2(2000, 20))
			box(Vector2(1000, depth), Vector2(2000, 20))
			var legs: Legs = put(Legs.stepping(count), Vector2(-150, 0))
			await seconds(0.5)
			var none: int = 0
			for tick: int in 240:
				holder_of(legs).position.x += 80.0 * TICK
				await ticks(1)
				none += int(legs.planted() == 0)
			equal(none, 0, "%d legs, %.0f px down: looks at none that stands" % [count, depth])


func _is_calm(watch: Watch, text: String) -> void:
	var at: Array = [text, watch.added_turn, watch.added_at]
	check(watch.added_turn <= MOST_TURN, "%s: a joint turns by %.2f in a tick: %s" % at)
	equal(watch.broken_laws(), "", text)
