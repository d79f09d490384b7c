# Waymark. `make run` opens the browser, `make test` runs the tests.

PREFIX ?= /usr/local
# Some shells do not expand the ~ in PREFIX=~/.local.
override PREFIX := $(patsubst ~/%,$(HOME)/%,$(PREFIX))
SWIFT ?= swift
# More arguments of the benchmark, such as BENCHMARK='--only renderer'.
BENCHMARK ?=
# The build folder. BUILD_PATH=.build-other makes a second build next to the first.
BUILD_PATH ?= .build
build = $(SWIFT) build --scratch-path $(BUILD_PATH)
# A release contains the Swift libraries. With STATIC=yes, on Debian 12, it also contains all other libraries except the
# C library: one file that runs on any Linux with glibc 2.36 or newer.
#
# Without the frontend's flag, metadata of generic types is looked up by name at first use. This lookup scans all
# protocol conformances for each dictionary type and takes a tenth of the start time.
STATIC ?=
static_path = $(abspath $(BUILD_PATH)-static)
release = -c release $(if $(filter Linux,$(shell uname)),--static-swift-stdlib) \
  -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
# Package.swift links the archives in this folder.
$(if $(STATIC),$(eval serve deb build dist: export WAYMARK_STATIC = $(static_path)))
$(if $(STATIC),$(eval serve deb build dist: export PKG_CONFIG_PATH = $(static_path)/lib/pkgconfig))

# The server needs more system libraries.
serve deb benchmark-server test-server test-server-long: export WAYMARK_SERVER_LIBRARIES = 1

.PHONY: help run serve deb build static dist install built uninstall test test-long test-server test-server-long benchmark-server benchmark-hub benchmark benchmark-long lint format docs pictures site libraries test-libraries clean

help: ## List the targets.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1	/' | expand -t 23

run: build ## Install missing libraries, build, and open the browser with the bundled course.
	@$(BUILD_PATH)/release/waymark import --bundled --if-empty
	@$(BUILD_PATH)/release/waymark

serve: libraries $(if $(STATIC),static) ## Install missing libraries, build the server, and start it with the bundled course.
	WAYMARK_SERVER=1 $(SWIFT) build --scratch-path $(BUILD_PATH) $(release) --product waymark-server
	@$(BUILD_PATH)/release/waymark-server serve --trial

deb: libraries $(if $(STATIC),static) ## Build a Debian package with the server and the command line.
	WAYMARK_SERVER=1 $(SWIFT) build --scratch-path $(BUILD_PATH) $(release) --product waymark-server
	WAYMARK_SERVER=1 $(SWIFT) build --scratch-path $(BUILD_PATH) $(release) --product waymark
	Sources/System/server/deb $(BUILD_PATH)/release 0.1.0 $(BUILD_PATH)/waymark-server.deb

build: libraries $(if $(STATIC),static) ## Build the release binary, .build/release/waymark.
	$(build) $(release) --product waymark

