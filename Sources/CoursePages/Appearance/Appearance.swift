/// How everything looks: the colours and the signs.
package struct Appearance: Sendable {
  /// The style of each role.
  package var theme: Theme
  /// The signs that are not letters.
  package var symbols: Symbols

  /// Makes an appearance.
  package init(theme: Theme, symbols: Symbols) {
    self.theme = theme
    self.symbols = symbols
  }
}
