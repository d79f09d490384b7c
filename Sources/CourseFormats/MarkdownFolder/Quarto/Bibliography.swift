import Foundation

/// The entries of BibTeX files: authors, year and title.
///
/// Source: Oren Patashnik, "BibTeXing"; the fields of BibLaTeX are read too.
struct Bibliography {
  struct Entry: Equatable {
    /// The authors or editors, with the family name last.
    var names: [String] = []
    /// The family names of the authors or editors.
    var familyNames: [String] = []
    var hasMoreNames = false
    var year = ""
    var title = ""

    /// The authors as in a citation: one or two family names, or the first family name and "et al." If there are no
    /// names, the title.
    var shortNames: String {
      switch familyNames.count {
      case 0: title
      case 1: familyNames[0] + (hasMoreNames ? " et al." : "")
      case 2 where !hasMoreNames: familyNames.joined(separator: " and ")
      default: familyNames[0] + " et al."
      }
    }

    /// The entry as in a list of references: authors, year and title.
    var description: String {
      let all = names.joined(separator: ", ") + (hasMoreNames ? " et al." : "")
      let head = [all, year.isEmpty ? "" : "(\(year))"].filter { !$0.isEmpty }.joined(separator: " ")
      return [head, title].filter { !$0.isEmpty }.joined(separator: ": ") + "."
    }
  }

  private(set) var entries: [String: Entry] = [:]

  init() {}

  /// Reads a BibTeX file. Text that is not an entry is ignored.
  init(_ text: String) { add(text) }

  subscript(key: String) -> Entry? { entries[key] }

  /// Adds the entries of a BibTeX file. If a key is repeated, the first entry is used.
  mutating func add(_ text: String) {
    var scanner = Scanner(text)
    while let (key, fields) = scanner.entry() {
      if entries[key] == nil { entries[key] = Entry(fields) }
    }
  }

  private struct Scanner {
    let bytes: [UInt8]
    var position = 0
    var abbreviations: [String: String] = [:]

    init(_ text: String) { bytes = Array(text.utf8) }

    var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipBlanks() {
      while let byte, byte <= 0x20 || byte == UInt8(ascii: ",") { position += 1 }
    }

    mutating func name() -> String {
      let start = position
      while let byte, byte > 0x20, !"{}(),=\"#".utf8.contains(byte) { position += 1 }
      return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Reads the next entry, or returns `nil` at the end of the text.
    mutating func entry() -> (key: String, fields: [String: String])? {
      while position < bytes.count {
        guard let start = bytes[position...].firstIndex(of: UInt8(ascii: "@")) else { return nil }
        position = start + 1
        let type = name().lowercased()
        while let byte, byte <= 0x20 { position += 1 }
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "(") else { continue }
        position += 1
        if type == "comment" || type == "preamble" { continue }
        skipBlanks()
        let key = type == "string" ? "" : name()
        let fields = fields()
        if type == "string" {
          abbreviations.merge(fields) { first, _ in first }
        } else if !key.isEmpty {
          return (key, fields)
        }
      }
      return nil
    }

    private mutating func fields() -> [String: String] {
      var fields: [String: String] = [:]
      while true {
        skipBlanks()
        guard let byte, byte != UInt8(ascii: "}"), byte != UInt8(ascii: ")"), byte != UInt8(ascii: "@") else { break }
        let field = name().lowercased()
        while let byte = self.byte, byte <= 0x20 { position += 1 }
        guard !field.isEmpty, self.byte == UInt8(ascii: "=") else {
          position += 1
          continue
        }
        position += 1
        fields[field] = value()
      }
      return fields
    }

    private mutating func value() -> String {
      var value = ""
      while true {
        while let byte, byte <= 0x20 { position += 1 }
        switch byte {
        case UInt8(ascii: "{"): value += delimited(by: UInt8(ascii: "}"))
        case UInt8(ascii: "\""): value += delimited(by: UInt8(ascii: "\""))
        default:
          let word = name()
          value += abbreviations[word.lowercased()] ?? word
        }
        while let byte, byte <= 0x20 { position += 1 }
        guard byte == UInt8(ascii: "#") else { return value }
        position += 1
      }
    }

