/// The mistakes of settings, collected, so that whoever wrote them mends all of them at once.
struct SettingsMistakes {
  private var all: [SettingsError] = []

  /// Takes a mistake; reading continues behind it.
  mutating func note(_ mistake: SettingsError) { all.append(mistake) }

  /// Ends the reading.
  ///
  /// - Throws: The mistake, or all of them in one.
  func check() throws(SettingsError) {
    guard let first = all.first else { return }
    throw all.count == 1 ? first : .several(all)
  }
}
