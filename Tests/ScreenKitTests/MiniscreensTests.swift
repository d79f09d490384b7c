import Foundation
import TestSupport
import Testing

/// Tests the example `Documentation/examples/miniscreens`. This package builds its program too.
@Suite struct MiniscreensTests {
  private let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private var example: URL { package.appending(path: "Documentation/examples/miniscreens") }
  private var program: String {
    get throws {
      try String(contentsOf: example.appending(path: "Sources/miniscreens/main.swift"), encoding: .utf8)
    }
  }

  @Test func `the program prints the output that its page shows`() throws {
    let page = try String(contentsOf: example.appending(path: "README.md"), encoding: .utf8)
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL ?? Bundle.main.bundleURL
    let folder = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = folder.appending(path: "miniscreens")
    (process.standardOutput, process.standardError) = (output, errors)

    try process.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let issues = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()

    #expect(process.terminationStatus == 0)
    #expect(issues == "")
    #expect(page.contains("\n```text\n\(printed.trimmingPrefix("\n"))```\n"), "\(printed)")
    #expect(try program.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 150)
  }

  @Test func `the example's package depends on the products that its program imports`() throws {
    let manifest = try String(contentsOf: example.appending(path: "Package.swift"), encoding: .utf8)
    let main = try String(contentsOf: package.appending(path: "Package.swift"), encoding: .utf8)
    let products = manifest.matches(of: /\.product\(name: "(\w+)", package: "waymark"\)/).map { String($0.1) }
    let modules = try products.flatMap { product in
      let library = try #require(
        main.firstMatch(of: try Regex("\\.library\\(name: \"\(product)\", targets: \\[(.*?)\\]\\)")))
      return String(library.output[1].substring ?? "").matches(of: /"(\w+)"/).map { String($0.1) }
    }
    let imports = try program.matches(of: /(?m)^import (\w+)$/).map { String($0.1) }

    #expect(manifest.contains(#".package(name: "waymark", path: "../../..")"#))
    #expect(!imports.isEmpty && Set(imports).isSubset(of: modules), "\(imports) \(modules)")
  }
}
