import Foundation
package import LearningModel

/// Of the places of several words, which stand together: who looks for "first offer" looks for the two of them.
package struct WordsTogether {
  /// Bytes of a text in which words stand together: those of a sentence or two.
  private static let reach = 200

  /// The places as they are gone to, by their numbers, from the first to the last.
  package let stops: [Range<Int>]
  /// The stop whose words stand nearest together, the first of those; 0 where there is none.
  package let nearest: Int

  /// - Parameters:
  ///   - matches: Where the words stand.
  ///   - text: The text.
  package init(_ matches: TextMatches, in text: String) {
    let windows = Self.windows(of: matches.places, in: text).sorted {
      (Self.bytes(of: $0, in: matches.places), $0.lowerBound) < (Self.bytes(of: $1, in: matches.places), $1.lowerBound)
    }
    var isTaken = [Bool](repeating: false, count: matches.places.count)
    var stops: [Range<Int>] = []
    for window in windows where !isTaken[window].contains(true) {
      for place in window { isTaken[place] = true }
      stops.append(window)
    }
    guard let shortest = stops.first else {
      self.stops = matches.places.indices.map { $0..<$0 + 1 }
      nearest = matches.best
      return
    }
    self.stops = stops.sorted { $0.lowerBound < $1.lowerBound }
    nearest = self.stops.firstIndex(of: shortest) ?? 0
  }

  /// Returns the word at a place, in a form that is the same wherever the word is.
  package static func word(at place: Range<Int>, in bytes: [UInt8]) -> String {
    String(decoding: bytes[place.clamped(to: bytes.indices)], as: UTF8.self)
      .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  private static func bytes(of window: Range<Int>, in places: [Range<Int>]) -> Int {
    places[window.upperBound - 1].upperBound - places[window.lowerBound].lowerBound
  }

  /// The places, one after another, in which each of the words is; none where there is only one word.
  private static func windows(of places: [Range<Int>], in text: String) -> [Range<Int>] {
    let bytes = Array(text.utf8)
    let words = places.map { word(at: $0, in: bytes) }
    let count = Set(words).count
    guard count > 1 else { return [] }
    var last: [String: Int] = [:]
    return words.indices.compactMap { place in
      last[words[place]] = place
      guard last.count == count, let first = last.values.min() else { return nil }
      let window = first..<place + 1
      return Self.bytes(of: window, in: places) <= reach ? window : nil
    }
  }
}
