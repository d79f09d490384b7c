package import LearningModel

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

extension [Block] {
  /// The blocks with each closed block as a framed summary that opens it, and each open one with its text below that.
  ///
  /// - Parameters:
  ///   - open: The numbers of those that are open.
  ///   - symbols: What the signs are taken from.
  package func withDetails(open: Set<Int>, symbols: Symbols) -> [Block] {
    var setting = DetailsSetting(symbols: symbols) { number, _ in open.contains(number) }
    return setting.set(self)
  }

  /// The numbers of the closed blocks whose text, or that of one inside them, is wanted.
  package func detailsNumbers(where isWanted: @escaping (String) -> Bool) -> Set<Int> {
    var numbers: Set<Int> = []
    var setting = DetailsSetting(symbols: .ascii) { number, blocks in
      if isWanted(blocks.plainText) { numbers.insert(number) }
      return false
    }
    _ = setting.set(self)
    return numbers
  }
}

private struct DetailsSetting {
  let symbols: Symbols
  /// Whether the block of that number, with that text, is open.
  let isOpen: (Int, [Block]) -> Bool
  var number = 0

  init(symbols: Symbols, isOpen: @escaping (Int, [Block]) -> Bool) {
    self.symbols = symbols
    self.isOpen = isOpen
  }

  mutating func set(_ blocks: [Block]) -> [Block] {
    var result: [Block] = []
    for block in blocks {
      switch block {
      case .details(let summary, let inner):
        let own = number
        number += 1
        // Those inside are counted also while they are not seen: a number stays what it is.
        let text = set(inner)
        let isOpen = isOpen(own, inner)
        let sign = isOpen ? symbols.details.open : symbols.details.closed
        let line = Inline.link(destination: DetailsLink.destination(own), text: [.text(sign + " ")] + summary)
        result.append(.quote([.paragraph([line])] + (isOpen ? text : [])))
      case .quote(let inner): result.append(.quote(set(inner)))
      case .bulletList(let items): result.append(.bulletList(items: set(items)))
      case .orderedList(let start, let items): result.append(.orderedList(start: start, items: set(items)))
      case .heading, .paragraph, .code, .math, .table, .rule: result.append(block)
      }
    }
    return result
  }

  private mutating func set(_ items: [ListItem]) -> [ListItem] {
    var result: [ListItem] = []
    for item in items { result.append(ListItem(isTicked: item.isTicked, blocks: set(item.blocks))) }
    return result
  }
}
