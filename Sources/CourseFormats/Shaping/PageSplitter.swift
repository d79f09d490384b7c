import LearningModel

/// A section of a page that becomes one activity. Its length is 3 to 15 minutes of reading if the page has suitable
/// headings.
struct PageSection: Equatable {
  /// The text of the heading at which the page was split; `nil` for the first section.
  let title: String?
  /// The anchor of that heading; empty for the first section.
  let anchor: String
  /// The blocks, without the heading at which the page was split. That heading is the title.
  var blocks: [Block]
  /// The anchors of headings and other elements in the section.
  var anchors: [String]
  var wordCount: Int
}

/// Splits long pages and joins short sections, so that an activity is neither very long nor very short.
///
/// A long page is split at its headings. A long page without suitable headings is split before exercises that have a
/// title.
enum PageSplitter {
  /// The maximum number of words of a page that is shown as a single activity.
  static let maximumPageWords = 2_000
  /// A section with fewer words than this is joined with the next section.
  static let shortLeadWords = 600
  /// A section with fewer words than this is joined with the previous section.
  static let shortSectionWords = 200
  /// The maximum number of words of two joined sections.
  static let maximumJoinedWords = 2_400

  /// Returns the sections of a page, in order. Empty if the page has no text.
  ///
  /// - Throws: ``CourseFormatError/limit(_:file:line:)`` if the sections with their footnotes are too large.
  static func sections(
    of text: ParsedText, file: String = "", limits: SourceLimits = .standard
  ) throws -> [PageSection] {
    var footnotes = text.footnotes
    var parts: [PageSection] = []
    for section in headingSections(of: text) {
      // A heading without text below it does not become a section of its own.
      let isBare = section.section.blocks.isEmpty
      // Only the number of words is read from the last section: a second reference would copy its blocks.
      if let words = parts.last?.wordCount,
        isBare
          || (words < shortLeadWords || section.section.wordCount < shortSectionWords)
            && words + section.section.wordCount <= maximumJoinedWords
      {
        parts[parts.count - 1].append(section)
      } else {
        parts.append(section.section)
      }
    }
    return try parts.filter { !$0.blocks.isEmpty }.map { part in
      var part = part
      part.blocks = try footnotes.attached(to: part.blocks, file: file, limits: limits)
      return part
    }
  }

  /// A section and the heading at which it begins. If the section is joined with another one, the heading becomes
  /// part of the text.
  fileprivate struct HeadingSection {
    var section: PageSection
    var heading: Block?

    init(section: PageSection) {
      self.section = section
    }

    init(cutAt title: String, anchor: String, heading: Block? = nil) {
      section = PageSection(title: title, anchor: anchor, blocks: [], anchors: [], wordCount: 0)
      self.heading = heading
    }
  }

  private static func headingSections(of text: ParsedText) -> [HeadingSection] {
    var anchorsAt: [Int: [String]] = [:]
    for (anchor, index) in text.anchors { anchorsAt[index, default: []].append(anchor) }
    let words = text.blocks.map(\.block.wordCount)
    let isLong = words.reduce(0, +) > maximumPageWords
    let level = isLong ? splitLevel(of: text.blocks.map(\.block)) : nil

    var names = UniqueNames(usedNames: Set(text.anchors.keys), numberedFrom: 1)
    var sections = [HeadingSection(section: PageSection(title: nil, anchor: "", blocks: [], anchors: [], wordCount: 0))]
    for (index, located) in text.blocks.enumerated() {
      if let level, index > 0, case .heading(let depth, let title, let anchor) = located.block, depth <= level {
        // The first section gets the title of the page, even if the section begins with a heading.
        sections.append(HeadingSection(cutAt: title.plainText.onOneLine, anchor: anchor, heading: located.block))
      } else {
        // The first section gets the title of the page, even if the section begins with an exercise.
        if isLong, level == nil, index > 0, let title = located.block.exercise {
          // If the title of the exercise was a heading, the exercise has its own anchor.
          let anchor = Anchor.make(from: title)
          let isOwn = anchorsAt[index]?.contains(anchor) == true
          sections.append(HeadingSection(cutAt: title, anchor: isOwn ? anchor : Anchor.unique(anchor, among: &names)))
        }
        sections[sections.count - 1].section.blocks.append(located.block)
      }
      sections[sections.count - 1].section.wordCount += words[index]
      sections[sections.count - 1].section.anchors += (anchorsAt[index] ?? []).sorted()
    }
    // Anchors after the last block are added to the last section.
    sections[sections.count - 1].section.anchors += (anchorsAt[text.blocks.count] ?? []).sorted()
    return sections
  }

  /// Returns the highest heading level that occurs at least twice, or `nil` if no level does.
  private static func splitLevel(of blocks: [Block]) -> Int? {
    var counts: [Int: Int] = [:]
    for case .heading(let level, _, _) in blocks { counts[level, default: 0] += 1 }
    return counts.filter { $0.value > 1 }.keys.min()
  }
}

extension Block {
  /// The title of an exercise, such as "Loops" for a box titled "Exercise: Loops"; `nil` for other blocks.
  fileprivate var exercise: String? {
    guard case .admonition(let box) = self, box.kind == .box else { return nil }
    let parts = box.title.plainText.split(separator: ": ", maxSplits: 1)
    return parts.count == 2 && DirectiveRole.exercises.contains(String(parts[0])) ? String(parts[1]).onOneLine : nil
  }
}

extension PageSection {
  fileprivate mutating func append(_ section: PageSplitter.HeadingSection) {
    blocks += (section.heading.map { [$0] } ?? []) + section.section.blocks
    anchors += section.section.anchors
    wordCount += section.section.wordCount
  }
}

package enum WordCount {
  /// Returns the number of words between white space. In scripts without spaces, each character is a word.
  package static func count(in text: String) -> Int {
    var count = 0
    var isInside = false
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        // ASCII is handled separately, because looking up the properties of a scalar takes longer than all other work
        // here.
        let isBlank = scalar == " " || (0x09...0x0D).contains(scalar.value)
        if !isBlank, !isInside { count += 1 }
        isInside = !isBlank
      } else if isWrittenWithoutSpaces(scalar) {
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

  /// Returns whether a character is kana or a Chinese character, which are written without spaces. Source: the blocks
  /// of Unicode.
  package static func isWrittenWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF: true
    default: false
    }
  }
}

extension Block {
  var wordCount: Int { WordCount.count(in: plainText) }
}
