extends RefCounted
## What many measurements of the same thing say.


## Median and spread of [param samples], as the JSON file has them.
static func summary(samples: PackedFloat64Array) -> Dictionary[String, float]:
	var sorted: PackedFloat64Array = samples.duplicate()
	sorted.sort()
	return {
		"median": _quantile(sorted, 0.5),
		"p10": _quantile(sorted, 0.1),
		"p90": _quantile(sorted, 0.9),
	}


static func median(samples: PackedFloat64Array) -> float:
	return summary(samples)["median"]


## The mean of the middle half: as deaf to outliers as the median, and finer than the clock's
## whole microseconds.
static func middle_mean(samples: PackedFloat64Array) -> float:
	var sorted: PackedFloat64Array = samples.duplicate()
	sorted.sort()
	@warning_ignore("integer_division")
	var cut: int = sorted.size() / 4
	var sum: float = 0.0
	for index: int in range(cut, sorted.size() - cut):
		sum += sorted[index]
	return sum / (sorted.size() - 2 * cut)


## Each of [param samples] less the one of the same round in [param base], per [param count].
static func differences(
	samples: PackedFloat64Array, base: PackedFloat64Array, count: float = 1.0
) -> PackedFloat64Array:
	var result: PackedFloat64Array = PackedFloat64Array()
	for index: int in samples.size():
		result.append((samples[index] - base[index]) / count)
	return result


## Each of [param samples] over the one of the same round in [param base].
static func ratios(samples: PackedFloat64Array, base: PackedFloat64Array) -> PackedFloat64Array:
	var result: PackedFloat64Array = PackedFloat64Array()
	for index: int in samples.size():
		result.append(samples[index] / base[index] if base[index] > 0.0 else INF)
	return result


static func _quantile(sorted: PackedFloat64Array, share: float) -> float:
	var place: float = share * (sorted.size() - 1)
	var below: int = floori(place)
	var above: int = ceili(place)
	return lerpf(sorted[below], sorted[above], place - below)
