extends SceneTree
## Damages 20,000 states of rigs of all kinds: see [code]damaged_states.gd[/code]. It ends itself if
## one hangs.
##
## [code]godot --headless --fixed-fps 60 --path godot_project
## --script res://tests/state_faults.gd -- SEED[/code]

const DamagedStates := preload("res://tests/damaged_states.gd")

const COUNT: int = 20_000
const AT_A_TIME: int = 20
## Seconds without a new state after which it hangs.
const PATIENCE: int = 60

var _states: DamagedStates
var _is_over: bool = false
var _watchdog: Thread = Thread.new()


func _initialize() -> void:
	var words: PackedStringArray = OS.get_cmdline_user_args()
	var number: int = int(words[0]) if words.size() > 0 else int(Time.get_unix_time_from_system())
	print("seed %d" % number)
	_states = DamagedStates.new(number)
	_watchdog.start(_watch)
	await process_frame
	await _states.make(root)
	while _states.tried < COUNT and _states.wrong.is_empty():
		await physics_frame
		_states.try_some(AT_A_TIME)
	_states.free_all()
	_is_over = true
	_watchdog.wait_to_finish()
	for words_of_one: String in _states.wrong:
		print(words_of_one)
	print(
		(
			"STATES: %d tried, %d taken, %d wrong"
			% [_states.tried, _states.taken, _states.wrong.size()]
		)
	)
	quit(0 if _states.wrong.is_empty() else 1)


func _watch() -> void:
	var last: int = -1
	var waited: int = 0
	while not _is_over:
		OS.delay_msec(1000)
		waited = waited + 1 if _states.tried == last else 0
		last = _states.tried
		if waited >= PATIENCE:
			print("STATES: hangs at number %d" % last)
			OS.kill(OS.get_process_id())
