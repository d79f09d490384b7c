public import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The shell commands on a page of the documentation, and their printed output.
///
/// A page is written in Markdown. Its `sh` blocks are commands. A `text` or `json` block directly after an `sh` block is
/// the output of the commands, including standard error. A comment before a block changes its treatment:
///
/// - `<!-- not run: REASON -->`: the block is not run.
/// - `<!-- output varies: REASON -->`, before the commands or before their output: the output is compared without
///   times, durations, UUIDs and spaces.
///
/// In an output, `…` matches any text.
public struct DocumentedCommands: Sendable {
  /// An `sh` block.
  public struct Block: Hashable, Sendable {
    /// The line of the page on which the block begins, counted from 1.
    public var line: Int
    /// The commands of the block.
    public var commands: String
    /// The output on the page, or `nil` if the page shows none.
    public var output: String?
    /// Whether the output is compared without times, durations, UUIDs and spaces.
    public var varies = false
  }

  /// The blocks to run, in the order of the page.
  public let blocks: [Block]

  /// Parses a page.
  public init(page: String) {
    var blocks: [Block] = []
    var remaining = page.components(separatedBy: "\n").enumerated().map { (number: $0 + 1, text: $1) }[...]
    var comment = ""
    var ownsNextOutput = false
    while let line = remaining.popFirst() {
      guard line.text.hasPrefix("```") else {
        if !line.text.isEmpty {
          comment = line.text
          if !comment.hasPrefix("<!-- output varies:") { ownsNextOutput = false }
        }
        continue
      }
      let body = remaining.prefix { $0.text != "```" }
      remaining = remaining.dropFirst(body.count + 1)
      let text = body.map(\.text).joined(separator: "\n")
      switch line.text {
      case "```sh":
        ownsNextOutput = !comment.hasPrefix("<!-- not run:")
        if ownsNextOutput {
          blocks.append(Block(line: line.number, commands: text, varies: comment.hasPrefix("<!-- output varies:")))
        }
      case "```text" where ownsNextOutput, "```json" where ownsNextOutput:
        blocks[blocks.count - 1].output = text
        if comment.hasPrefix("<!-- output varies:") { blocks[blocks.count - 1].varies = true }
        ownsNextOutput = false
      default: ownsNextOutput = false
      }
      comment = ""
    }
    self.blocks = blocks
  }

  /// Runs the blocks one after the other in one shell, and compares their output with the page.
  ///
  /// Port 8080 on the page is replaced by a free port. The folder `Fixtures` of the project is available under this name.
  ///
  /// - Parameters:
  ///   - folder: An empty folder. It becomes the home folder; the commands run in its subfolder `work`.
  ///   - programs: The paths of the programs under test, which the commands find by their file names.
  /// - Returns: A description of each block whose output differs from the page or that did not run.
  /// - Throws: ``HarnessError`` if the shell cannot be started or does not end in time.
  public func differences(in folder: URL, running programs: [String]) throws -> [String] {
    let manager = FileManager.default
    for name in ["work", "bin"] {
      try manager.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
    }
    for path in programs {
      try manager.createSymbolicLink(
        atPath: folder.appending(path: "bin/\(URL(filePath: path).lastPathComponent)").path, withDestinationPath: path)
    }
    try manager.createSymbolicLink(
      at: folder.appending(path: "work/Fixtures"),
      withDestinationURL: DocumentationPages.root.appending(path: "Fixtures"))
    let port = try Self.freePort()
    func onFreePort(_ text: String) -> String { text.replacing("8080", with: "\(port)") }

    // The shell ends background jobs of the page. `timeout` ends a shell that does not end by itself.
    let script =
      "exec 2>&1\ntrap 'jobs -p | xargs -r kill; wait' EXIT\n"
      + blocks.map { "echo '\(Self.separator)\($0.line)'\n\(onFreePort($0.commands))\n" }.joined()
      + "echo '\(Self.separator)end'\n"
    let process = try PipedProgram(
      "/usr/bin/timeout", ["--kill-after=5", "300", "/bin/bash", "-c", script],
      environment: [
        "HOME": folder.path, "PATH": "\(folder.path)/bin:/usr/bin:/bin", "WAYMARK_LEARNER": "ada", "TZ": "UTC",
        "LANG": "C.UTF-8", "TERM": "xterm-256color",
      ], directory: folder.appending(path: "work"))
    process.closeInput()
    _ = try process.waitForExit(within: 330)

    let printed = String(decoding: process.output, as: UTF8.self).replacing(folder.path, with: "/home/ada")
    var outputs: [Substring: String] = [:]
    for section in printed.components(separatedBy: Self.separator).dropFirst() {
      let components = section.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      outputs[components[0]] = components.count > 1 ? String(components[1]) : ""
    }
    return try blocks.compactMap { block in
      guard let output = outputs["\(block.line)"] else { return "line \(block.line): it did not run\n\(printed)" }
      guard let expected = block.output.map(onFreePort) else { return nil }
      let isEqual =
        block.varies
        ? Self.matches(try Self.masked(output, folder: folder), try Self.masked(expected, folder: folder))
        : Self.matches(output, expected)
      guard !isEqual else { return nil }
      return "line \(block.line): the page prints\n\(expected)\nand the programs print\n\(output)"
    }
  }

