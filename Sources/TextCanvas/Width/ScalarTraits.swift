/// The properties of a scalar: its width, its role in a cluster, and its line breaking class.
struct ScalarTraits {
  let bits: UInt16

  /// Looks up a scalar in two steps in a table of bytes.
  @inline(__always)
  init(_ scalar: UInt32) {
    guard scalar < 0x40000 else {
      self = ScalarTraits(beyondTable: scalar)
      return
    }
    let blocks = WidthTable.blocks.utf8Start
    let block = Int(scalar >> 7)
    let row = Int(blocks[2 * block] &- 0x24) << 6 | Int(blocks[2 * block + 1] &- 0x24)
    let kind = WidthTable.kinds.utf8Start[row << 7 | Int(scalar & 0x7F)] &- 0x24
    bits = WidthTable.traits[Int(kind)]
  }

  /// Planes 4 to 16 contain variation selectors, tags, and private or unassigned scalars.
  private init(beyondTable scalar: UInt32) {
    let role: Role
    let width: UInt16
    switch scalar {
    case 0xE0020...0xE007F: (role, width) = (.tag, 0)
    case 0xE0100...0xE01EF: (role, width) = (.combiningMark, 0)
    case 0xE0000...0xE0FFF: (role, width) = (.dropped, 0)
    case _ where scalar & 0xFFFE == 0xFFFE: (role, width) = (.control, 1)
    default: (role, width) = (.text, 1)
    }
    bits = width | (role == .text ? 8 : 0) | UInt16(role.rawValue) << 4
  }

  /// The width of the scalar alone in columns: 0, 1 or 2.
  @inline(__always) var width: Int { Int(bits & 3) }

  /// Whether East Asian terminals may draw the scalar two columns wide.
  var isAmbiguous: Bool { bits & 4 != 0 }

  /// Whether the width differs between terminals.
  @inline(__always) var isDisputed: Bool { bits & 8 != 0 }

  /// The role in a cluster.
  @inline(__always) var role: Role { Role(rawValue: UInt8(bits >> 4 & 15)) ?? .text }

  /// The line breaking class.
  @inline(__always) var lineBreak: LineBreak { LineBreak(rawValue: UInt8(bits >> 8)) ?? .word }

  /// The roles of scalars in clusters, in the order of the generator.
  enum Role: UInt8 {
    /// A scalar that starts a cell.
    case text
    /// A scalar that would affect a terminal. It is replaced by a symbol.
    case control
    /// A scalar that is invisible or changes the order of text. It is omitted.
    case dropped
    /// A scalar that joins the previous cell.
    case combiningMark
    /// U+200C or U+200D.
    case joiner
    /// Half of a flag.
    case regional
    /// An emoji that also has a text form.
    case pictographic
    /// An emoji without a text form.
    case plainPictographic
    /// A skin tone.
    case modifier
    /// A vowel or final consonant of a decomposed Korean syllable.
    case jamo
    /// A digit, `#` or `*`, which can form keycap emoji.
    case keycap
    /// U+FE0F.
    case emojiSelector
    /// U+FE0E.
    case textSelector
    /// A tag character, which forms flags of regions.
    case tag
  }

  /// The line breaking classes of scalars, in the order of the generator.
  ///
  /// Source: Unicode Standard Annex 14, with its classes reduced to those that matter for cells.
  enum LineBreak: UInt8 {
    /// Letters, digits and everything else that is not broken.
    case word
    /// Breaks are allowed before and after it.
    case ideograph
    /// No break before it.
    case closing
    /// No break after it.
    case opening
    /// No break before or after it.
    case glue
    /// A break is allowed after it. Omitted at the end of a line.
    case space
    /// A break is allowed, and nothing is visible.
    case invisibleSpace
    /// A break is allowed after it, inside a word.
    case hyphen
    /// A break is allowed after it if a letter follows.
    case slash
    /// A break is allowed after it, which makes a hyphen visible.
    case softHyphen
    /// Ends the line.
    case newline
    /// No break before or after it, except at a space.
    case quote
  }
}
