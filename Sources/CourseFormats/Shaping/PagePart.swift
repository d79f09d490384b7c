import LearningModel

/// The part of a page that an entry of a navigation shows if several entries lead to anchors of the same page.
///
/// The page is divided at these anchors, so each block is shown once: an entry shows the text from its anchor to the
/// next of the anchors, and the entry without an anchor shows the text before the first one.
struct PagePart: Equatable {
  /// The anchor of the entry, or `nil` for the beginning of the page.
  let anchor: String?
  /// The anchors of all entries of the page.
  let anchors: [String]
  /// Whether an entry leads to the page itself. If `false`, the first part contains the beginning of the page.
  let hasBeginning: Bool

  /// Returns the blocks of the part with their anchors, or `nil` if the page has no such anchor.
  func text(of page: ParsedText) -> ParsedText? {
    let starts = Set(anchors.compactMap { Self.index(of: $0, in: page) }).sorted()
    guard let first = starts.first else { return nil }
    var start = 0
    if let anchor {
      guard let index = Self.index(of: anchor, in: page) else { return nil }
      if index != first || hasBeginning { start = index }
    }
    let end = (anchor == nil ? first : starts.first { $0 > max(start, first) }) ?? page.blocks.count
    var part = page
    part.blocks = Array(page.blocks[start..<max(start, end)])
    let isLast = end == page.blocks.count
    part.anchors = page.anchors.filter { start <= $0.value && ($0.value < end || isLast) }.mapValues { $0 - start }
    return part
  }

  private static func index(of anchor: String, in page: ParsedText) -> Int? {
    [anchor, anchor.lowercased(), Anchor.make(from: anchor)].lazy.compactMap { page.anchors[$0] }
      .first { $0 < page.blocks.count }
  }

  /// The anchors with which a navigation lists each page.
  struct Listing {
    private var anchors: [String: [String?]] = [:]

    mutating func add(page: String, anchor: String?) { anchors[page, default: []].append(anchor) }

    /// Returns the part that an entry shows, or `nil` if it shows the whole page.
    func part(of page: String, anchor: String?) -> PagePart? {
      guard let all = anchors[page], all.count > 1, all.contains(where: { $0 != nil }) else { return nil }
      return PagePart(anchor: anchor, anchors: all.compactMap(\.self), hasBeginning: all.contains(nil))
    }
  }
}
