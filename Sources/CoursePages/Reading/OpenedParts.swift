package import LearningModel

/// What of a text its reader has opened.
package struct OpenedParts: Hashable, Sendable {
  /// The closed blocks that are open, by their numbers, counted from 0 through the whole text.
  package var details: Set<Int> = []
  /// Which tab is chosen, from 0, by the number of its tabs, counted from 0 through the whole text; else the first one.
  package var tabs: [Int: Int] = [:]
  /// The notes that are read where they are named, by their numbers.
  package var notes: Set<Int> = []
  /// The first column that is seen of what is not wrapped, from 0, by the numbers of the pieces in the text.
  package var unwrapped: [Int: Int] = [:]

  /// Nothing is opened.
  package init() {}

  /// Opens what a link opens, or closes it.
  ///
  /// - Returns: Whether the link is one that opens something.
  package mutating func toggle(_ destination: String) -> Bool {
    if let number = DetailsLink.number(of: destination) {
      details.formSymmetricDifference([number])
    } else if let (tab, number) = TabLink.tab(of: destination) {
      tabs[number] = tab
    } else if let note = NoteLink.number(of: destination) {
      notes.formSymmetricDifference([note])
    } else {
      return false
    }
    return true
  }
}

/// What opens and closes a block that is closed until it is asked for: a link on its summary.
package enum DetailsLink {
  private static let prefix = "#details:"

  /// The destination for the block with that number, counted from 0 through the whole text.
  package static func destination(_ number: Int) -> String { prefix + String(number) }

  /// The number of the block; `nil` for a link of another kind.
  package static func number(of destination: String) -> Int? {
    destination.hasPrefix(prefix) ? Int(destination.dropFirst(prefix.count)) : nil
  }
}

/// What chooses one of several tabs: a link on its label.
package enum TabLink {
  private static let prefix = "#tab:"

  /// The destination for a tab, from 0, of the tabs with that number, counted from 0 through the whole text.
  package static func destination(_ tab: Int, of number: Int) -> String { "\(prefix)\(number):\(tab)" }

  /// The tab, and the number of its tabs; `nil` for a link of another kind.
  package static func tab(of destination: String) -> (tab: Int, number: Int)? {
    guard destination.hasPrefix(prefix) else { return nil }
    let parts = destination.dropFirst(prefix.count).split(separator: ":").map { Int($0) }
    guard parts.count == 2, let number = parts[0], let tab = parts[1] else { return nil }
    return (tab, number)
  }
}

extension [Block] {
  /// The blocks with what is closed as a summary that opens it, and what is open with its text below that; of tabs the
  /// chosen one, below the labels of all.
  ///
  /// - Parameters:
  ///   - opened: What the reader has opened. Notes are a matter of the layout.
  ///   - symbols: What the signs are taken from.
  package func showing(_ opened: OpenedParts, symbols: Symbols) -> [Block] {
    var setting = PartSetting(opened: opened, symbols: symbols)
    return setting.set(self)
  }

  /// What has to be opened for texts to be seen that are wanted; notes stand at the end as well.
  package func parts(where isWanted: @escaping (String) -> Bool) -> OpenedParts {
    var setting = PartSetting(opened: OpenedParts(), symbols: .ascii, isWanted: isWanted)
    _ = setting.set(self)
    return setting.wanted
  }
}

private struct PartSetting {
  let opened: OpenedParts
  let symbols: Symbols
  var isWanted: (String) -> Bool = { _ in false }
  private(set) var wanted = OpenedParts()
  private var (details, tabs) = (0, 0)

  init(opened: OpenedParts, symbols: Symbols, isWanted: @escaping (String) -> Bool = { _ in false }) {
    self.opened = opened
    self.symbols = symbols
    self.isWanted = isWanted
  }

  mutating func set(_ blocks: [Block]) -> [Block] {
    blocks.map { block in
      switch block {
      case .details(let summary, let inner): set(inner, below: summary)
      case .tabs(let all): set(all)
      default: block.mapParts(line: { $0 }, blocks: { set($0) })
      }
    }
  }

  private mutating func set(_ inner: [Block], below summary: [Inline]) -> Block {
    let own = details
    details += 1
    if isWanted(inner.plainText) { wanted.details.insert(own) }
    // Those inside are counted also while they are not seen: a number stays what it is.
    let text = set(inner)
    let isOpen = opened.details.contains(own)
    let line = Inline.link(destination: DetailsLink.destination(own), text: [sign(isOpen)] + summary)
    return .quote([.paragraph([line])] + (isOpen ? text : []))
  }

  private mutating func set(_ all: [Tab]) -> Block {
    let own = tabs
    tabs += 1
    if let tab = all.firstIndex(where: { isWanted($0.blocks.plainText) }) { wanted.tabs[own] = tab }
    let texts = all.map { set($0.blocks) }
    let chosen = min(opened.tabs[own] ?? 0, all.count - 1)
    let labels = all.enumerated().map { index, tab in
      let words = [sign(index == chosen)] + tab.label
      return Inline.link(
        destination: TabLink.destination(index, of: own), text: index == chosen ? [.strong(words)] : words)
    }
    return .tabs([Tab(label: Array(labels.map { [$0] }.joined(separator: [.text("   ")])), blocks: texts[chosen])])
  }

  private func sign(_ isOpen: Bool) -> Inline {
    .text((isOpen ? symbols.details.open : symbols.details.closed) + " ")
  }
}
