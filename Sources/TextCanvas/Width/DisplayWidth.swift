extension Unicode.Scalar {
  /// Columns that this scalar takes alone: 0, 1 or 2.
  ///
  /// Source: East_Asian_Width of the Unicode version in `DisplayWidth.unicodeVersion`.
  public var displayWidth: Int { ScalarTraits(value).width }

  /// Whether a terminal set up for East Asian text may draw it two columns wide, while the canvas counts one.
  public var isAmbiguousWidth: Bool { ScalarTraits(value).isAmbiguous }
}

extension StringProtocol {
  /// Columns that this text takes when it is drawn on one line.
  ///
  /// The same rules as drawing: control characters count as the pictures they are shown as, and what is left out when
  /// drawn counts nothing.
  public var displayWidth: Int {
    let ascii = utf8.withContiguousStorageIfAvailable { $0.isVisibleAscii ? $0.count : nil } ?? nil
    if let ascii { return ascii }
    var width = 0
    for cluster in Clusters(self) { width += cluster.width }
    return width
  }

  /// This text as a terminal may be given it: control characters replaced by visible pictures of themselves, and
  /// bidirectional controls, invisible scalars and floods of marks left out. Stays on one line.
  public var harmless: String {
    var result = ""
    for cluster in Clusters(self) { result += cluster.glyph.text }
    return result
  }
}

/// Facts about the table of widths.
public enum DisplayWidth {
  /// The version of Unicode whose characters the canvas knows.
  public static var unicodeVersion: String { WidthTable.unicodeVersion }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether every byte is a visible ASCII character or a space: one cell each, and no cluster joins two of them.
  var isVisibleAscii: Bool {
    guard let bytes = baseAddress else { return true }
    // No `for`: in a build for debugging its iterator takes longer than all else that is done with a byte.
    var others: UInt8 = 0
    var index = 0
    while index < count {
      others |= bytes[index] &- 0x20 >= 0x5F ? 1 : 0
      index += 1
    }
    return others == 0
  }
}
