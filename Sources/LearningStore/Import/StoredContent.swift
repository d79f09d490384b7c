import Foundation
public import LearningModel

/// An activity's content as the database keeps it. Equal contents have equal texts.
public struct StoredContent: Hashable, Sendable {
  /// Which of the four it is.
  public let type: ActivityType
  /// The content as JSON, its keys sorted.
  public let json: String
  /// How many letters there are to read.
  public let letters: Int

  /// Puts a content into the form in which it is kept.
  ///
  /// - Throws: `EncodingError`, where the content holds a number that JSON cannot.
  public init(_ content: ActivityContent) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    type = content.type
    json = String(decoding: try encoder.encode(content), as: UTF8.self)
    letters = content.plainText.unicodeScalars.count
  }
}
