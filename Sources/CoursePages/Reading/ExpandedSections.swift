package import LearningModel

/// The state of a text's collapsible sections, tabs, footnotes and unwrapped blocks, as the reader set it. All numbers
/// are counted from 0 through the whole text.
package struct ExpandedSections: Hashable, Sendable {
  /// The numbers of the expanded sections.
  package var details: Set<Int> = []
  /// The index of the selected tab by the number of its tab group. The first tab is selected by default.
  package var tabs: [Int: Int] = [:]
  /// The numbers of the footnotes that are shown below their references.
  package var notes: Set<Int> = []
  /// The first visible column of each unwrapped block, by the block's index in ``ReadingText/selectableBlocks``.
  package var unwrapped: [Int: Int] = [:]

  /// Creates a state in which nothing is expanded.
  package init() {}

  /// Expands or collapses the section, or selects the tab, of a link.
  ///
  /// - Returns: `false` if the link has another purpose.
  package mutating func toggle(_ destination: String) -> Bool {
    if let number = DetailsLink.number(of: destination) {
      details.formSymmetricDifference([number])
    } else if let (tab, number) = TabLink.tab(of: destination) {
      tabs[number] = tab
    } else if let note = FootnoteLink.number(of: destination) {
      notes.formSymmetricDifference([note])
    } else {
      return false
    }
    return true
  }
}

/// The link on the summary of a collapsible section, which expands and collapses it.
package enum DetailsLink {
  private static let prefix = "#details:"

  /// Returns the destination for the section with the given number, counted from 0 through the whole text.
  package static func destination(_ number: Int) -> String { prefix + String(number) }

  /// Returns the number of the section, or `nil` for any other link.
  package static func number(of destination: String) -> Int? {
    destination.hasPrefix(prefix) ? Int(destination.dropFirst(prefix.count)) : nil
  }
}

/// The link on the label of a tab, which selects it.
package enum TabLink {
  private static let prefix = "#tab:"

  /// Returns the destination for a tab of the tab group with a number, counted from 0 through the whole text.
  package static func destination(_ tab: Int, of number: Int) -> String { "\(prefix)\(number):\(tab)" }

  /// Returns the index of the tab and the number of its group, or `nil` for any other link.
  package static func tab(of destination: String) -> (tab: Int, number: Int)? {
    guard destination.hasPrefix(prefix) else { return nil }
    let components = destination.dropFirst(prefix.count).split(separator: ":").map { Int($0) }
    guard components.count == 2, let number = components[0], let tab = components[1] else { return nil }
    return (tab, number)
  }
}

extension [Block] {
  /// Returns the blocks with collapsible sections and tab groups replaced by their visible content.
  ///
  /// A collapsed section becomes its summary, an expanded one its summary and content. A tab group becomes the labels
  /// of all tabs and the content of the selected one.
  ///
  /// - Parameters:
  ///   - expanded: The expanded sections and selected tabs. Footnotes are handled by ``ReadingLayout``.
  ///   - symbols: The symbols for collapsed and expanded sections.
  package func showing(_ expanded: ExpandedSections, symbols: Symbols) -> [Block] {
    var expansion = SectionExpansion(expanded: expanded, symbols: symbols)
    return expansion.expand(self)
  }

  /// Returns the sections to expand and the tabs to select so that the texts that satisfy `isMatch` become visible.
  /// Footnotes need not be opened, because they are also at the end of the text.
  package func sectionsToExpand(where isMatch: @escaping (String) -> Bool) -> ExpandedSections {
    var expansion = SectionExpansion(expanded: ExpandedSections(), symbols: .ascii, matches: isMatch)
    _ = expansion.expand(self)
    return expansion.required
  }
}

private struct SectionExpansion {
  let expanded: ExpandedSections
  let symbols: Symbols
  var matches: (String) -> Bool = { _ in false }
  private(set) var required = ExpandedSections()
  private var (details, tabs) = (0, 0)

  init(expanded: ExpandedSections, symbols: Symbols, matches: @escaping (String) -> Bool = { _ in false }) {
    self.expanded = expanded
    self.symbols = symbols
    self.matches = matches
  }

  mutating func expand(_ blocks: [Block]) -> [Block] {
    blocks.map { block in
      switch block {
      case .details(let summary, let inner): expand(inner, below: summary)
      case .tabs(let all): expand(all)
      default: block.mapChildren(line: { $0 }, blocks: { expand($0) })
      }
    }
  }

  private mutating func expand(_ inner: [Block], below summary: [Inline]) -> Block {
    let number = details
    details += 1
    if matches(inner.plainText) { required.details.insert(number) }
    // Sections inside a collapsed section are counted too, so that the numbers do not depend on which sections are
    // expanded.
    let text = expand(inner)
    let isOpen = expanded.details.contains(number)
    let line = Inline.link(destination: DetailsLink.destination(number), text: [sign(isOpen)] + summary)
    return .quote([.paragraph([line])] + (isOpen ? text : []))
  }

  private mutating func expand(_ all: [ContentTab]) -> Block {
    let number = tabs
    tabs += 1
    if let tab = all.firstIndex(where: { matches($0.blocks.plainText) }) { required.tabs[number] = tab }
    let texts = all.map { expand($0.blocks) }
    let chosen = min(expanded.tabs[number] ?? 0, all.count - 1)
    let labels = all.enumerated().map { index, tab in
      let label = [sign(index == chosen)] + tab.label
      return Inline.link(
        destination: TabLink.destination(index, of: number), text: index == chosen ? [.strong(label)] : label)
    }
    return .tabs([
      ContentTab(label: Array(labels.map { [$0] }.joined(separator: [.text("   ")])), blocks: texts[chosen])
    ])
  }

  private func sign(_ isOpen: Bool) -> Inline {
    .text((isOpen ? symbols.details.open : symbols.details.closed) + " ")
  }
}
