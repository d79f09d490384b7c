import LearningModel

/// What screens that write notes need of the browser around them.
@MainActor protocol NoteShell: ScreenShell {
  /// Writes a note about words of the text that is seen, or a highlight where it is empty, and shows it there.
  ///
  /// - Parameter id: Of the note that is changed; `nil` for a new one.
  func write(_ text: String, at anchor: NoteAnchor, replacing id: String?)
  /// Takes a note away, and shows that.
  func remove(_ note: Note)
}
