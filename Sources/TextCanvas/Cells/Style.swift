import Synchronization

/// Text attributes, apart from colours.
public struct Attributes: OptionSet, Hashable, Sendable {
  /// The bits of the set.
  public let rawValue: UInt8

  /// Creates a set from its bits.
  public init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Bold text.
  public static let bold = Attributes(rawValue: 1)
  /// Faint text.
  public static let faint = Attributes(rawValue: 2)
  /// Italic text.
  public static let italic = Attributes(rawValue: 4)
  /// Underlined text.
  public static let underline = Attributes(rawValue: 8)
  /// Text that is struck through.
  public static let strikethrough = Attributes(rawValue: 16)
  /// Exchanged foreground and background colours.
  public static let reverse = Attributes(rawValue: 32)
}

/// The style of text: colours, attributes and link.
public struct Style: Hashable, Sendable {
  /// The foreground colour. ``Colour/clear`` counts as ``Colour/default``.
  public var foreground: Colour
  /// The background colour. ``Colour/clear`` keeps the existing background.
  public var background: Colour
  /// The text attributes.
  public var attributes: Attributes
  /// The link, for terminals that support links.
  public var link: Hyperlink?

  /// The terminal's default foreground colour without a background.
  public static let plain = Style()

  /// Creates a style.
  ///
  /// - Parameters:
  ///   - foreground: The foreground colour.
  ///   - background: The background colour.
  ///   - attributes: The text attributes.
  ///   - link: The link.
  public init(
    foreground: Colour = .default, background: Colour = .clear, attributes: Attributes = [], link: Hyperlink? = nil
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
    self.link = link
  }
}

/// The target of a link, stored as a small number that fits into a cell.
public struct Hyperlink: Hashable, Sendable {
  /// The number in the table of links, from 1.
  let number: UInt16

  package init?(number: UInt16) {
    guard number > 0 else { return nil }
    self.number = number
  }

  /// Creates a link to an address.
  ///
  /// All characters except visible ASCII are percent-encoded, so that an address cannot send commands to the terminal.
  /// Returns `nil` for an empty address, for an address of more than 2,000 bytes, and if there are already 65,535
  /// different addresses. The text is then shown without a link.
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