  private static let separator = "--- block of line "

  /// Returns a text in which each time, duration and UUID is a placeholder, without spaces and line breaks. Lines can
  /// wrap inside the path of the home folder.
  static func masked(_ text: String, folder: URL) throws -> String {
    let path = try Regex(
      folder.path.map { NSRegularExpression.escapedPattern(for: String($0)) }.joined(separator: #"\s*"#))
    return
      text
      .replacing(path, with: "/home/ada")
      .replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?Z?/, with: "TIME")
      .replacing(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, with: "UUID")
      .replacing(/\b[0-9]+ (ms|s|min)\b/, with: "DURATION")
      .replacing(/(?<key>"(activeMs|dwellMs)":) ?[0-9]+/) { "\($0.key)DURATION" }
      .replacing(/\s+/, with: "")
  }

  /// Returns whether a text matches an output in which `…` matches any text. Empty lines at both ends are ignored.
  static func matches(_ text: String, _ expected: String) -> Bool {
    var remaining = text.trimmingCharacters(in: .newlines)[...]
    var fragments = expected.trimmingCharacters(in: .newlines).components(separatedBy: "…")[...]
    guard let first = fragments.popFirst(), remaining.hasPrefix(first) else { return false }
    remaining = remaining.dropFirst(first.count)
    guard let last = fragments.popLast() else { return remaining.isEmpty }
    for fragment in fragments where !fragment.isEmpty {
      guard let match = remaining.firstRange(of: fragment) else { return false }
      remaining = remaining[match.upperBound...]
    }
    return remaining.hasSuffix(last)
  }

  /// Returns a port of the loopback interface on which no program listens.
  private static func freePort() throws -> Int {
    #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue)
    #else
    let kind = SOCK_STREAM
    #endif
    let socket = socket(AF_INET, kind, 0)
    guard socket >= 0 else { throw HarnessError.system("socket", errno) }
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 ? getsockname(socket, $0, &length) : -1
      }
    }
    guard code == 0 else { throw HarnessError.system("bind", errno) }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}

/// A page of the documentation.
public struct DocumentationPage: CustomStringConvertible, Sendable {
  /// The path of the page in the project.
  public let description: String
  /// The Markdown source of the page.
  public let text: String

  /// The blocks of commands that are run.
  public var blocks: [DocumentedCommands.Block] { DocumentedCommands(page: text).blocks }
  /// Whether a command of the page runs `waymark-server`.
  public var needsServer: Bool { blocks.contains { $0.commands.contains("waymark-server") } }
}

/// All pages for users and contributors.
public enum DocumentationPages {
  /// The folder of the project.
  public static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized

  /// The pages with commands: README.md and the pages in `Documentation`, sorted by path, and the page of the sample
  /// courses.
  public static let all: [DocumentationPage] = {
    let names = FileManager.default.enumerator(atPath: root.appending(path: "Documentation").path)?
      .compactMap { ($0 as? String).map { "Documentation/\($0)" } }.filter { $0.hasSuffix(".md") }
    return (["README.md"] + (names ?? []).sorted() + ["Fixtures/README.md"]).map { name in
      // A page that cannot be read gets an empty text. Tests that list the pages then fail.
      DocumentationPage(
        description: name, text: (try? String(contentsOf: root.appending(path: name), encoding: .utf8)) ?? "")
    }
  }()
}
