import Foundation
import CourseKit
import LearningModel

/// The names of the files of an exported course, one for each node. They are relative to the folder of the course.
///
/// Names consist of lower-case ASCII letters, digits and hyphens, and are never names of devices, so that they are valid
/// and unique on every file system and in addresses.
struct CourseFiles {
  /// The arrangement of the files.
  enum Layout {
    /// Pages of HTML: `goal/lesson/text.html`, and `index.html` for the other nodes.
    case site
    /// Waymark's folders: `1-goal/1-lesson/1-text.md`. The path of other nodes is that of their folder.
    case folders
  }

  let nodes: [DraftNode]
  /// The children of each node, in order.
  let children: [[Int]]
  /// The number of each node among its siblings, from 1.
  let positions: [Int]
  /// The path of each node's file or folder.
  let paths: [String]
  private let indices: [String: Int]

  /// The depth of folders in a site. Deeper lessons share the folder of their ancestor, because Windows limits the
  /// length of paths.
  private static let maximumFolders = 3
  /// The maximum length of a name without its number and extension.
  private static let maximumLength = 40

  /// Names the files.
  ///
  /// - Parameters:
  ///   - nodes: The nodes in reading order, the course first.
  ///   - layout: The arrangement of the files.
  ///   - reserved: The names at the top that are used for other files.
  init(_ nodes: [DraftNode], layout: Layout, reserved: Set<String>) {
    var children: [[Int]] = Array(repeating: [], count: nodes.count)
    var positions: [Int] = Array(repeating: 0, count: nodes.count)
    for (index, node) in nodes.enumerated() {
      guard let parent = node.parent else { continue }
      positions[index] = children[parent].count + 1
      children[parent].append(index)
    }
    var paths: [String] = []
    var folders: [String] = []
    var depths: [Int] = []
    var names: [String: UniqueNames] = ["": UniqueNames(usedNames: reserved, numberedFrom: 2)]
    for (index, node) in nodes.enumerated() {
      guard let parent = node.parent else {
        (paths, folders, depths) = ([layout == .site ? "index.html" : ""], [""], [0])
        continue
      }
      let folder = folders[parent]
      var name = Self.name(node.title, fallback: "\(node.kind.rawValue)-\(positions[index])")
      if layout == .folders { name = Self.number(positions[index], of: children[parent].count) + "-" + name }
      name = names[folder, default: UniqueNames(usedNames: ["index"], numberedFrom: 2)].makeUnique(name)
      let isFolder = node.kind != .activity && (layout == .folders || depths[parent] < Self.maximumFolders)
      folders.append(isFolder ? folder + name + "/" : folder)
      depths.append(depths[parent] + (isFolder ? 1 : 0))
      switch layout {
      case .site: paths.append(isFolder ? folder + name + "/index.html" : folder + name + ".html")
      case .folders:
        let ending = node.type == .exercise ? "/" + ExerciseFile.taskName : ".md"
        paths.append(isFolder ? folder + name : folder + name + ending)
      }
    }
    (self.nodes, self.children, self.positions, self.paths) = (nodes, children, positions, paths)
    indices = Dictionary(nodes.enumerated().map { ($1.key, $0) }) { first, _ in first }
  }

  /// Returns the number of a file with as many digits as the last one has, so that files are sorted by name.
  private static func number(_ position: Int, of count: Int) -> String {
    let digits = String(position)
    return String(repeating: "0", count: String(count).count - digits.count) + digits
  }

  /// Returns the name for a title. Accents are removed, and other letters are left out.
  ///
  /// Source: Microsoft, "Naming Files, Paths, and Namespaces" (reserved names).
  private static func name(_ title: String, fallback: String) -> String {
    let letters = title.decomposedStringWithCompatibilityMapping.unicodeScalars
    let plain = letters.filter { $0.properties.generalCategory != .nonspacingMark }.map { $0.isASCII ? $0 : " " }
    var name = String(
      Slug.make(from: String(String.UnicodeScalarView(plain)), fallback: fallback).prefix(maximumLength))
    while name.last == "-" { name.removeLast() }
    let isDevice =
      ["con", "prn", "aux", "nul"].contains(name)
      || name.count == 4 && (name.hasPrefix("com") || name.hasPrefix("lpt")) && name.last?.isNumber == true
    return isDevice ? name + "-" + fallback : name
  }

