/// The signs of texts for people: where a terminal has only those of ASCII, ours are written with these. Letters stay as
/// they are; what else they would mean is not known.
struct TextSigns: Hashable, Sendable {
  /// Whether there are only those of ASCII.
  let isAscii: Bool

  static let unicode = TextSigns(isAscii: false)
  static let ascii = TextSigns(isAscii: true)

  /// For what was cut.
  var ellipsis: String { isAscii ? "..." : "…" }

  /// Returns a text in these signs. To add one, add a row.
  func fitting(_ text: String) -> String {
    guard isAscii, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.reduce(into: "") { fitted, sign in
      switch sign {
      case "›", "▎": fitted += sign == "›" ? ">" : "|"
      case "→": fitted += "->"
      case "←": fitted += "<-"
      case "…": fitted += ellipsis
      case "“", "”", "„": fitted += "\""
      case "‘", "’": fitted += "'"
      case "–", "—", "─": fitted += "-"
      case "━": fitted += "="
      case "×", "✓": fitted += "x"
      case "•", "·": fitted += "*"
      case "\u{A0}": fitted += " "
      default: fitted.append(sign)
      }
    }
  }
}
