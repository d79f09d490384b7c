import CoursePages
import LearningModel
import NavigationKit
import TextCanvas

/// A text that is read in portions: a heading with what belongs to it, never much more than half a minute of listening.
struct LinearReading {
  /// A portion ends before a heading once it has that many characters,
  static let shortPortion = 250
  /// before any block once it has that many,
  static let longPortion = 600
  /// and even inside one, such as a long list or program, behind that many.
  static let longestPortion = 1200
  /// What is left over at the end is read with the portion before where it is shorter than that.
  static let leftOver = 150

  let portions: [[SpokenText.Line]]
  private let blocks: [Block]
  private(set) var links: [SpokenText.Link]
  /// The portion that is read next.
  private(set) var next = 0
  /// What of it was read, now or before: what was said counts for the time until the next input.
  private(set) var account: ReadingAccount
  /// The learner has taken a "done" back: it is not said again behind their back.
  var isTakenBack = false

  /// What is searched for in it; `nil` where nothing is.
  private(set) var search: TextSearch?

  /// The portion that was next before something was looked up, until it is read on from there.
  private var before: Int?
  /// The lines as they are paid, one portion after another.
  private let rows: [ReadText.Row]
  private let headings: [String?]
  private var closed: [[Block]]?

  /// Makes a reading of a text, from its beginning.
  ///
  /// - Parameters:
  ///   - read: What was read of it before, by the digests of its passages.
  ///   - isOpen: Whether solutions and the like are said in their place, and not only when asked for.
  init(_ blocks: [Block], read: [String: RangeSet<Int>] = [:], isOpen: Bool = false) {
    self.blocks = blocks
    let text = SpokenText(blocks, closed: isOpen ? nil : [])
    links = text.links
    closed = text.closed
    portions = Self.portions(of: text.lines)
    account = ReadingAccount(blocks, read: read)
    var inks: [[Int]] = Array(repeating: [], count: blocks.count)
    for line in text.lines { inks[line.block].append(line.text.ink) }
    rows = account.text.passages.enumerated().flatMap { ReadText.Row.rows(inks: inks[$0], of: $1, $0) }
    headings = Self.headings(of: portions, in: blocks)
  }

  /// Goes to where the text was left.
  mutating func goOn(from past: ReadingPosition) {
    next = portions.lastIndex { ($0.first?.block ?? 0) <= past.block } ?? 0
  }

  var isAtEnd: Bool { next >= portions.count }

  /// Reads a portion; `nil` at the end.
  ///
  /// - Parameter moment: In seconds.
  mutating func readOn(at moment: Double) -> [SpokenText.Line]? {
    guard !isAtEnd else { return nil }
    (before, search) = (nil, nil)
    next += 1
    hear(portion: next - 1, at: moment)
    return portions[next - 1]
  }

  /// What was said has been heard until now; what covers it is not heard as a part of it.
  ///
  /// - Returns: Whether anything was paid.
  mutating func settle(at moment: Double, isCovered: Bool) -> Bool {
    let isPaid = !isCovered && account.settle(at: moment)
    hear(portion: next - 1, at: moment)
    return isPaid
  }

  private mutating func hear(portion: Int, at moment: Double) {
    guard portions.indices.contains(portion) else { return }
    let start = portions[..<portion].reduce(0) { $0 + $1.count }
    account.show(rows[start..<start + portions[portion].count], isEnd: portion == portions.count - 1, since: moment)
  }

  mutating func takeUnkept() -> [String: RangeSet<Int>] { account.takeUnkept() }

  /// What was read last.
  var last: [SpokenText.Line] { portions.indices.contains(next - 1) ? portions[next - 1] : [] }

  /// Says what is closed; how far the text was read stays as it is.
  mutating func open(details number: Int) -> [SpokenText.Line] {
    guard let blocks = closed, blocks.indices.contains(number) else { return [] }
    let text = SpokenText(blocks[number], links: links, closed: blocks)
    (links, closed) = (text.links, text.closed)
    return text.lines
  }

  /// Whether something is looked up, and not read on.
  var isLookingUp: Bool { before != nil }

