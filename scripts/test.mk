# The steps of scripts/test, each with what has to pass before it. Of those that could start, the first does.

SHELL := bash
STEP = scripts/step $@
RUST_TESTS = cargo test --locked --workspace
# Of the extension, without those of the web: see web-features.
FEATURES = --features tendon-nodes/bench
SHELL_SCRIPTS = $(shell grep --files-with-matches '^.!.*bash' scripts/* .ci/*)
GDSCRIPTS = $(shell git ls-files --cached --others --exclude-standard '*.gd')
SCHEMA = .venv/bin/check-jsonschema --builtin-schema vendor

PACKAGED = build/packaged/godot_project
CAPTURES = build/captures.jsonl
COUNTER = build/count_allocations.so
# As fast as frames can be made, and all of the same length.
FIXED_RATE = --fixed-fps 60
# What may differ between the library of games and that with the checks of debug builds: bits, panics and threads.
RELEASED = test_golden test_bad_numbers test_gallery test_other_threads test_ragdoll_lockstep test_random_changes \
	test_random_rigs test_reentry test_state test_thread_groups test_threaded_physics test_versions
# The suites of the editor in which characters are posed, rigged and drawn: half of its time.
DRAWING = posing_suite test_desk test_rig_character test_skins test_odd_skins test_painting
# $(call engine,PROJECT,PATTERN,ARGUMENTS) runs the engine without a window, which prints a line with PATTERN.
engine = $(STEP) scripts/watch '$(2)' scripts/godot --headless --path $(1) $(3)
COMMA := ,
script = --script res://tests/$(1).gd
TESTED := ^IN-ENGINE: [1-9][0-9]* passed, 0 failed$$
# Some awks do not know {4}.
DRAWN := ^FAULTS: [1-9][0-9][0-9][0-9][0-9] of [1-9][0-9]+ kinds, 0 failed
CAPTURED := ^CAPTURES: [1-9][0-9]*, 0 missing$$
# A long run draws new faults. Any other repeats the same: a fault that failed must not pass the next time.
SEED = $(if $(TENDON_LONG),,-- 1)
SOAK_FRAMES = $(if $(TENDON_LONG),100000,5000)

QUICK = engine build build-of-tests project-import in-engine-tests rust-tests clippy rust-format imports \
	places pins notices platform-table shellcheck gdscript-format gdscript-lint forms
REST = rust-docs web-features manual editor-tests drawing-tests in-engine-tests-of-the-package editor-test-of-the-package \
	faults captures replay-of-captures exported-gallery soak threads allocations instructions report

.PHONY: all quick long platforms library packaged-project lint-tools faults-of-the-debug-build $(QUICK) $(REST)

# The longest chain of steps begins with the library.
all: library $(QUICK) $(REST)
quick: $(QUICK)
long: all faults-of-the-debug-build

engine:
	$(STEP) scripts/godot --fetch

# Builds

# What users get.
library:
	$(STEP) scripts/package --stage build/staged

build:
	$(STEP) scripts/build

build-of-tests: build
	$(STEP) $(RUST_TESTS) --no-run

project-import: engine build
	$(call engine,godot_project,^Godot Engine,--import)

packaged-project: library project-import
	$(STEP) scripts/packaged-project build/staged $(PACKAGED)

# Tests run once, with the debug build, which checks more, but for RELEASED.

rust-tests: build-of-tests
	$(STEP) $(RUST_TESTS) --no-fail-fast

editor-tests: project-import
	$(call engine,godot_project,$(TESTED),$(call script,run) -- editor_suite $(addprefix -,$(DRAWING)))

drawing-tests: project-import
	$(call engine,godot_project,$(TESTED),$(call script,run) -- $(DRAWING))

in-engine-tests: project-import
	$(call engine,godot_project,$(TESTED),$(FIXED_RATE) $(call script,run) -- -editor_suite)

in-engine-tests-of-the-package: packaged-project
	$(call engine,$(PACKAGED),$(TESTED),$(FIXED_RATE) $(call script,run) -- $(RELEASED))

# An editor with the library of games.
editor-test-of-the-package: packaged-project
	$(call engine,$(PACKAGED),$(TESTED),$(call script,run) -- test_library)

faults: packaged-project
	$(call engine,$(PACKAGED),$(DRAWN),$(FIXED_RATE) $(call script,faults) $(SEED))

faults-of-the-debug-build: project-import
	$(call engine,godot_project,$(DRAWN),$(FIXED_RATE) $(call script,faults) $(SEED))

captures: packaged-project
	$(call engine,$(PACKAGED),$(CAPTURED),$(call script,captures) -- $(CURDIR)/$(CAPTURES))

replay-of-captures: captures build-of-tests
	$(STEP) $(or $(CARGO_TARGET_DIR),target)/debug/tendon-replay $(CAPTURES)

exported-gallery: library project-import
	$(STEP) scripts/try-package build/staged --gallery

soak: packaged-project
	$(call engine,$(PACKAGED),^SOAK: 0 wrong,$(FIXED_RATE) $(call script,soak) -- $(SOAK_FRAMES))

threads: packaged-project
	$(call engine,$(PACKAGED),^THREADS: 0 wrong$$,$(call script,threads))

$(COUNTER): packaging/count_allocations.c packaging/shallow_dlopen.c
	cc -O2 -shared -fPIC -Wall -Werror -o $@ $^

# With a library before all others that counts how often the extension asks for memory.
allocations: packaged-project $(COUNTER)
	rm -f build/allocations
	$(STEP) scripts/watch '^ALLOCATIONS: 0 at most$$' \
		env LD_PRELOAD=$(COUNTER) TENDON_ALLOCATIONS='$(CURDIR)/build/allocations' \
		scripts/godot --headless --path $(PACKAGED) $(call script,allocations)

# How many of them a character takes, and that none takes more than before.
instructions: library project-import
	$(STEP) scripts/bench --count build/staged

# Checks

# Cargo builds one thing after the other.
clippy: build-of-tests
	$(STEP) cargo clippy --locked --workspace --all-targets $(FEATURES) -- -D warnings

# With the features that clippy has checked all dependencies with.
rust-docs: clippy
	$(STEP) env RUSTDOCFLAGS='-D warnings' cargo doc --locked --workspace $(FEATURES) --no-deps --document-private-items

# On the web, gdext is one for a single thread, and has less. Checked only: a library would not be linked here.
web-features: rust-docs
	$(STEP) cargo clippy --locked --package tendon-addon --no-default-features --features web -- -D warnings

rust-format:
	$(STEP) cargo fmt --all --check

imports:
	$(STEP) scripts/check-imports

places:
	$(STEP) scripts/check-places

pins:
	$(STEP) scripts/check-pins

notices:
	$(STEP) scripts/check-notices

platform-table:
	$(STEP) packaging/reports.py --check

manual: build-of-tests project-import
	$(STEP) scripts/manual

lint-tools:
	$(STEP) scripts/pip-tools .venv packaging/requirements/lint.txt

shellcheck: lint-tools
	$(STEP) .venv/bin/shellcheck $(SHELL_SCRIPTS)

gdscript-format: lint-tools
	$(STEP) .venv/bin/gdformat --check $(GDSCRIPTS)

gdscript-lint: lint-tools
	$(STEP) .venv/bin/gdlint $(GDSCRIPTS)

# What the repository's host reads.
forms: lint-tools
	$(STEP) bash -ec '$(SCHEMA).github-workflows .github/workflows/*.yml; $(SCHEMA).dependabot .github/dependabot.yml; \
		$(SCHEMA).github-issue-forms .github/ISSUE_TEMPLATE/bug.yml'

# For the table of platforms: everything has passed here.
report: $(QUICK) $(filter-out report,$(REST))
	$(STEP) packaging/reports.py --add-this-machine

# Other platforms, in parts. One that failed or was cut off can be run again by itself: what it has built is kept.
# The first take longest. They solve the captures, too.
platforms: $(addprefix platforms-,engine engine-windows engine-web bits solver memory threads windows)

platforms-%: captures
	$(STEP) scripts/platforms $*
