/// Small letters above and below the line.
///
/// Source: Unicode, blocks "Superscripts and Subscripts", "Phonetic Extensions", "Spacing Modifier Letters".
enum ScriptLetters {
  static let above = table(
    "0123456789+−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθχ′",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵡ′")
  static let below = table(
    "0123456789+−=()aehijklmnoprstuvxβγρχ",
    "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵪ")

  private static func table(_ letters: String, _ small: String) -> [Character: Character] {
    Dictionary(uniqueKeysWithValues: zip(letters, small))
  }

  /// Returns a formula in small letters; nil where one is missing, or an operator stands between two values.
  static func letters(_ formula: Formula, _ table: [Character: Character]) -> String? {
    if formula == .symbol("∘"), table["i"] == "ⁱ" { return "°" }
    if formula == .symbol("°"), table["i"] == "ⁱ" { return "°" }
    var text = ""
    for (index, part) in formula.parts.enumerated() {
      switch part {
      case .identifier(let word), .number(let word), .text(let word): text += word
      case .symbol("′"): text += "′"
      case .symbol("+"), .symbol("−"):
        guard index == 0 else { return nil }
        text += part.plainSign
      case .fenced("(", let inner, ")") where formula.parts.count == 1:
        guard let letters = letters(inner, table) else { return nil }
        return String(table["("]!) + letters + String(table[")"]!)
      default: return nil
      }
    }
    // Two numbers side by side would be one.
    let numbers = formula.parts.count { if case .number = $0 { true } else { false } }
    guard !text.isEmpty, numbers < 2 || formula.parts.count == numbers * 2 - 1 else { return nil }
    let letters = text.compactMap { table[$0] }
    return letters.count == text.count ? String(letters) : nil
  }
}

extension Formula {
  fileprivate var plainSign: String { if case .symbol(let sign) = self { sign } else { "" } }
}