static: libraries
	@Sources/System/libraries install static
	@Sources/System/release/static-libraries $(static_path)
	@test $(static_path)/icudata.o -nt Sources/System/release/icu-data || \
	  Sources/System/release/icu-data $(dir $(shell $(SWIFT) -print-target-info -static-stdlib | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p'))swift_static/linux/lib_FoundationICU.a $(static_path)/icudata.o

dist: ## Build a release for other machines in .build-dist: a tarball and a Debian package.
	$(MAKE) build STATIC=yes BUILD_PATH=$(BUILD_PATH)-release
	@Sources/System/release/dist $(BUILD_PATH)-release/release/waymark $(abspath $(BUILD_PATH))-release-static $(BUILD_PATH)-dist

# With sudo only an existing build is installed, because other users could not replace files that root builds.
install: $(if $(filter-out root,$(SUDO_USER)),built,build) ## Install a stripped binary in PREFIX/bin.
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(BUILD_PATH)/release/waymark "$(DESTDIR)$(PREFIX)/bin/waymark"
	strip "$(DESTDIR)$(PREFIX)/bin/waymark"
	@$(if $(STATIC),,Sources/System/libraries loaded "$(DESTDIR)$(PREFIX)/bin/waymark")

built:
	@test -x $(BUILD_PATH)/release/waymark || { \
	  echo "Could not install waymark: it has not been built. Run 'make build' first, without sudo." >&2; exit 1; }

uninstall: ## Remove the installed binary; courses, history and settings are kept.
	rm -f "$(DESTDIR)$(PREFIX)/bin/waymark"

test: test-libraries ## Build and run the tests that are required for every change.
	$(test)

test-long: test-libraries ## Also run the long tests, and test a release on minimal systems; takes hours.
	@BUILD_PATH=$(BUILD_PATH) Sources/System/libraries install long
	WAYMARK_LONG_TESTS=1; export WAYMARK_LONG_TESTS; $(test)
	$(MAKE) dist
	Tests/release $(BUILD_PATH)-dist $(wildcard $(BUILD_PATH)/debug/waymark-server)

test-server: test-libraries ## Build and run the tests of the server.
	$(test-server)

test-server-long: ## Also run the long tests of the server; those on clusters require root.
	@Sources/System/libraries install long-server
	WAYMARK_LONG_TESTS=1; export WAYMARK_LONG_TESTS; $(test-server)

benchmark: ## Measure everything that has a target, in a separate release build; about an hour.
	$(benchmark)

benchmark-long: ## Measure with the largest sizes too.
	$(benchmark) --long

benchmark-server: libraries ## Measure the server and the libraries that it uses, in a release build.
	WAYMARK_SERVER=1 $(SWIFT) build --scratch-path $(BUILD_PATH) $(release) --product waymark-server
	WAYMARK_SERVER=1 $(SWIFT) build --scratch-path $(BUILD_PATH) $(release) --product waymark
	python3 Benchmarks/Server/measure.py $(BUILD_PATH)/release

benchmark-hub: ## Measure a hub on its own cluster; requires root and 2 GB of free disk space.
	@Sources/System/libraries install long-server
	WAYMARK_SERVER=1 $(SWIFT) build --scratch-path $(BUILD_PATH) $(release) --product waymark-server
	unshare --net python3 Benchmarks/Server/hub.py $(BUILD_PATH)/release

lint: ## Check the format of the source, and the wording of comments, test names, documents and screens.
	$(SWIFT) format lint --strict --recursive --parallel Package.swift Sources Tests Migrations Benchmarks
	Tests/prose --limit 5
	Tests/words --check
	Tests/conversions
	@# These functions of GRDB can end the program, see Documentation/store.md.
	! grep -rnE 'FTS5\.api|makeTokenizer\(|add\((tokenizer|function|collation):|setUncheckedArguments|tatement\.arguments = ' Sources --include=*.swift

format: ## Format the source.
	$(SWIFT) format format --in-place --recursive --parallel Package.swift Sources Tests Migrations Benchmarks

docs: libraries ## Build the documentation of the libraries, and check its symbols and links.
	$(SWIFT) package --scratch-path $(BUILD_PATH) --disable-sandbox generate-documentation --warnings-as-errors \
	  --target ScreenKit --target TextCanvas --target TerminalIO --target LearningModel --target NavigationKit \
	  --target CourseKit --target LearningStore

pictures: libraries ## Draw the images of the documentation again, with the debug build.
	$(build) --product waymark
	Documentation/pictures/draw $(BUILD_PATH)/debug/waymark

site: libraries ## Write the documentation as a web site in .build-site with the debug build, and check its links.
	$(build) --product waymark
	Documentation/site $(BUILD_PATH)/debug/waymark $(BUILD_PATH)-site

# A module with a forbidden import fails here. The build then says that it is complete, but its exit code is not 0.
test = $(build) --build-tests --explicit-target-dependency-import-check error && Tests/run $(SWIFT) $(BUILD_PATH)

test-server = WAYMARK_SERVER=1; export WAYMARK_SERVER; \
  $(SWIFT) build --scratch-path $(BUILD_PATH) --build-tests --explicit-target-dependency-import-check error && \
  Tests/run $(SWIFT) $(BUILD_PATH) tests-server '^CourseServerTests\.'

define benchmark
	@Sources/System/libraries install test
	$(measured) --product waymark
	$(measured) --product TerminalReference
	$(measured) --product Benchmark
	$(BUILD_PATH)-benchmark/release/Benchmark $(BENCHMARK)
endef
measured = WAYMARK_BENCHMARKS=1 $(SWIFT) build $(release) --scratch-path $(BUILD_PATH)-benchmark

libraries:
	@Sources/System/libraries install build

test-libraries:
	@BUILD_PATH=$(BUILD_PATH) Sources/System/libraries install test

clean: ## Remove the build folders.
	rm -rf .build .build-*
