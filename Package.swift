// swift-tools-version: 6.2
import PackageDescription

// The modules by layer, lowest first; a module imports modules of lower layers only. See ARCHITECTURE.md, "Layers".

#if compiler(<6.3)
#error("Waymark requires Swift 6.3 or later; it is tested with 6.3.1. Install it from swift.org and build again.")
#elseif !canImport(Glibc) && !canImport(Darwin)
#error("Waymark requires Linux with glibc, or macOS; it is tested on Debian 12. Build it on one of these systems.")
#endif

let strict = Context.environment["WAYMARK_STRICT"] != nil

let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
  ] + (strict ? [.treatAllWarnings(as: .error)] : [])

// A release is linked with the static archives in this folder, which `make` collects. The object file is a smaller data
// table for Foundation's ICU. The last two flags keep the program's symbols private: exported C symbols would replace
// those of a libcurl that is loaded later.
let linking: [LinkerSetting] =
  Context.environment["WAYMARK_STATIC"].map { folder in
    [
      .unsafeFlags([
        "\(folder)/icudata.o", "-L\(folder)/lib", "-Xclang-linker", "-static-libgcc",
        "-Xlinker", "--no-export-dynamic", "-Xlinker", "--exclude-libs=ALL",
      ])
    ]
  } ?? []

func module(
  _ name: String, on modules: [Target.Dependency] = [], excluding files: [String] = [], resources: [Resource] = []
) -> Target {
  .target(name: name, dependencies: modules, exclude: files, resources: resources, swiftSettings: settings)
}

