/// The few signs in texts for people that not every terminal can show.
struct TextSigns: Sendable {
  /// Between two crumbs of the way to a place.
  let crumb: String
  /// For what was cut.
  let ellipsis: String

  static let unicode = TextSigns(crumb: " › ", ellipsis: "…")
  static let ascii = TextSigns(crumb: " > ", ellipsis: "...")
}
