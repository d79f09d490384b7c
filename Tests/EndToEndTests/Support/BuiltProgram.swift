import Foundation

/// The built program in the build folder of the tests.
enum BuiltProgram {
  static let path: String = {
    #if os(Linux)
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
    let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }!.bundleURL
    #endif
    return tests.deletingLastPathComponent().appending(path: "waymark").path
  }()
}

/// The folder of fixtures in the project.
enum Fixtures {
  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures")

  static func path(_ name: String) -> String { folder.appending(path: name).path }
}
