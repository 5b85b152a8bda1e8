extends RefCounted
## A document of the repository, and what a reader would take from it: tables, scripts and steps.

var text: String


## Reads [param path], which is relative to the repository.
func _init(path: String) -> void:
	var project: String = ProjectSettings.globalize_path("res://")
	text = FileAccess.get_file_as_string(project.path_join("..").path_join(path))


## README.md and the pages of the manual.
static func all() -> PackedStringArray:
	var project: String = ProjectSettings.globalize_path("res://")
	var files: PackedStringArray = ["README.md"]
	for file: String in DirAccess.get_files_at(project.path_join("../docs")):
		if file.ends_with(".md"):
			files.append("docs/" + file)
	return files


## The rows of the table whose first line has exactly [param titles]: each with its cells by title,
## without backticks and the unit of degrees.
func table(titles: PackedStringArray) -> Array[Dictionary]:
	var rows: Array[Dictionary] = []
	var lines: PackedStringArray = text.split("\n")
	var line: int = lines.find("| %s |" % " | ".join(titles)) + 2
	while line > 1 and line < lines.size() and lines[line].begins_with("|"):
		var cells: PackedStringArray = lines[line].trim_prefix("| ").trim_suffix(" |").split(" | ")
		var row: Dictionary = {}
		for index: int in mini(cells.size(), titles.size()):
			row[titles[index]] = cells[index].strip_edges().replace("`", "").trim_suffix("°")
		rows.append(row)
		line += 1
	return rows


## The blocks of GDScript, in order.
func scripts() -> PackedStringArray:
	return _all("```gdscript\\n((?:.*\\n)*?)```")


## The entries of [param menu] that the text names, in bold.
func entries(menu: String) -> PackedStringArray:
	return _all("\\*\\*%s → ([^*]+)\\*\\*" % menu, _in_one_line())


## What the reader is to do in the editor, in order. [code]Select `A` and `B`, and choose **Menu →
## Entry**[/code] gives the nodes and the entry, [code]drag `A` onto `B`[/code] two nodes.
func steps() -> Array[Dictionary]:
	var pattern: RegEx = RegEx.create_from_string(
		(
			"[Ss]elect ((?:`\\w+`(?:, | and )?)+),? and choose \\*\\*(\\w+) → ([^*]+)\\*\\*"
			+ "|drag `(\\w+)` onto `(\\w+)`"
		)
	)
	var found: Array[Dictionary] = []
	for step: RegExMatch in pattern.search_all(_in_one_line()):
		if step.get_string(4).is_empty():
			var nodes: PackedStringArray = _all("`(\\w+)`", step.get_string(1))
			found.append({"select": nodes, "menu": step.get_string(2), "entry": step.get_string(3)})
		else:
			found.append({"drag": step.get_string(4), "onto": step.get_string(5)})
	return found


## The options that the reader is to switch on, or to leave off, by their names.
func switches() -> Dictionary[String, bool]:
	var found: Dictionary[String, bool] = {}
	for option: String in _all("switch on \\*([\\w ]+)\\*", _in_one_line()):
		found[option] = true
	for option: String in _all("Leave \\*([\\w ]+)\\* off", _in_one_line()):
		found[option] = false
	return found


## The two numbers of a cell such as "4, -98".
static func point(cell: String) -> Vector2:
	return Vector2(cell.get_slice(",", 0).to_float(), cell.get_slice(",", 1).to_float())


func _in_one_line() -> String:
	return RegEx.create_from_string("\\s+").sub(text, " ", true)


## The first group of every match.
func _all(pattern: String, within: String = text) -> PackedStringArray:
	var found: PackedStringArray = []
	for each: RegExMatch in RegEx.create_from_string(pattern).search_all(within):
		found.append(each.get_string(1))
	return found
