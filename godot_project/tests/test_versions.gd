extends "res://tests/suite.gd"
## What the documents say of versions of Godot, in the engine that runs the tests.

const Document := preload("res://tests/document.gd")

const ADDON: String = "res://addons/tendon"
## Classes of the engine that documents and tests speak of, and the first version that has each.
const SINCE: Dictionary[String, String] = {
	"SkeletonModificationStack2D": "4.0",
	"SkeletonModifier3D": "4.3",
	"Logger": "4.5",
	"IKModifier3D": "4.6",
}


func test_the_lowest_version() -> void:
	var config: ConfigFile = ConfigFile.new()
	equal(config.load(ADDON.path_join("tendon.gdextension")), OK, "the extension's file is read")
	var lowest: String = config.get_value("configuration", "compatibility_minimum", "")
	check(_runs(lowest), "the engine is %s or newer" % lowest)
	var readme: Document = Document.new("README.md")
	var addon: String = FileAccess.get_file_as_string(ADDON.path_join("README.md"))
	for text: String in [readme.text, addon]:
		check("Godot %s or newer" % lowest in text, "the lowest version in:\n" + text.left(300))
	var table: String = Document.new("docs/platforms.md").text
	var column: RegEx = RegEx.create_from_string("\\| Godot ([0-9.]+) (?=.*\\| bits \\|)")
	var columns: Array[RegExMatch] = column.search_all(table)
	check(not columns.is_empty(), "the table of platforms has versions")
	if not columns.is_empty():
		equal(columns[0].get_string(1), lowest, "the first version of the table of platforms")


func test_classes_came_with_their_versions() -> void:
	# An engine can be built without 3D.
	var has_3d: bool = ClassDB.class_exists(&"Node3D")
	for kind: String in SINCE:
		if kind.ends_with("3D") and not has_3d:
			continue
		var has_it: bool = ClassDB.class_exists(kind)
		equal(has_it, _runs(SINCE[kind]), "%s, which Godot has since %s" % [kind, SINCE[kind]])
	check(not ClassDB.class_exists(&"SkeletonModifier2D"), "there are modifiers of 2D skeletons")


## The engine is of [param version], such as 4.4, or of a newer one.
func _runs(version: String) -> bool:
	var info: Dictionary = Engine.get_version_info()
	var numbers: PackedStringArray = version.split(".")
	var minor: int = 1000 * info["major"] + info["minor"]
	return numbers.size() > 1 and minor >= 1000 * numbers[0].to_int() + numbers[1].to_int()
