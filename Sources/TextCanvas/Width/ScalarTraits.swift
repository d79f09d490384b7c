/// What the canvas knows about one scalar: its columns, its part in a cluster, and where lines may break around it.
struct ScalarTraits {
  let bits: UInt16

  /// Looks a scalar up; two steps through a table of bytes.
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

  /// Planes 4 to 16 hold variation selectors, tags, and what is private or unassigned.
  private init(beyondTable scalar: UInt32) {
    let role: Role
    let width: UInt16
    switch scalar {
    case 0xE0020...0xE007F: (role, width) = (.tag, 0)
    case 0xE0100...0xE01EF: (role, width) = (.mark, 0)
    case 0xE0000...0xE0FFF: (role, width) = (.dropped, 0)
    case _ where scalar & 0xFFFE == 0xFFFE: (role, width) = (.control, 1)
    default: (role, width) = (.text, 1)
    }
    bits = width | (role == .text ? 8 : 0) | UInt16(role.rawValue) << 4
  }

  /// Columns of the scalar alone: 0, 1 or 2.
  @inline(__always) var width: Int { Int(bits & 3) }

  /// Whether East Asian terminals may be set to draw it two columns wide.
  var isAmbiguous: Bool { bits & 4 != 0 }

  /// Whether terminals disagree about its width.
  @inline(__always) var isDisputed: Bool { bits & 8 != 0 }

  /// Its part in a cluster.
  @inline(__always) var role: Role { Role(rawValue: UInt8(bits >> 4 & 15)) ?? .text }

  /// Where lines may break around it.
  @inline(__always) var lineBreak: LineBreak { LineBreak(rawValue: UInt8(bits >> 8)) ?? .word }

  /// The part that a scalar plays in a cluster. The order is that of the generator.
  enum Role: UInt8 {
    /// Begins a cell.
    case text
    /// Would act on a terminal; shown by a picture of itself.
    case control
    /// Invisible, or changes the order of text; left out.
    case dropped
    /// Joins the cell before.
    case mark
    /// U+200C or U+200D.
    case joiner
    /// Half of a flag.
    case regional
    /// An emoji that has a text form as well.
    case pictographic
    /// An emoji that has no text form.
    case plainPictographic
    /// A skin tone.
    case modifier
    /// A vowel or final of a Korean syllable spelled in parts.
    case jamo
    /// A digit, `#` or `*`, which become keys.
    case keycap
    /// U+FE0F.
    case emojiSelector
    /// U+FE0E.
    case textSelector
    /// A letter of the tags that make a flag of a region.
    case tag
  }

  /// How a scalar takes part in line breaking. The order is that of the generator.
  ///
  /// Source: Unicode Standard Annex 14, its classes drawn together into those that matter on cells.
  enum LineBreak: UInt8 {
    /// Letters, digits and whatever else holds together.
    case word
    /// Breaks before and behind.
    case ideograph
    /// No break before it.
    case closing
    /// No break behind it.
    case opening
    /// No break on either side.
    case glue
    /// A break behind it; left out at the end of a line.
    case space
    /// A break, and nothing to be seen.
    case invisibleSpace
    /// A break behind it, inside a word.
    case hyphen
    /// A break behind it where a letter follows.
    case slash
    /// A break behind it, where a hyphen is then shown.
    case softHyphen
    /// Ends the line.
    case newline
    /// Holds on to both neighbours, but not across a space.
    case quote
  }
}
