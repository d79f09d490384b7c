import CTerminal
public import TextCanvas

extension TerminalSession {
  /// Gives the page a colour of the program's, or the terminal's own back with `nil`: all cells without a colour of their own
  /// show it, and no frame grows by it. Whatever ends the session gives the terminal's own back.
  ///
  /// Only where its own can be given back: see ``Capabilities/givesPageBack``.
  ///
  /// - Parameter colour: One of red, green and blue; others count as `nil`.
  public func paintPage(_ colour: Colour?) {
    guard isOpen, capabilities.givesPageBack else { return }
    let wanted = colour.flatMap { PageMessage.bytes(painting: $0) == nil ? nil : $0 }
    guard wanted != page else { return }
    page = wanted
    guard let message = wanted.map(PageMessage.bytes(painting:)) ?? ownPage else { return }
    // First how it is undone, then that it is done.
    var settings = device.original.termios
    let ending = ending
    cterminal_guard_arm(device.descriptor, &settings, ending, ending.count)
    fulfil(output.send(message, now: MonotonicClock.now) { write($0) })
  }

  /// What gives the terminal back.
  var ending: [UInt8] {
    ((page == nil ? nil : ownPage) ?? []) + modes.ending
  }

  /// What gives the page its own colour back.
  private var ownPage: [UInt8]? {
    capabilities.background.map(PageMessage.bytes(painting:)) ?? PageMessage.reset
  }
}

/// The control string that gives the page a colour.
enum PageMessage {
  /// `OSC 111 ST`, which gives the page the colour that it had. Source: xterm, "XTerm Control Sequences", OSC 111.
  static let reset = Array("\u{1B}]111\u{1B}\\".utf8)

  /// `OSC 11 ; rgb:RR/GG/BB ST`; `nil` for a colour that is not of red, green and blue.
  ///
  /// Source: xterm, "XTerm Control Sequences", OSC 11 (change the background colour); Xlib, XParseColor (`rgb:`).
  static func bytes(painting colour: Colour) -> [UInt8]? {
    guard case .rgb(let red, let green, let blue) = colour.kind else { return nil }
    let parts = [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return Array("\u{1B}]11;rgb:\(parts.joined(separator: "/"))\u{1B}\\".utf8)
  }
}
