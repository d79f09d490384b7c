import CoursePages
import LearningModel
import NavigationKit
import TextCanvas

/// A text that is printed in portions. A portion is usually a heading with its text. Listening to it usually takes
/// little more than half a minute.
struct LinearReading {
  /// When a portion has at least this number of characters, it ends before the next heading.
  static let shortPortion = 250
  /// When a portion has at least this number of characters, it ends before the next block.
  static let longPortion = 600
  /// When a portion has at least this number of characters, it ends even inside a block, such as a long list or
  /// program.
  static let maximumPortion = 1200
  /// If the last portion has fewer characters than this, it is joined with the previous portion.
  static let minimumRemainder = 150

  let portions: [[LinearText.Line]]
  private let blocks: [Block]
  private(set) var links: [LinearText.Link]
  /// The index of the next portion.
  private(set) var next = 0
  /// The reading progress. A printed portion is credited for the time until the next input.
  private(set) var account: ReadingProgressTracker
  /// Whether the learner marked the text as not done. If `true`, the text is not marked as done automatically.
  var isMarkedNotDone = false

  /// The search in the text, or `nil` if there is none.
  private(set) var search: TextSearch?

  /// The value of ``next`` before a search or lookup. `nil` once reading has continued from the new position.
  private var savedPosition: Int?
  /// The characters of each line, from which reading progress is computed.
  private let rows: [ReadText.Row]
  private let headings: [String?]
  private var closed: [[Block]]?

  /// Creates a reading that begins with the first portion.
  ///
  /// - Parameters:
  ///   - read: The ranges that were read before, by the digests of their passages.
  ///   - isOpen: Whether collapsible sections are expanded.
  init(_ blocks: [Block], read: [String: RangeSet<Int>] = [:], isOpen: Bool = false) {
    self.blocks = blocks
    let text = LinearText(blocks, closed: isOpen ? nil : [])
    links = text.links
    closed = text.closed
    portions = Self.portions(of: text.lines)
    account = ReadingProgressTracker(blocks, read: read)
    var cellCounts: [[Int]] = Array(repeating: [], count: blocks.count)
    for line in text.lines { cellCounts[line.block].append(line.text.visibleCells) }
    rows = account.text.passages.enumerated().flatMap { ReadText.Row.rows(inks: cellCounts[$0], of: $1, $0) }
    headings = Self.headings(of: portions, in: blocks)
  }

  /// Continues at a stored position.
  mutating func restore(from position: ReadingPosition) {
    next = portions.lastIndex { ($0.first?.block ?? 0) <= position.block } ?? 0
  }

  var isAtEnd: Bool { next >= portions.count }

  /// Returns the next portion, or `nil` at the end.
  ///
  /// - Parameter time: The current time in seconds.
  mutating func readOn(at time: Double) -> [LinearText.Line]? {
    guard !isAtEnd else { return nil }
    _ = account.turnPage(at: time)
    (savedPosition, search) = (nil, nil)
    next += 1
    recordPortion(portion: next - 1, at: time)
    return portions[next - 1]
  }

  /// Credits the last portion for the time up to now. If a list covers the text, nothing is credited.
  ///
  /// - Returns: Whether further characters now count as read.
  mutating func creditReading(at time: Double, isCovered: Bool) -> Bool {
    let hasNewCredit = !isCovered && account.creditUntil(at: time)
    recordPortion(portion: next - 1, at: time)
    return hasNewCredit
  }

  private mutating func recordPortion(portion: Int, at time: Double) {
    guard portions.indices.contains(portion) else { return }
    let start = portions[..<portion].reduce(0) { $0 + $1.count }
    account.show(rows[start..<start + portions[portion].count], isEnd: portion == portions.count - 1, since: time)
  }

  mutating func takeUnsaved() -> [String: RangeSet<Int>] { account.takeUnsavedRanges() }

  /// The portion that was read last. Empty before the first portion.
  var last: [LinearText.Line] { portions.indices.contains(next - 1) ? portions[next - 1] : [] }

  /// Returns the lines of a collapsed section. The reading position is unchanged.
  mutating func open(details number: Int) -> [LinearText.Line] {
    guard let blocks = closed, blocks.indices.contains(number) else { return [] }
    let text = LinearText(blocks[number], links: links, closed: blocks)
    (links, closed) = (text.links, text.closed)
    return text.lines
  }

  /// Whether a search or lookup has moved the position.
  var isLookingUp: Bool { savedPosition != nil }

  // MARK: - Notes

  /// The text in the form to which positions of notes refer.
  var anchored: AnchoredText { AnchoredText(blocks) }

