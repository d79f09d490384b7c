/// How everything looks: the colours and the signs.
public struct Appearance: Sendable {
  /// The style of each role.
  public var theme: Theme
  /// The signs that are not letters.
  public var symbols: Symbols

  /// Makes an appearance.
  public init(theme: Theme, symbols: Symbols) {
    self.theme = theme
    self.symbols = symbols
  }
}
