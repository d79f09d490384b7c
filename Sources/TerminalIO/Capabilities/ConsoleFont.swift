import CTerminal

/// The characters beyond ASCII that the font of a Linux console has.
///
/// A console font has 256 or 512 glyphs; the kernel draws a replacement character for all other characters.
public struct ConsoleFont: Hashable, Sendable {
  /// Sorted.
  private let scalars: [UInt16]

  /// Makes a font of these characters.
  init(_ scalars: some Sequence<UInt16>) {
    self.scalars = Set(scalars.filter { $0 >= 0xA0 && $0 != 0xFFFD }).sorted()
  }

  /// Reads the font that is loaded into a console; `nil` if the terminal is no Linux console.
  init?(of descriptor: Int32) {
    var buffer = [UInt16](repeating: 0, count: 1 << 16)
    let count = cterminal_console_font(descriptor, &buffer, Int32(buffer.count))
    guard count > 0 else { return nil }
    self.init(buffer.prefix(Int(count)))
  }

  /// Whether the font has a character; `false` for ASCII.
  public func contains(_ scalar: UInt32) -> Bool {
    guard let scalar = UInt16(exactly: scalar) else { return false }
    var (low, high) = (0, scalars.count)
    while low < high {
      let middle = (low + high) / 2
      if scalars[middle] < scalar { low = middle + 1 } else { high = middle }
    }
    return low < scalars.count && scalars[low] == scalar
  }

  /// The font that is compiled into the kernel, which a console has until another is loaded.
  ///
  /// Source: Linux, drivers/tty/vt/cp437.uni.
  public static let builtIn = ConsoleFont(
    """
    ¡¢£¤¥¦§¨©ª«¬\u{AD}®°±²´µ¶·¸º»¼½¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýÿƒ\u{A0}
    ΓΘΣΦΩαβδεμπστφ•‼ⁿ₧\u{2126}\u{212A}\u{212B}←↑→↓↔↕↨∈∙√∞∟∩≈≡≤≥⌂⌐⌠⌡⎽
    ─│┌┐└┘├┤┬┴┼═║╒╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡╢╣╤╥╦╧╨╩╪╫╬▀▄█▌▐░▒▓■▬▲▶►▼◀◄◆○◘◙☺☻☼♀♂♠♣♥♦♪♫
    """.utf16)
}
