/// The identifier of a learner in the database.
public struct LearnerID: RawRepresentable, Hashable, Codable, Sendable {
  /// The number of the row, from 1.
  public let rawValue: Int64

  /// Creates the identifier of the learner in a row.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }
}

/// A person who learns. The name is a label, not an account with a password.
public struct Learner: Hashable, Sendable, Identifiable {
  /// The identifier of the learner.
  public let id: LearnerID
  /// The learner's name, unique in the database.
  public let name: String

  package init(id: LearnerID, name: String) {
    self.id = id
    self.name = name
  }
}

/// The rules for the names of learners.
///
/// The rules apply to new names only. Names that exist in the database are always accepted.
package enum LearnerName {
  /// The maximum number of Unicode scalars of a new name.
  package static let maximumLength = 100
  /// Names that have another meaning in commands: `--learner all` selects all learners.
  package static let reserved: Set<String> = ["all"]

  /// The reason why a new learner cannot have a name.
  package enum Fault: Hashable, Sendable {
    /// The name contains no visible character.
    case empty
    /// The name is longer than ``LearnerName/maximumLength``.
    case tooLong(scalars: Int)
    /// The name contains a control character, a line break or a direction mark.
    case forbidden(Unicode.Scalar)
    /// The name is one of ``LearnerName/reserved``, in upper or lower case.
    case reserved
  }

  /// Returns a text without the white space at its ends.
  package static func trimmed(_ text: String) -> String {
    // Foundation's character sets are not used: loading the first one takes 2 % of the program's launch time.
    var name = text.drop(while: \.isWhitespace)
    while name.last?.isWhitespace == true { name.removeLast() }
    return String(name)
  }

  /// Returns the reason why a new learner cannot have a name, or `nil` if the name is allowed. The name must not have
  /// white space at its ends.
  package static func fault(of name: String) -> Fault? {
    if let fault = characterFault(of: name) { return fault }
    return reserved.contains(key(of: name)) ? .reserved : nil
  }

  /// Returns the first problem with the length or the characters of a name, or `nil` if there are no such problems.
  /// These rules apply to names of classes too.
  package static func characterFault(of name: String) -> Fault? {
    let scalars = name.unicodeScalars
    if let scalar = scalars.first(where: isForbidden) { return .forbidden(scalar) }
    if scalars.count > maximumLength { return .tooLong(scalars: scalars.count) }
    return key(of: name).isEmpty ? .empty : nil
  }

  /// Returns a text that is equal for names that differ only in case, white space or invisible characters.
  ///
  /// Comparing the texts with `==` also ignores the difference between precomposed and decomposed letters.
  package static func key(of name: String) -> String {
    var visible = String.UnicodeScalarView()
    visible.append(contentsOf: name.unicodeScalars.lazy.filter { !isInvisible($0) })
    return String(visible).lowercased()
  }

  /// Returns the names that differ from `name` only in case, white space or invisible characters. A name that equals
  /// `name` is not returned.
  package static func similar(to name: String, among names: some Sequence<String>) -> [String] {
    let key = key(of: name)
    // Comparing strings would treat a name and its decomposed form as equal, but databases store these as two names.
    return names.filter { !$0.utf8.elementsEqual(name.utf8) && Self.key(of: $0) == key }
  }

  /// Source: Unicode Standard Annex 9, section 2 (directional formatting); the Unicode Character Database, categories
  /// Cc, Zl and Zp.
  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value <= 0x20 || scalar.value == 0x7F }
    let properties = scalar.properties
    if properties.isWhitespace || properties.isDefaultIgnorableCodePoint { return true }
    return properties.generalCategory == .control || properties.generalCategory == .format
  }
}

extension LearnerName.Fault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "the name contains only spaces"
    case .tooLong(let scalars): "it has \(scalars) characters, and a name has at most \(LearnerName.maximumLength)"
    case .forbidden(let scalar):
      "it contains a control character, a line break or a direction mark "
        + "(U+\(String(repeating: "0", count: max(0, 4 - Self.hexadecimal(scalar).count)))\(Self.hexadecimal(scalar)))"
    case .reserved: "this word is reserved for all learners"
    }
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    String(scalar.value, radix: 16, uppercase: true)
  }
}