  /// Returns the node to which a link inside the course leads, and the anchor in its text. Returns `nil` for other
  /// links.
  func target(of destination: String) -> (node: Int, anchor: String?)? {
    for link in CourseLink.interpretations(of: destination) where link.course == nil || link.course == nodes[0].key {
      if let index = link.course != nil && link.key.isEmpty ? 0 : indices[link.key] { return (index, link.anchor) }
    }
    return nil
  }

  /// Returns the relative address of a file, for a link in the file of a node.
  func address(of path: String, from node: Int) -> String {
    let folder = paths[node].utf8.lastIndex(of: UInt8(ascii: "/")).map { paths[node][...$0] } ?? ""
    if path.hasPrefix(folder) { return String(path.dropFirst(folder.count)) }
    let target = path.split(separator: "/", omittingEmptySubsequences: false)
    let source = paths[node].split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let shared = zip(target.dropLast(), source).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: source.count - shared) + target.dropFirst(shared)).joined(separator: "/")
  }

  /// Returns the text of a fragment of an address.
  ///
  /// Source: RFC 3986, section 2.3.
  static func encoded(_ anchor: String) -> String {
    anchor.utf8.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "~"):
        String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }
}

/// The destinations of links and images in the files of an exported course.
struct CourseReferences {
  private let course: ExportedCourse
  private let files: CourseFiles
  private let folder: String
  private let embedsDrawings: Bool
  private let write: (_ path: String, _ bytes: [UInt8]) throws -> Void
  /// The paths of the images that were written, by digest and extension. `nil` for images that are not stored.
  private var images: [String: String?] = [:]
  /// The anchors in the texts to which links have led so far.
  private var anchors: [Int: Set<String>] = [:]

  /// - Parameters:
  ///   - folder: The path of the folder for images and sounds.
  ///   - embedsDrawings: Whether the address of an SVG image contains the image, so that scripts in it never run.
  ///   - write: Writes a file.
  init(
    of course: ExportedCourse, _ files: CourseFiles, folder: String, embedsDrawings: Bool,
    write: @escaping (_ path: String, _ bytes: [UInt8]) throws -> Void
  ) {
    (self.course, self.files, self.folder, self.write) = (course, files, folder, write)
    self.embedsDrawings = embedsDrawings
  }

  /// Returns the address of a link for the file of a node: a file with an anchor that it contains, or a web address.
  /// Returns `nil` if only the text of the link can be shown.
  mutating func address(_ destination: String, from node: Int) throws -> String? {
    guard let target = files.target(of: destination) else { return WebAddress(destination)?.text }
    let address = files.address(of: files.paths[target.node], from: node)
    guard let anchor = target.anchor, try anchors(of: target.node).contains(anchor) else { return address }
    return (target.node == node ? "" : address) + "#" + CourseFiles.encoded(Self.identifier(anchor))
  }

  /// Returns the identifier of an anchor. Identifiers contain no white space.
  static func identifier(_ anchor: String) -> String { String(anchor.map { $0.isWhitespace ? "-" : $0 }) }

  private mutating func anchors(of node: Int) throws -> Set<String> {
    guard files.nodes[node].kind == .activity else { return [] }
    if let anchors = anchors[node] { return anchors }
    var found: Set<String> = []
    try course.contents.content(at: node).children.visit {
      if case .heading(_, _, let anchor) = $0 { found.insert(anchor) }
    } inline: {
      if case .target(let name) = $0 { found.insert(name) }
    }
    anchors[node] = found
    return found
  }

  /// Returns an image or a sound with the address of its file, which is written when it is requested for the first time.
  ///
  /// - Returns: The element with its new address, or `nil` if the file is not stored.
  mutating func located(_ inline: Inline, from node: Int) throws -> Inline? {
    guard case .image(let source, let alternative, let image?) = inline else { return nil }
    // The extension of a sound is one of those by which sounds are recognised.
    let sound = inline.soundName == nil ? nil : source.split(separator: ".").last?.lowercased()
    let key = image.digest + (sound ?? "")
    if images[key] == nil {
      let file = try course.file(of: image)
      if let file, embedsDrawings, sound == nil, file.fileExtension == "svg" {
        let address = HTMLWriter.embeddedDrawing + Data(file.bytes).base64EncodedString()
        return .image(source: address, alternative: alternative, stored: image)
      }
      let path = file.map { "\(folder)/\(image.digest.prefix(20)).\(sound ?? $0.fileExtension)" }
      images[key] = .some(path)
      if let file, let path { try write(path, file.bytes) }
    }
    return images[key]?.map {
      .image(source: files.address(of: $0, from: node), alternative: inline.soundName ?? alternative, stored: image)
    }
  }
}
