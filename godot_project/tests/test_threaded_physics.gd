extends "res://tests/editor_suite.gd"
## Physics on a thread of their own: a setting of the project, and so in an engine and a project of
## their own. See [code]threaded_physics_driver.gd[/code].

const PROJECT: String = "config_version=5\n\n[physics]\n\n2d/run_on_separate_thread=true\n"


func test_shapes_and_bodies_that_vanish_while_they_are_asked_for() -> void:
	var folder: DirAccess = _make_project({"project.godot": PROJECT})
	var driver: String = "res://tests/threaded_physics_driver.gd"
	var arguments: PackedStringArray = ["--headless", "--fixed-fps", "60"]
	arguments.append_array(["--path", folder.get_current_dir()])
	arguments.append_array(["--script", ProjectSettings.globalize_path(driver)])
	var said: Array = []
	OS.execute(engine(), arguments, said, true)
	check("THREADED: 60 ticks" in said[0], "it has come to its end: %s" % said[0].right(2000))
	for sign_of_trouble: String in ["panic", "SCRIPT ERROR", "FATAL"]:
		check(not sign_of_trouble in said[0], sign_of_trouble)
