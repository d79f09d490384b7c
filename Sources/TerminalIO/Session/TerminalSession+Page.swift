import CTerminal
public import TextCanvas

extension TerminalSession {
  /// Gives the page a colour of the program's, or the terminal's own back with `nil`: all cells without a colour of their own
  /// show it, and no frame grows by it. Whatever ends the session gives the terminal's own back.
  ///
  /// Only where the terminal has said which colour its page has, since nothing else can be given back.
  ///
  /// - Parameter colour: One of red, green and blue; others count as `nil`.
  public func paintPage(_ colour: Colour?) {
    guard isOpen, let own = capabilities.background else { return }
    let wanted = colour.flatMap { PageMessage.bytes(painting: $0) == nil ? nil : $0 }
    guard wanted != page else { return }
    page = wanted
    guard let message = PageMessage.bytes(painting: wanted ?? own) else { return }
    // First how it is undone, then that it is done.
    var settings = device.original.termios
    let ending = ending
    cterminal_guard_arm(device.descriptor, &settings, ending, ending.count)
    fulfil(output.send(message, now: MonotonicClock.now) { write($0) })
  }

  /// What gives the terminal back.
  var ending: [UInt8] {
    let own = page == nil ? nil : capabilities.background.flatMap(PageMessage.bytes(painting:))
    return (own ?? []) + modes.ending
  }
}

/// The control string that gives the page a colour.
enum PageMessage {
  /// `OSC 11 ; rgb:RR/GG/BB ST`; `nil` for a colour that is not of red, green and blue.
  ///
  /// Source: xterm, "XTerm Control Sequences", OSC 11 (change the background colour); Xlib, XParseColor (`rgb:`).
  static func bytes(painting colour: Colour) -> [UInt8]? {
    guard case .rgb(let red, let green, let blue) = colour.kind else { return nil }
    let parts = [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    return Array("\u{1B}]11;rgb:\(parts.joined(separator: "/"))\u{1B}\\".utf8)
  }
}
