import Foundation
import TestSupport

/// A damaged course: its files are altered, removed, renamed or linked elsewhere, and possibly packed.
struct DamagedSource {
  private var random: SplitMix64
  private var files: [(path: String, bytes: [UInt8])]
  /// The targets of symbolic links by path.
  private var links: [String: String] = [:]

  /// Reads a source and damages it.
  ///
  /// - Parameters:
  ///   - source: A folder or a file.
  ///   - seed: Determines the damage.
  init(_ source: URL, seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: source.path, isDirectory: &isFolder)
    let names = isFolder.boolValue ? try FileManager.default.subpathsOfDirectory(atPath: source.path).sorted() : [""]
    files = try names.compactMap { name in
      let url = name.isEmpty ? source : source.appending(path: name)
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      guard !isFolder.boolValue, !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) else { return nil }
      return (name.isEmpty ? source.lastPathComponent : name, Array(try Data(contentsOf: url)))
    }
    for _ in 0...random.below(3) { breakSomething() }
  }

  /// Writes the source as files, as a zip or as a tar. Archives may be damaged too.
  ///
  /// - Returns: The path to import.
  mutating func write(below folder: String) throws -> String {
    let form = files.count == 1 && links.isEmpty ? 0 : random.below(4)
    switch form {
    case 1, 2:
      // Only texts can be packed. Other bytes are replaced, which damages the files further.
      let zip = Archives.zip(files.map { ("course/" + $0.path, String(decoding: $0.bytes, as: UTF8.self)) })
      var bytes = Array(zip)
      if form == 2 { bytes = damaged(bytes) }
      return try put(bytes, folder + "/course.zip")
    case 3:
      let entries = files.map {
        ("course/" + String($0.path.prefix(90)), Character("0"), String(decoding: $0.bytes, as: UTF8.self))
      }
      let linked = links.sorted { $0.key < $1.key }.map {
        ("course/" + String($0.key.prefix(90)), Character("2"), $0.value)
      }
      return try put(Array(Archives.tar(entries + linked)), folder + "/course.tar")
    default:
      if files.count == 1, links.isEmpty { return try put(files[0].bytes, folder + "/" + files[0].path) }
      for file in files { _ = try put(file.bytes, folder + "/course/" + file.path) }
      for (path, target) in links {
        let path = folder + "/course/" + path
        try? FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
      }
      return folder + "/course"
    }
  }

  private func put(_ bytes: [UInt8], _ path: String) throws -> String {
    let url = URL(filePath: path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    // Damaged files that have the same name overwrite each other.
    try Data(bytes).write(to: url)
    return path
  }

  // MARK: - Damage

  private mutating func breakSomething() {
    guard !files.isEmpty else { return }
    let index = random.below(files.count)
    // `NSString.deletingLastPathComponent` traps on a path of one letter.
    let folder = files[index].path.split(separator: "/").dropLast().joined(separator: "/")
    func beside(_ name: String) -> String { folder.isEmpty ? name : folder + "/" + name }
    switch random.below(12) {
    case 0 where files.count > 1: files.remove(at: index)
    case 1 where files.count > 1:
      let names = [
        "a\u{1B}[31mb.md", "\u{202E}dm.md", String(repeating: "n", count: 120) + ".md", " .md", "CON.md", "é.md",
      ]
      files[index].path = beside(names[random.below(names.count)])
    case 2 where files.count > 1:
      let targets = ["/etc/passwd", "..", "../../../../etc/passwd", files[random.below(files.count)].path, "nowhere"]
      links[files[index].path] = targets[random.below(targets.count)]
      files.remove(at: index)
    case 3 where files.count > 1: files[index].bytes = files[random.below(files.count)].bytes
    case 4:
      let folders = (0..<random.below(80)).map { _ in "d" }.joined(separator: "/")
      files.append((folders + "/deep.md", files[index].bytes))
    case 5:
      let count = min(200, max(1, 400_000 / max(1, files[index].bytes.count)))
      files[index].bytes = Array(repeatElement(files[index].bytes, count: count).joined())
    default: files[index].bytes = damaged(files[index].bytes)
    }
  }

  /// Returns bytes with one random change.
  private mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    guard !bytes.isEmpty else { return bytes }
    let position = random.below(bytes.count)
    let length = min(bytes.count - position, 1 + random.below(80))
    switch random.below(8) {
    case 0: bytes[position] = UInt8(random.below(256))
    case 1: bytes.removeSubrange(position..<position + length)
    case 2: bytes.insert(contentsOf: Array(bytes[position..<position + length]), at: random.below(bytes.count))
    case 3: bytes.removeSubrange(position...)
    case 4: bytes.replaceSubrange(position..<position + length, with: repeatElement(bytes[position], count: 3_000))
    case 5: bytes.swapAt(position, random.below(bytes.count))
    case 6:
      let snippet = Self.marks[random.below(Self.marks.count)]
      bytes.insert(contentsOf: Array(String(repeating: snippet, count: 1 + random.below(400)).utf8), at: position)
    default: bytes.insert(contentsOf: Array(Self.marks[random.below(Self.marks.count)].utf8), at: position)
    }
    return bytes
  }

  /// Markup with a meaning in one of the formats.
  private static let marks = [
    "\u{1B}[31m", "\u{9B}2J", "\0", "\u{7}", "<p>", "</p>", "<!--", "]]>", "<![CDATA[", "&x;", "<svg>", "<details>",
    "<table><tr><td>", "<!DOCTYPE html [<!ENTITY x \"y\">]>", "```", "~~~", ":::note\n", "::::{tip}\n", "{{< a >}}",
    "{{% b %}}", "{{#include ../../../../etc/passwd}}", "{{#rustdoc_include a.rs:x}}", "{% raw %}", "---\n", "+++\n",
    "[^1]", "[^1]: x\n\n", "[a]: b\n", "[[", "](../../../../etc/passwd)", "](javascript:x)",
    "![](data:image/png;base64,AA)",
    "# ", "> ", "- ", "1. ", "| a ", "|-", "$$", "$x$", "\\(", "{#a}", "<a id='a'/>", "\n    ", "\t", "\"", "{\"", "[",
    "}",
    "\"outputs\": [", "\"cell_type\": \"code\",", "1e999", "&a ", "*a ", "!!binary ", "key: a\n", "title: |\n",
    "- [A](a.md)\n",
    "\u{FEFF}", "\u{202E}", "\r\n", "\r", "😀", "../", "%2e%2e/", "\u{FFFD}",
  ]
}
