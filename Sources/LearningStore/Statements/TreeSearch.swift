/// By what a statement finds nodes of the tree. As a rule all ask the table. While nodes of a published edition are still to
/// be put where they stand, views of it say where that is, each with an index for one of the ways: see `0015_moving.sql`.
enum TreeSearch {
  /// By their ids, their courses or their keys.
  case byID
  /// By what they stand in, also by that they stand in nothing.
  case byParent

  /// The SQL of a statement while nodes move.
  func whileMoving(_ sql: String) -> String {
    guard sql.contains("contentNode") else { return sql }
    return sql.replacing("contentNode", with: self == .byID ? "standingNode" : "standingChild")
  }
}