func tests(_ name: String, on modules: [Target.Dependency], excluding files: [String] = []) -> Target {
  .testTarget(name: name, dependencies: modules, exclude: files, swiftSettings: settings)
}

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
// SQLite's own interface, for the few functions that GRDB does not offer.
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
  name: "waymark",
  // Isolated deinitialisers need the runtime of Swift 6.1.
  platforms: [.macOS("15.4")],
  products: [
    // Each library includes the modules whose types occur in its public declarations.
    .library(name: "ScreenKit", targets: ["ScreenKit", "TextCanvas"]),
    .library(name: "TerminalIO", targets: ["TerminalIO", "TextCanvas", "Images"]),
    .library(name: "NavigationKit", targets: ["NavigationKit", "LearningModel", "LearningStore"]),
    .library(name: "CourseKit", targets: ["CourseKit", "LearningModel", "LearningStore"]),
    .executable(name: "waymark", targets: ["waymark"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: [
    // Layer 0: values, and one module each for the database, the formats, the screens and the terminal.
    module("ExternalPrograms", on: ["WholeNumbers", "CProcess"]),
    module("JSONCoding"),
    module("LearningModel", on: ["JSONCoding", "Mathematics", "WholeNumbers"]),
    module("Mathematics"),
    module("Images", on: ["TextCanvas", "WholeNumbers", "CJPEG", "LibSPNG", "LibWebP", "GIFLib"]),
    module("TextCanvas", on: ["WholeNumbers"], excluding: ["Width/generate-width-table.py"]),
    module("WholeNumbers"),

    module("LearningStore", on: ["JSONCoding", "LearningModel", "WholeNumbers", "Migrations", grdb, sqlite]),
    module(
      "CourseFormats",
      on: [
        "ExternalPrograms", "JSONCoding", "LearningModel", "Mathematics", "Images", "TextCanvas", "WholeNumbers",
        "CMarkGFM", "LibXML2",
        "LibArchive", "LibZstd", "Zlib", "CSQLiteDefence", yams, sqlite,
      ]),
    module("ScreenKit", on: ["TextCanvas"]),
    module("TerminalIO", on: ["TextCanvas", "Images", "WholeNumbers", "CTerminal"]),

    // Layer 1: the public API.
    module("CourseKit", on: ["LearningModel", "LearningStore", "CourseFormats", "BundledCourse"]),
    module("NavigationKit", on: ["JSONCoding", "LearningModel", "LearningStore", "WholeNumbers"]),

    // Layer 2: the work folders, recipes and checks of exercises, page models for both front ends, and the output formats for scripts.
    module(
      "CoursePages",
      on: [
        "CourseKit", "JSONCoding", "NavigationKit", "LearningModel", "Mathematics", "Images", "ScreenKit", "TextCanvas",
        "WholeNumbers", yams,
      ], resources: [.embedInCode("Site/files")]),

    module("Answers", on: ["CourseKit", "JSONCoding", "NavigationKit", "LearningModel", "TextCanvas"]),

    module("Exercises", on: ["CourseKit", "ExternalPrograms", "NavigationKit", "LearningModel"]),

    // Layer 3: the front ends.
    module(
      "CourseBrowser",
      on: [
        "Answers", "CoursePages", "CourseKit", "Exercises", "ExternalPrograms", "NavigationKit", "LearningModel",
        "Images",
        "ScreenKit", "TerminalIO", "TextCanvas", "WholeNumbers",
      ]),
    module(
      "LinearBrowser",
      on: [
        "Answers", "CoursePages", "CourseKit", "Exercises", "ExternalPrograms", "NavigationKit", "LearningModel",
        "Mathematics", "TextCanvas",
      ]),

    // Layer 4: the programs.
    .executableTarget(
      name: "waymark",
      dependencies: [
        "CourseBrowser", "LinearBrowser", "CoursePages", "Answers", "CourseKit", "Exercises", "ExternalPrograms",
        "JSONCoding",
        "NavigationKit", "LearningModel", "LearningStore", "Images", "ScreenKit", "TerminalIO", "TextCanvas",
        "WholeNumbers", "BundledManual", "CCurl", "CTerminal",
        argumentParser,
      ],
      swiftSettings: settings, linkerSettings: linking),

    // SQL and the bundled course, embedded in the binary, and the C libraries of the system.
    .target(name: "Migrations", path: "Migrations", resources: [.embedInCode("sql")], swiftSettings: settings),
    .target(name: "BundledCourse", path: "Fixtures/BundledCourse"),
    // The pages and pictures of the documentation, which the plugin embeds. The sources below `examples` are programs.
    .target(
      name: "BundledManual", path: "Documentation",
      exclude: ["minilearn", "miniscreens"].flatMap { ["examples/\($0)/Sources", "examples/\($0)/Package.swift"] },
      swiftSettings: settings, plugins: ["EmbedManual"]),
    .plugin(name: "EmbedManual", capability: .buildTool(), path: "Sources/System/EmbedManual"),
    .target(name: "CTerminal", path: "Sources/System/CTerminal"),
    .target(name: "CProcess", path: "Sources/System/CProcess"),
    // CCurl loads libcurl at the first request to a server, so that no other command waits for it.
    .target(name: "CCurl", path: "Sources/System/CCurl"),
    .systemLibrary(
      name: "CMarkGFM", path: "Sources/System/CMarkGFM", pkgConfig: "libcmark-gfm",
      providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"]), .brew(["cmark-gfm"])]),
    .systemLibrary(
      name: "LibXML2", path: "Sources/System/LibXML2", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"]), .brew(["libxml2"])]),
    .systemLibrary(
      name: "LibArchive", path: "Sources/System/LibArchive", pkgConfig: "libarchive",
      providers: [.apt(["libarchive-dev"]), .brew(["libarchive"])]),
    .systemLibrary(
      name: "Zlib", path: "Sources/System/Zlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "LibZstd", path: "Sources/System/LibZstd", pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    .systemLibrary(
      name: "LibSPNG", path: "Sources/System/LibSPNG", pkgConfig: "spng",
      providers: [.apt(["libspng-dev"]), .brew(["libspng"])]),
    .systemLibrary(
      name: "LibJPEG", path: "Sources/System/LibJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg62-turbo-dev"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "LibWebP", path: "Sources/System/LibWebP", pkgConfig: "libwebp",
      providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
    // giflib has no pkg-config file.
    .systemLibrary(
      name: "GIFLib", path: "Sources/System/GIFLib", providers: [.apt(["libgif-dev"]), .brew(["giflib"])]),
    .target(name: "CSQLiteDefence", path: "Sources/System/CSQLiteDefence"),
    .target(name: "CJPEG", dependencies: ["LibJPEG"], path: "Sources/System/CJPEG"),

    // One test target per module. VTerm is a third-party terminal emulator that checks the output of TerminalIO.
    .systemLibrary(name: "VTerm", path: "Tests/System/VTerm"),
    .target(
      name: "TerminalHarness", dependencies: ["CTerminal", "VTerm"], path: "Tests/System/TerminalHarness",
      swiftSettings: settings),
    .target(
      name: "FrameReference", dependencies: ["TestSupport", "TextCanvas"], path: "Tests/System/FrameReference",
      swiftSettings: settings),
    .executableTarget(
      name: "TerminalTestProgram", dependencies: ["TerminalIO", "TextCanvas"], path: "Tests/System/TerminalTestProgram",
      swiftSettings: settings),
    // The programs of the pages of TerminalIO and ScreenKit, and the examples, which are packages of their own.
    .executableTarget(
      name: "KeysExample", dependencies: ["TerminalIO", "TextCanvas"], path: "Tests/System/KeysExample",
      swiftSettings: settings),
    .executableTarget(
      name: "StageExample", dependencies: ["ScreenKit", "TerminalIO", "TextCanvas"], path: "Tests/System/StageExample",
      swiftSettings: settings),
    .executableTarget(
      name: "miniscreens", dependencies: ["ScreenKit", "TextCanvas"],
      path: "Documentation/examples/miniscreens/Sources/miniscreens", swiftSettings: settings),
    .executableTarget(
      name: "minilearn",
      dependencies: ["CourseKit", "NavigationKit", "LearningModel", "LearningStore", "ScreenKit", "TextCanvas"],
      path: "Documentation/examples/minilearn/Sources/minilearn", swiftSettings: settings),
    .target(name: "TestSupport", path: "Tests/System/TestSupport", swiftSettings: settings),
    .executableTarget(name: "SandboxAttacks", path: "Tests/System/SandboxAttacks"),
    // Snapshots imports Testing, which the benchmarks must not link.
    .target(name: "Snapshots", path: "Tests/System/Snapshots", swiftSettings: settings),
    .target(
      name: "BundledDatabase", dependencies: ["TestSupport", "CourseKit", "LearningModel"],
      path: "Tests/System/BundledDatabase", swiftSettings: settings),
    tests(
      "TestSupportTests",
      on: [
        "TestSupport", "Snapshots", "CourseKit", "LearningModel", "LearningStore", "NavigationKit", "Images",
        "ScreenKit", "TerminalIO", "TextCanvas",
      ],
      excluding: ["Snapshots"]),
    tests("ExercisesTests", on: ["TestSupport", "ExternalPrograms", "Exercises", "LearningModel"]),
    tests("ExternalProgramsTests", on: ["TestSupport", "ExternalPrograms", "SandboxAttacks"]),
    tests(
      "LearningModelTests", on: ["TestSupport", "Snapshots", "LearningModel"],
      excluding: ["Snapshots", "Review/fsrs-oracle.py"]),
    tests(
      "MathematicsTests", on: ["TestSupport", "Mathematics"],
      excluding: ["formulas.txt", "latex2mathml-oracle.py", "value-oracle.py"]),
    tests("TextCanvasTests", on: ["TestSupport", "TextCanvas"]),
    tests("JSONCodingTests", on: ["JSONCoding"]),
    tests("WholeNumbersTests", on: ["WholeNumbers"]),
    tests("ImagesTests", on: ["TestSupport", "Images", "TextCanvas"], excluding: ["Fixtures"]),
    tests(
      "LearningStoreTests",
      on: ["TestSupport", "Snapshots", "LearningStore", "LearningModel", "Migrations", grdb, sqlite],
      excluding: ["Snapshots"]),
    tests(
      "CourseFormatsTests",
      on: ["TestSupport", "Snapshots", "CourseFormats", "ExternalPrograms", "JSONCoding", "LearningModel", "Images"],
      excluding: [
        "Snapshots", "Anki/anki-oracle.py", "MarkdownFolder/Cases", "MarkdownFolder/navigation-oracle.py",
        "Notebook/nbformat-oracle.py", "Words/word-losses.txt", "Words/word-oracle.py", "repositories.txt",
      ]),
    tests(
      "ScreenKitTests", on: ["TestSupport", "Snapshots", "ScreenKit", "TextCanvas"],
      excluding: ["Snapshots", "Support/checklist.txt", "Motion/MotionReference.json"]),
    tests(
      "TerminalIOTests",
      on: [
        "TestSupport", "Snapshots", "TerminalIO", "Images", "TextCanvas", "CTerminal", "TerminalHarness",
        "TerminalTestProgram", "KeysExample", "StageExample", "FrameReference",
      ],
      excluding: ["Snapshots"]),
    tests(
      "CourseKitTests",
      on: ["TestSupport", "Snapshots", "CourseKit", "LearningStore", "CourseFormats", "LearningModel", "Images", grdb],
      excluding: ["Snapshots", "Import/renamed-pages.tsv"]),
    tests(
      "NavigationKitTests",
      on: [
        "TestSupport", "Snapshots", "NavigationKit", "CourseKit", "LearningModel", "LearningStore", grdb,
        sqlite,
      ],
      excluding: ["Snapshots", "Recorded/answers.txt", "Sync/conversation.jsonl"]),
    tests(
      "CoursePagesTests",
      on: [
        "TestSupport", "Snapshots", "CoursePages", "CourseFormats", "CourseKit", "NavigationKit", "LearningModel",
        "Images", "ScreenKit", "TextCanvas",
      ],
      excluding: [
        "Snapshots", "Highlighting/Drawings", "Highlighting/Texts", "Highlighting/pygments-classes.json",
        "Highlighting/pygments-oracle.py",
      ]),
    tests(
      "LinearBrowserTests",
      on: [
        "TestSupport", "Snapshots", "BundledDatabase", "LinearBrowser", "CoursePages", "CourseKit", "Exercises",
        "NavigationKit",
        "LearningModel", "TextCanvas",
      ],
      excluding: ["Snapshots", "main-job.txt"]),
    tests(
      "CourseBrowserTests",
      on: [
        "TestSupport", "Snapshots", "BundledDatabase", "CourseBrowser", "CoursePages", "CourseKit", "Exercises",
        "NavigationKit",
        "LearningModel", "Images", "ScreenKit", "TerminalIO", "TextCanvas", grdb,
      ],
      excluding: ["Snapshots", "Courses"]),
    tests(
      "AnswersTests",
      on: ["TestSupport", "Snapshots", "Answers", "CourseKit", "LearningStore", "NavigationKit", "LearningModel"],
      excluding: ["Snapshots"]),
    tests(
      "waymarkTests",
      on: [
        "TestSupport", "Snapshots", "waymark", "Answers", "CourseBrowser", "CoursePages", "Exercises",
        "LearningModel", "NavigationKit", "ScreenKit", "TerminalIO", "TextCanvas", argumentParser,
      ],
      excluding: ["Snapshots"]),
    tests(
      "EndToEndTests",
      on: [
        "TestSupport", "Snapshots", "TerminalHarness", "waymark", "BundledManual", "minilearn", "miniscreens",
        "LearningModel", "NavigationKit", "Images", "ScreenKit", "TerminalIO", "TextCanvas", grdb, argumentParser,
      ],
      excluding: ["Snapshots", "MCP/mcp-client.py"]),
  ],
  swiftLanguageModes: [.v6]
)

// The server is built only with WAYMARK_SERVER, so that other builds do not wait for its packages.
if Context.environment["WAYMARK_SERVER"] != nil {
  let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
  let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
  let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
  let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
  // The packages below Hummingbird whose types the server uses.
  let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
    .product(name: "NIOHTTP1", package: "swift-nio"),
    .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
    .product(name: "HTTPTypes", package: "swift-http-types"),
    .product(name: "UnixSignals", package: "swift-service-lifecycle"),
  ]
  package.products += [.executable(name: "waymark-server", targets: ["waymark-server"])]
  package.dependencies += [
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ]
  package.targets += [
    .systemLibrary(
      name: "LibPQ", path: "Sources/System/LibPQ", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .executableTarget(
      name: "waymark-server",
      dependencies: [
        "Answers", "CourseKit", "JSONCoding", "NavigationKit", "LearningStore", "LearningModel", "TextCanvas",
        "WholeNumbers", "APIDocument", "CTerminal", "LibPQ", argumentParser, hummingbird, crypto, logging, lifecycle,
      ] + nio,
      resources: [.embedInCode("Hub/sql")], swiftSettings: settings, linkerSettings: linking),
    // The document of the HTTP interface, embedded in the binary.
    .target(name: "APIDocument", path: "Sources/System/APIDocument"),
    tests(
      "CourseServerTests",
      on: [
        "TestSupport", "TerminalHarness", "waymark", "waymark-server", "Answers", "CourseKit", "LearningModel",
        "LearningStore", "NavigationKit", grdb, hummingbird, logging,
      ] + nio),
  ]
}

// The benchmarks are built only with WAYMARK_BENCHMARKS, in a release build, so that other builds do not wait for them.
if Context.environment["WAYMARK_BENCHMARKS"] != nil {
  package.targets += [
    .target(
      name: "BenchmarkReference", path: "Benchmarks/Reference", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(name: "TerminalReference", path: "Benchmarks/TerminalReference"),
    .executableTarget(
      name: "Benchmark",
      dependencies: [
        "BenchmarkReference", "FrameReference", "TestSupport", "TerminalHarness", "CourseBrowser", "CoursePages",
        "CourseKit", "CourseFormats", "NavigationKit", "LearningStore", "LearningModel", "Images",
        "ExternalPrograms", "ScreenKit", "TerminalIO", "TextCanvas", "CMarkGFM", grdb,
      ],
      path: "Benchmarks/Benchmark", swiftSettings: settings),
  ]
}