    /// Reads a value in braces or quotation marks, in which braces are balanced.
    private mutating func delimited(by end: UInt8) -> String {
      position += 1
      let start = position
      var depth = 0
      while let byte {
        if byte == UInt8(ascii: "\\") {
          position += 1
        } else if byte == end, depth == 0 {
          break
        } else if byte == UInt8(ascii: "{") {
          depth += 1
        } else if byte == UInt8(ascii: "}") {
          depth -= 1
        }
        position += 1
      }
      let stop = min(position, bytes.count)
      position = min(position + 1, bytes.count)
      return String(decoding: bytes[min(start, stop)..<stop], as: UTF8.self)
    }
  }
}

extension Bibliography.Entry {
  fileprivate init(_ fields: [String: String]) {
    title = TeXWords.plain(fields["title"] ?? "")
    let date = fields["year"] ?? fields["date"] ?? ""
    year = String(TeXWords.plain(date).prefix { $0 != "-" && $0 != "/" })
    let people = (fields["author"] ?? fields["editor"] ?? fields["organization"] ?? fields["institution"] ?? "")
      .onOneLine
    for person in Self.people(people) {
      if person == "others" {
        hasMoreNames = true
        continue
      }
      let parts = person.split(separator: ",", maxSplits: 2).map { TeXWords.plain(String($0)) }
      if person.hasPrefix("{") || parts.isEmpty {
        // A name in braces is the name of an organisation.
        names.append(TeXWords.plain(person))
        familyNames.append(TeXWords.plain(person))
      } else if parts.count > 1 {
        names.append("\(parts[parts.count - 1]) \(parts[0])")
        familyNames.append(parts[0])
      } else {
        names.append(parts[0])
        familyNames.append(parts[0].split(separator: " ").last.map(String.init) ?? parts[0])
      }
    }
  }

  /// Splits a list of names at each word "and" outside braces.
  private static func people(_ text: String) -> [String] {
    var people: [[Substring]] = [[]]
    var depth = 0
    for word in text.split(separator: " ") {
      if depth == 0, word.lowercased() == "and" {
        people.append([])
        continue
      }
      depth += word.count { $0 == "{" } - word.count { $0 == "}" }
      people[people.count - 1].append(word)
    }
    return people.map { $0.joined(separator: " ") }.filter { !$0.isEmpty }
  }
}

/// Converts the TeX in a field of a bibliography to plain text.
enum TeXWords {
  static func plain(_ text: String) -> String {
    var plain = ""
    var rest = text[...]
    while let character = rest.first {
      rest = rest.dropFirst()
      switch character {
      case "{", "}": continue
      case "~": plain.append("\u{A0}")
      case "\\": plain += command(&rest)
      default: plain.append(character)
      }
    }
    let dashes = plain.replacing("---", with: "—").replacing("--", with: "–").replacing("``", with: "“")
      .replacing("''", with: "”")
    return dashes.onOneLine
  }

  /// Reads the command after a backslash.
  private static func command(_ rest: inout Substring) -> String {
    guard let first = rest.first else { return "" }
    guard first.isLetter, first.isASCII else {
      rest = rest.dropFirst()
      return marks[String(first)].map { accented($0, &rest) } ?? String(first)
    }
    let name = String(rest.prefix { $0.isLetter && $0.isASCII })
    rest = rest.dropFirst(name.count)
    if let symbol = symbols[name] {
      if rest.first == " " { rest = rest.dropFirst() }
      return symbol
    }
    return marks[name].map { accented($0, &rest) } ?? ""
  }

  /// Returns the next letter with an accent.
  private static func accented(_ mark: String, _ rest: inout Substring) -> String {
    rest = rest.drop { $0 == " " || $0 == "{" }
    if rest.first == "\\" { rest = rest.dropFirst() }
    guard let letter = rest.first else { return "" }
    rest = rest.dropFirst()
    return (String(letter) + mark).precomposedStringWithCanonicalMapping
  }

  private static let marks: [String: String] = [
    "\"": "\u{308}", "'": "\u{301}", "`": "\u{300}", "^": "\u{302}", "~": "\u{303}", "=": "\u{304}", ".": "\u{307}",
    "c": "\u{327}", "v": "\u{30C}", "u": "\u{306}", "H": "\u{30B}", "k": "\u{328}", "r": "\u{30A}",
  ]
  private static let symbols: [String: String] = [
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
    "AA": "Å", "i": "i", "j": "j", "LaTeX": "LaTeX", "TeX": "TeX",
  ]
}
