import LearningModel

/// A part of a page that is one activity: a sitting of 3 to 15 minutes, where the page lets itself be cut so.
struct PagePart: Equatable {
  /// The words of the heading that it was cut at; `nil` for the part that a page begins with.
  let title: String?
  /// The anchor of that heading; empty for the part that a page begins with.
  let anchor: String
  /// What it says. The heading that it was cut at is not in it, for it is the title.
  var blocks: [Block]
  /// The anchors inside it, of headings and of anything else.
  var anchors: [String]
  /// How many words it has.
  var words: Int
}

/// Cuts long pages and joins short parts, so that neither a page of an hour nor one of three lines is an activity.
///
/// A long page is cut at its headings; one that has none to be cut at, before the exercises that have a title.
enum PageParts {
  /// A page up to this long stays whole.
  static let longestPage = 2_000
  /// A part before this long takes the next one in.
  static let shortBefore = 600
  /// A part this short joins the one before.
  static let shortPart = 200
  /// Two parts that are joined are no longer than this.
  static let longestJoined = 2_400

  /// The parts of a page, in order; none where it says nothing.
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` where its notes make it too large.
  static func parts(
    of text: ParsedText, file: String = "", limits: SourceLimits = .standard
  ) throws -> [PagePart] {
    var footnotes = text.footnotes
    var parts: [PagePart] = []
    for section in sections(of: text) {
      // A heading without a text is no part, whatever it follows.
      let isBare = section.part.blocks.isEmpty
      if let last = parts.last,
        isBare
          || (last.words < shortBefore || section.part.words < shortPart)
            && last.words + section.part.words <= longestJoined
      {
        parts[parts.count - 1].take(section)
      } else {
        parts.append(section.part)
      }
    }
    return try parts.filter { !$0.blocks.isEmpty }.map { part in
      var part = part
      part.blocks = try footnotes.attached(to: part.blocks, file: file, limits: limits)
      return part
    }
  }

  /// A part and the heading that it was cut at, which stands in the text again where the part joins another one.
  fileprivate struct Section {
    var part: PagePart
    var heading: Block?

    init(part: PagePart) {
      self.part = part
    }

    init(cutAt title: String, anchor: String, heading: Block? = nil) {
      part = PagePart(title: title, anchor: anchor, blocks: [], anchors: [], words: 0)
      self.heading = heading
    }
  }

  private static func sections(of text: ParsedText) -> [Section] {
    var anchorsAt: [Int: [String]] = [:]
    for (anchor, index) in text.anchors { anchorsAt[index, default: []].append(anchor) }
    let words = text.blocks.map(\.block.words)
    let isLong = words.reduce(0, +) > longestPage
    let level = isLong ? cutLevel(of: text.blocks.map(\.block)) : nil

    var names = UniqueNames(taken: Set(text.anchors.keys), numberedFrom: 1)
    var sections = [Section(part: PagePart(title: nil, anchor: "", blocks: [], anchors: [], words: 0))]
    for (index, located) in text.blocks.enumerated() {
      if let level, index > 0, case .heading(let depth, let title, let anchor) = located.block, depth <= level {
        // What a page begins with has the page's own title, also where that is its first heading.
        sections.append(Section(cutAt: title.plainText.onOneLine, anchor: anchor, heading: located.block))
      } else {
        // The part that a page begins with is the page's own, also where it is a box.
        if isLong, level == nil, index > 0, let title = located.block.exercise {
          // The box's own anchor, where its title was a heading.
          let anchor = Anchor.make(from: title)
          let isOwn = anchorsAt[index]?.contains(anchor) == true
          sections.append(Section(cutAt: title, anchor: isOwn ? anchor : Anchor.unique(anchor, among: &names)))
        }
        sections[sections.count - 1].part.blocks.append(located.block)
      }
      sections[sections.count - 1].part.words += words[index]
      sections[sections.count - 1].part.anchors += (anchorsAt[index] ?? []).sorted()
    }
    // Anchors behind everything belong to the end.
    sections[sections.count - 1].part.anchors += (anchorsAt[text.blocks.count] ?? []).sorted()
    return sections
  }

  /// The highest level that two headings have.
  private static func cutLevel(of blocks: [Block]) -> Int? {
    var counts: [Int: Int] = [:]
    for case .heading(let level, _, _) in blocks { counts[level, default: 0] += 1 }
    return counts.filter { $0.value > 1 }.keys.min()
  }
}

extension Block {
  /// What something to do is called, where the block is the box of that: "Exercise: Loops".
  fileprivate var exercise: String? {
    guard case .admonition(let box) = self, box.kind == .box else { return nil }
    let parts = box.title.plainText.split(separator: ": ", maxSplits: 1)
    return parts.count == 2 && DirectiveRole.exercises.contains(String(parts[0])) ? String(parts[1]).onOneLine : nil
  }
}

extension PagePart {
  fileprivate mutating func take(_ section: PageParts.Section) {
    blocks += (section.heading.map { [$0] } ?? []) + section.part.blocks
    anchors += section.part.anchors
    words += section.part.words
  }
}

/// How long a text is to a reader.
enum WordCount {
  /// Words between white space; each character of a script that is written without spaces is a word.
  static func words(in text: String) -> Int {
    var count = 0
    var isInside = false
    for scalar in text.unicodeScalars {
      if isWrittenWithoutSpaces(scalar) {
        count += 1
        isInside = false
      } else if scalar.properties.isWhitespace {
        isInside = false
      } else if !isInside {
        count += 1
        isInside = true
      }
    }
    return count
  }

  /// Kana and Chinese characters. Source: Unicode's blocks of them.
  private static func isWrittenWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF: true
    default: false
    }
  }
}

extension Block {
  /// How many words are in it.
  var words: Int { WordCount.words(in: plainText) }
}