  // MARK: - Notes

  /// The text as notes hold on to it.
  var anchored: AnchoredText { AnchoredText(blocks) }

  /// The blocks that were heard last: that of the place which a search has chosen, else those of the last portion.
  var blocksHeard: [Int] {
    if let line = lineOfMatch { return [line.block] }
    return last.reduce(into: []) { if $0.last != $1.block { $0.append($1.block) } }
  }

  /// The portion in which a block begins; `nil` where it is not said.
  func portion(ofBlock block: Int) -> Int? { portions.firstIndex { $0.contains { $0.block == block } } }

  // MARK: - Searching

  /// Looks for words in all of it, from what is read next on.
  ///
  /// - Returns: Whether it has them; where not, everything stays as it is.
  mutating func look(for words: String) -> Bool {
    var search = TextSearch(in: portions.joined().map { StyledLine($0.text) })
    search.look(for: words, from: portions.prefix(max(0, next - 1)).reduce(0) { $0 + $1.count })
    guard search.count > 0 else { return false }
    self.search = search
    goToPortion()
    return true
  }

  /// Goes to the next place, or to one before.
  mutating func goToMatch(by step: Int) {
    search?.go(by: step)
    goToPortion()
  }

  /// Lets the search go, and goes back to where it began.
  mutating func endSearch() {
    search = nil
    if let before { (next, self.before) = (before, nil) }
  }

  /// The line that the chosen place begins in.
  var lineOfMatch: SpokenText.Line? { search?.line.map { Array(portions.joined())[$0] } }

  /// The portion with the chosen place is read next; nothing of it counts as heard by that.
  private mutating func goToPortion() {
    guard let line = search?.line else { return }
    before = before ?? next
    var end = 0
    next =
      portions.firstIndex { portion in
        end += portion.count
        return line < end
      } ?? next
  }

  /// Begins again.
  mutating func rewind() { (next, before) = (0, nil) }

  /// Goes to a portion to look something up, and returns it.
  mutating func lookUp(_ portion: Int, at moment: Double) -> [SpokenText.Line] {
    before = before ?? next
    next = portion + 1
    hear(portion: portion, at: moment)
    return portions[portion]
  }

  /// Goes to where a heading is said.
  ///
  /// - Returns: Whether there is one.
  mutating func go(to anchor: String) -> Bool {
    guard let index = portions.firstIndex(where: { $0.contains { $0.anchor == anchor } }) else { return false }
    (next, before) = (index, nil)
    return true
  }

  /// What to keep: the block that is read next.
  func position(at moment: Timestamp) -> ReadingPosition {
    let portion = min(before ?? next, portions.count - 1)
    let block = portions.indices.contains(portion) ? portions[portion].first?.block ?? 0 : 0
    let heading = headings.indices.contains(portion) ? headings[portion] : nil
    return ReadingPosition(block: block, fraction: account.share, heading: heading, savedAt: moment)
  }

  // MARK: - Portions

  private static func portions(of lines: [SpokenText.Line]) -> [[SpokenText.Line]] {
    var portions: [[SpokenText.Line]] = []
    var portion: [SpokenText.Line] = []
    var count = 0
    for line in lines {
      let isNewBlock = portion.last.map { $0.block != line.block } ?? false
      // A heading, or a sentence that announces something, is not left alone.
      let announces = portion.last.map { $0.anchor != nil || $0.text.hasSuffix(":") } ?? false
      let isFull =
        isNewBlock && (line.anchor != nil && count >= shortPortion || count >= longPortion && !announces)
        || count >= longestPortion
      if isFull {
        portions.append(portion)
        (portion, count) = ([], 0)
      }
      portion.append(line)
      count += line.text.count
    }
    guard let last = portions.indices.last, count < leftOver else {
      return portion.isEmpty ? portions : portions + [portion]
    }
    portions[last] += portion
    return portions
  }

  /// The heading that each portion is under.
  private static func headings(of portions: [[SpokenText.Line]], in blocks: [Block]) -> [String?] {
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