  /// The indices of the blocks that were read last: the block of the current match or, without a search, the blocks of
  /// the last portion.
  var lastBlocks: [Int] {
    if let line = lineOfMatch { return [line.block] }
    return last.reduce(into: []) { if $0.last != $1.block { $0.append($1.block) } }
  }

  /// Returns the index of the portion in which a block begins, or `nil` if no portion contains it.
  func portion(ofBlock block: Int) -> Int? { portions.firstIndex { $0.contains { $0.block == block } } }

  // MARK: - Searching

  /// Searches the whole text, beginning at the last portion.
  ///
  /// - Returns: `false` if there are no matches. In this case, nothing changes.
  mutating func findText(for query: String) -> Bool {
    var search = TextSearch(in: portions.joined().map { StyledLine($0.text) })
    search.search(for: query, from: portions.prefix(max(0, next - 1)).reduce(0) { $0 + $1.count })
    guard search.count > 0 else { return false }
    self.search = search
    goToPortion()
    return true
  }

  /// Moves the current match by a number of matches.
  mutating func moveToMatch(by step: Int) {
    search?.move(by: step)
    goToPortion()
  }

  /// Ends the search and returns to the position before it.
  mutating func endSearch() {
    search = nil
    if let savedPosition { (next, self.savedPosition) = (savedPosition, nil) }
  }

  /// The line in which the current match begins.
  var lineOfMatch: LinearText.Line? { search?.line.map { Array(portions.joined())[$0] } }

  /// Makes the portion with the current match the next one. The portion is credited only when it has been read.
  private mutating func goToPortion() {
    guard let line = search?.line else { return }
    savedPosition = savedPosition ?? next
    var end = 0
    next =
      portions.firstIndex { portion in
        end += portion.count
        return line < end
      } ?? next
  }

  /// Moves back to the first portion.
  mutating func rewind() { (next, savedPosition) = (0, nil) }

  /// Returns a portion for a lookup. The reading position is kept in ``savedPosition``.
  mutating func lookUp(_ portion: Int, at time: Double) -> [LinearText.Line] {
    savedPosition = savedPosition ?? next
    next = portion + 1
    recordPortion(portion: portion, at: time)
    return portions[portion]
  }

  /// Makes the portion with a heading or another target the next one.
  ///
  /// - Returns: `false` if there is no such place.
  mutating func go(to anchor: String) -> Bool {
    guard
      let index = portions.firstIndex(where: { $0.contains { $0.anchor == anchor } })
        ?? portions.firstIndex(where: { $0.contains { $0.targets.contains(anchor) } })
    else { return false }
    (next, savedPosition) = (index, nil)
    return true
  }

  /// Returns the position to store: the first block of the next portion.
  func position(at time: Timestamp) -> ReadingPosition {
    let portion = min(savedPosition ?? next, portions.count - 1)
    let block = portions.indices.contains(portion) ? portions[portion].first?.block ?? 0 : 0
    let heading = headings.indices.contains(portion) ? headings[portion] : nil
    return ReadingPosition(block: block, fraction: account.share, heading: heading, savedAt: time)
  }

  // MARK: - Portions

  private static func portions(of lines: [LinearText.Line]) -> [[LinearText.Line]] {
    var portions: [[LinearText.Line]] = []
    var portion: [LinearText.Line] = []
    var count = 0
    for line in lines {
      let isNewBlock = portion.last.map { $0.block != line.block } ?? false
      // A heading stays together with the block below it. A sentence that ends with a colon stays together with the
      // next block.
      let announcesNext = portion.last.map { $0.anchor != nil || $0.text.hasSuffix(":") } ?? false
      let isFull =
        isNewBlock && (line.anchor != nil && count >= shortPortion || count >= longPortion && !announcesNext)
        || count >= maximumPortion
      if isFull {
        portions.append(portion)
        (portion, count) = ([], 0)
      }
      portion.append(line)
      count += line.text.count
    }
    guard let last = portions.indices.last, count < minimumRemainder else {
      return portion.isEmpty ? portions : portions + [portion]
    }
    portions[last] += portion
    return portions
  }

  /// Returns, for each portion, the heading above it, or `nil` if there is none.
  private static func headings(of portions: [[LinearText.Line]], in blocks: [Block]) -> [String?] {
    var heading: String?
    return portions.map { portion in
      for line in portion {
        guard line.anchor != nil, blocks.indices.contains(line.block),
          case .heading(_, let title, _) = blocks[line.block]
        else { continue }
        heading = title.plainText
        break
      }
      return heading
    }
  }
}
