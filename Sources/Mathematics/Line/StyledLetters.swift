/// The mathematical alphabets of Unicode.
///
/// Source: Unicode Technical Report 25, section 2.2 (mathematical alphanumeric symbols).
enum StyledLetters {
  private struct Alphabet {
    var capital: UInt32
    var small: UInt32
    var digit: UInt32?
    /// The letters of the alphabet that Unicode encodes outside the block of the mathematical alphabets, because they
    /// were added earlier.
    var exceptions: [Character: Character] = [:]
  }

  private static let alphabets: [Formula.Style: Alphabet] = [
    .bold: Alphabet(capital: 0x1D400, small: 0x1D41A, digit: 0x1D7CE),
    .script: Alphabet(
      capital: 0x1D49C, small: 0x1D4B6,
      exceptions: [
        "B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ", "e": "ℯ", "g": "ℊ", "o": "ℴ",
      ]),
    .fraktur: Alphabet(
      capital: 0x1D504, small: 0x1D51E, exceptions: ["C": "ℭ", "H": "ℌ", "I": "ℑ", "R": "ℜ", "Z": "ℨ"]),
    .blackboard: Alphabet(
      capital: 0x1D538, small: 0x1D552, digit: 0x1D7D8,
      exceptions: ["C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"]),
    .sans: Alphabet(capital: 0x1D5A0, small: 0x1D5BA, digit: 0x1D7E2),
    .monospace: Alphabet(capital: 0x1D670, small: 0x1D68A, digit: 0x1D7F6),
  ]

  private static let boldGreek: [Character: Character] = {
    let capitals = Array("ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡϴΣΤΥΦΧΨΩ∇")
    let small = Array("αβγδεζηθικλμνξοπρςστυφχψω∂ϵϑϰϕϱϖ")
    var letters: [Character: Character] = [:]
    for (index, letter) in (capitals + small).enumerated() {
      letters[letter] = character(0x1D6A8 + UInt32(index))
    }
    return letters
  }()

  private static func character(_ value: UInt32) -> Character? { Unicode.Scalar(value).map(Character.init) }

  /// Returns a letter or digit in a style, or `nil` if Unicode has no such character.
  static func styled(_ character: Character, _ style: Formula.Style) -> Character? {
    if style == .bold, let greek = boldGreek[character] { return greek }
    guard let alphabet = alphabets[style], let value = character.asciiValue else { return nil }
    if let exception = alphabet.exceptions[character] { return exception }
    let code = UInt32(value)
    switch character {
    case "A"..."Z": return self.character(alphabet.capital + code - 0x41)
    case "a"..."z": return self.character(alphabet.small + code - 0x61)
    case "0"..."9": return alphabet.digit.flatMap { self.character($0 + code - 0x30) }
    default: return nil
    }
  }

  private static let plainLetters: [Character: (Formula.Style, Character)] = {
    var letters: [Character: (Formula.Style, Character)] = [:]
    let all = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") + boldGreek.keys
    for style in Formula.Style.allCases {
      // ℜ and ℑ are not read as Fraktur letters. They usually denote the real and the imaginary part.
      for letter in all where !(style == .fraktur && (letter == "R" || letter == "I")) {
        if let styled = styled(letter, style) { letters[styled] = (style, letter) }
      }
    }
    return letters
  }()

  /// Returns the style and the plain form of a styled letter, or `nil`.
  static func plain(_ character: Character) -> (Formula.Style, Character)? { plainLetters[character] }
}

/// The superscript and subscript characters of Unicode.
///
/// Source: Unicode, blocks "Superscripts and Subscripts", "Phonetic Extensions", "Spacing Modifier Letters".
enum ScriptLetters {
  static let superscripts = table(
    "0123456789+−=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVWβγδθχ′",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂᵝᵞᵟᶿᵡ′")
  static let subscripts = table(
    "0123456789+−=()aehijklmnoprstuvxβγρχ",
    "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵪ")

  private static func table(_ letters: String, _ small: String) -> [Character: Character] {
    Dictionary(uniqueKeysWithValues: zip(letters, small))
  }

  /// Returns a formula in superscript or subscript characters. Returns `nil` if a character does not exist or the
  /// formula contains a binary operator.
  static func letters(_ formula: Formula, _ table: [Character: Character]) -> String? {
    if formula == .symbol("∘"), table["i"] == "ⁱ" { return "°" }
    if formula == .symbol("°"), table["i"] == "ⁱ" { return "°" }
    var text = ""
    for (index, element) in formula.elements.enumerated() {
      switch element {
      case .identifier(let word), .number(let word), .text(let word): text += word
      case .symbol("′"): text += "′"
      case .symbol("+"), .symbol("−"):
        guard index == 0 else { return nil }
        text += element.plainSign
      case .fenced("(", let inner, ")") where formula.elements.count == 1:
        guard let letters = letters(inner, table) else { return nil }
        return String(table["("]!) + letters + String(table[")"]!)
      default: return nil
      }
    }
    // Two adjacent numbers would be read as one number.
    let numbers = formula.elements.count { if case .number = $0 { true } else { false } }
    guard !text.isEmpty, numbers < 2 || formula.elements.count == numbers * 2 - 1 else { return nil }
    let letters = text.compactMap { table[$0] }
    return letters.count == text.count ? String(letters) : nil
  }
}

extension Formula {
  fileprivate var plainSign: String { if case .symbol(let sign) = self { sign } else { "" } }
}
