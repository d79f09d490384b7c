import Synchronization

/// How text is written, apart from its colours.
public struct Attributes: OptionSet, Hashable, Sendable {
  /// One bit for each.
  public let rawValue: UInt8

  /// Makes a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Heavier.
  public static let bold = Attributes(rawValue: 1)
  /// Less bright.
  public static let faint = Attributes(rawValue: 2)
  /// Slanted.
  public static let italic = Attributes(rawValue: 4)
  /// With a line below.
  public static let underline = Attributes(rawValue: 8)
  /// With a line through it.
  public static let strikethrough = Attributes(rawValue: 16)
  /// Foreground and background change places.
  public static let reverse = Attributes(rawValue: 32)
}

/// Everything about how a piece of text looks.
public struct Style: Hashable, Sendable {
  /// The colour of the ink; `clear` counts as `default`.
  public var foreground: Colour
  /// The colour behind the ink; `clear` keeps what is there.
  public var background: Colour
  /// Weight, slant and lines.
  public var attributes: Attributes
  /// Where the text leads, for terminals that know links.
  public var link: Hyperlink?

  /// The terminal's own ink over whatever is there.
  public static let plain = Style()

  /// Makes a style.
  public init(
    foreground: Colour = .default, background: Colour = .clear, attributes: Attributes = [], link: Hyperlink? = nil
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
    self.link = link
  }
}

/// Where a piece of text leads, as a small number that fits into a cell.
public struct Hyperlink: Hashable, Sendable {
  /// Its number in the table of links; 1 and up.
  let number: UInt16

  package init?(number: UInt16) {
    guard number > 0 else { return nil }
    self.number = number
  }

  /// Makes a link to an address.
  ///
  /// Anything but visible ASCII is written as percent signs and hexadecimal digits, so that an address cannot carry a
  /// command to a terminal. Fails for an empty address, for one of more than 2,000 bytes, and when 65,535 different
  /// addresses are known already: the text is then shown without a link.
  ///
  /// Source: RFC 3986, section 2.1 (percent-encoding).
  public init?(_ address: String) {
    var safe = ""
    for byte in address.utf8 {
      if byte > 0x20 && byte < 0x7F {
        safe.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        safe += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
      guard safe.utf8.count <= 2_000 else { return nil }
    }
    guard !safe.isEmpty, let number = LinkTable.shared.number(of: safe) else { return nil }
    self.number = number
  }

  /// The address, in visible ASCII.
  public var address: String { LinkTable.shared.address(number) }
}

private final class LinkTable: Sendable {
  static let shared = LinkTable()

  private struct State {
    var numbers: [String: UInt16] = [:]
    var addresses: [String] = []
  }

  private let state = Mutex(State())

  func number(of address: String) -> UInt16? {
    state.withLock { state in
      if let number = state.numbers[address] { return number }
      guard state.addresses.count < Int(UInt16.max) else { return nil }
      state.addresses.append(address)
      let number = UInt16(state.addresses.count)
      state.numbers[address] = number
      return number
    }
  }

  func address(_ number: UInt16) -> String {
    state.withLock { $0.addresses[Int(number) - 1] }
  }
}
