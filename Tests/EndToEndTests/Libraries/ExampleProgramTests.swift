import Foundation
import TestSupport
import Testing

/// Tests the example packages in `Documentation/examples`. The manifest of this project builds their programs too.
@Suite struct ExampleProgramTests {
  private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String, of example: String) throws -> String {
    try String(contentsOf: package.appending(path: "Documentation/examples/\(example)/\(path)"), encoding: .utf8)
  }

  @Test(arguments: ["minilearn", "miniscreens"])
  func `an example has at most 150 lines and prints the output that its page shows`(example: String) throws {
    let page = try Self.text("README.md", of: example)
    let program = try Self.text("Sources/\(example)/main.swift", of: example)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? Bundle.main.bundleURL
    let folder = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = folder.appending(path: example)
    (process.standardOutput, process.standardError) = (output, errors)

    try process.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let issues = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()

    #expect(process.terminationStatus == 0)
    #expect(issues == "")
    #expect(page.contains("\n```text\n\(printed.trimmingPrefix("\n"))```\n"), "\(printed)")
    #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 150)
  }

  @Test(arguments: ["minilearn", "miniscreens"])
  func `an example's package depends on the products that its program imports`(example: String) throws {
    let manifest = try Self.text("Package.swift", of: example)
    let main = try String(contentsOf: Self.package.appending(path: "Package.swift"), encoding: .utf8)
    let products = manifest.matches(of: /\.product\(name: "(\w+)", package: "waymark"\)/).map { String($0.1) }
    let modules = try products.flatMap { product in
      let library = try #require(
        main.firstMatch(of: try Regex("\\.library\\(name: \"\(product)\", targets: \\[(.*?)\\]\\)")))
      return String(library.output[1].substring ?? "").matches(of: /"(\w+)"/).map { String($0.1) }
    }
    let program = try Self.text("Sources/\(example)/main.swift", of: example)
    let imports = program.matches(of: /(?m)^import (\w+)$/).map { String($0.1) }
      .filter { $0 != "Foundation" && $0 != "Synchronization" }

    #expect(manifest.contains(#".package(name: "waymark", path: "../../..")"#))
    #expect(!imports.isEmpty && Set(imports).isSubset(of: modules), "\(imports) \(modules)")
  }
}
