import VTerm

/// A named key.
public enum NamedKey: Hashable, Sendable {
  case enter, tab, backspace, escape
  case up, down, left, right
  case insert, delete, home, end, pageUp, pageDown
  /// F1…F12.
  case function(Int)

  var code: VTermKey {
    switch self {
    case .enter: VTERM_KEY_ENTER
    case .tab: VTERM_KEY_TAB
    case .backspace: VTERM_KEY_BACKSPACE
    case .escape: VTERM_KEY_ESCAPE
    case .up: VTERM_KEY_UP
    case .down: VTERM_KEY_DOWN
    case .left: VTERM_KEY_LEFT
    case .right: VTERM_KEY_RIGHT
    case .insert: VTERM_KEY_INS
    case .delete: VTERM_KEY_DEL
    case .home: VTERM_KEY_HOME
    case .end: VTERM_KEY_END
    case .pageUp: VTERM_KEY_PAGEUP
    case .pageDown: VTERM_KEY_PAGEDOWN
    case .function(let number): VTermKey(VTERM_KEY_FUNCTION_0.rawValue + UInt32(number))
    }
  }
}

extension Emulator {
  /// Presses a named key. The bytes that the terminal sends are appended to ``answers``.
  public func press(_ key: NamedKey, control: Bool = false, shift: Bool = false, alt: Bool = false) {
    var modifiers: UInt32 = 0
    if shift { modifiers |= VTERM_MOD_SHIFT.rawValue }
    if alt { modifiers |= VTERM_MOD_ALT.rawValue }
    if control { modifiers |= VTERM_MOD_CTRL.rawValue }
    press(key.code, VTermModifier(modifiers))
  }
}
