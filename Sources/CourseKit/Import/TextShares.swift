import CourseFormats
import LearningModel
import LearningStore

/// The shingles of a text: hashes of each three consecutive words, regardless of case and punctuation.
///
/// Source: Broder, "On the resemblance and containment of documents", 1997.
struct Shingles {
  private(set) var hashes: Set<UInt64> = []
  /// A hash of all words in their order.
  private(set) var digest: UInt64 = 0
  private(set) var words = 0
  /// Whether most of the text was moved to another text.
  private(set) var isMoved = false

  init() {}

  init(_ text: String) {
    var word: UInt64 = 0
    var last: (UInt64, UInt64) = (0, 0)
    func finish(_ shingles: inout Shingles) {
      guard word != 0 else { return }
      shingles.words += 1
      shingles.digest = Self.mixed(shingles.digest, word)
      if shingles.words > 2 { shingles.hashes.insert(Self.mixed(Self.mixed(last.0, last.1), word)) }
      (last, word) = ((last.1, word), 0)
    }
    for scalar in text.lowercased().unicodeScalars {
      if WordCount.isWrittenWithoutSpaces(scalar) {
        finish(&self)
        word = Self.mixed(0, UInt64(scalar.value))
        finish(&self)
      } else if scalar.isASCII
        ? ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
        : scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      {
        word = Self.mixed(word, UInt64(scalar.value))
      } else {
        finish(&self)
      }
    }
    finish(&self)
  }

  /// Adds the text that follows this text on the same page.
  mutating func append(_ other: Shingles) {
    hashes.formUnion(other.hashes)
    digest = Self.mixed(digest, other.digest)
    isMoved = other.isMoved && (isMoved || words == 0)
    words += other.words
  }

  /// Keeps only each nth shingle.
  mutating func sample(_ interval: UInt64) {
    if interval > 1 { hashes = hashes.filter { $0.isMultiple(of: interval) } }
  }

  /// Removes shingles.
  ///
  /// - Parameter moved: The shingles that were moved to another text.
  mutating func remove(_ others: Set<UInt64>, moved: Set<UInt64> = []) {
    isMoved = hashes.intersection(moved).count * 2 > hashes.count
    hashes.subtract(others)
  }

  /// Combines two hashes. Source: Steele, Lea and Flood, the finaliser of SplitMix64.
  private static func mixed(_ first: UInt64, _ second: UInt64) -> UInt64 {
    var hash = (first &+ 0x9E37_79B9_7F4A_7C15) ^ (second &* 0xFF51_AFD7_ED55_8CCD)
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return hash ^ (hash >> 31)
  }
}

/// The shares of equal text of removed and added places.
///
/// Only shingles that distinguish texts are counted: those that more than three removed or added places contain are
/// template text. The work is therefore proportional to the size of the texts.
struct TextShares {
  /// The minimum number of words of a text that is recognised. Shorter texts are often the same by chance.
  static let minimumWords = 20
  /// The minimum number of distinguishing shingles of a text that is recognised.
  private let minimumShingles: Int
  private static let maximumPlaces = 3

  /// For each added place, the removed places with common shingles, and the shares.
  private(set) var shares: [Int: [NodeID: Double]] = [:]
  /// The number of times that a shingle of an added place was found in a removed place.
  private(set) var comparisons = 0
  private var bestOfAdded: [Int: Double] = [:]
  private var bestOfRemoved: [NodeID: Double] = [:]
  private var sizes: [Int: Int] = [:]
  private var removedSizes: [NodeID: Int] = [:]

  /// Compares texts.
  ///
  /// - Parameter interval: If the texts contain only each nth shingle, this number, otherwise 1.
  init(_ removed: [NodeID: Shingles], _ added: [Int: Shingles], interval: UInt64 = 1) {
    minimumShingles = max(4, 12 / Int(interval))
    var places: [UInt64: [NodeID]] = [:]
    for (id, text) in removed { for hash in text.hashes { places[hash, default: []].append(id) } }
    var counts: [UInt64: Int] = [:]
    for text in added.values { for hash in text.hashes { counts[hash, default: 0] += 1 } }
    func isDistinct(_ hash: UInt64) -> Bool {
      places[hash]?.count ?? 0 <= Self.maximumPlaces && counts[hash] ?? 0 <= Self.maximumPlaces
    }
    for (id, text) in removed { removedSizes[id] = text.hashes.count(where: isDistinct) }
    for (index, text) in added {
      let distinct = text.hashes.filter(isDistinct)
      sizes[index] = distinct.count
      var common: [NodeID: Int] = [:]
      for id in distinct.lazy.compactMap({ places[$0] }).joined() {
        common[id, default: 0] += 1
        comparisons += 1
      }
      for (id, count) in common where isKnown(index, id) {
        shares[index, default: [:]][id] = Double(count) / Double(max(distinct.count, removedSizes[id] ?? 0))
      }
    }
    // Texts without distinguishing shingles may still be equal.
    let equal = Dictionary(grouping: added.filter { $1.words >= Self.minimumWords }.keys) { added[$0]!.digest }
    for (digest, ids) in Dictionary(grouping: removed.keys, by: { removed[$0]!.digest }) where ids.count == 1 {
      guard let indices = equal[digest], indices.count == 1 else { continue }
      shares[indices[0], default: [:]][ids[0]] = 1
    }
    for (id, text) in removed where text.isMoved { bestOfRemoved[id] = 1 }
    for (index, list) in shares {
      for (id, share) in list {
        bestOfAdded[index] = max(bestOfAdded[index] ?? 0, share)
        bestOfRemoved[id] = max(bestOfRemoved[id] ?? 0, share)
      }
    }
  }

  private func isKnown(_ index: Int, _ id: NodeID) -> Bool {
    min(sizes[index] ?? 0, removedSizes[id] ?? 0) >= minimumShingles
  }

  /// Returns the share of equal text, from 0 to 1. Returns `nil` if one of the texts is too short to be recognised.
  func share(_ index: Int, _ id: NodeID) -> Double? {
    shares[index]?[id] ?? (isKnown(index, id) || bestOfRemoved[id] == 1 ? 0 : nil)
  }

  /// Returns the greatest share that one of two places has with any place.
  func best(_ index: Int, _ id: NodeID) -> Double { max(bestOfAdded[index] ?? 0, bestOfRemoved[id] ?? 0) }
}
