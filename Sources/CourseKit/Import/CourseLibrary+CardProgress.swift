import CourseFormats
package import LearningModel

extension CourseLibrary {
  /// Returns the progress of the cards in a source, such as a package of Anki. Empty for other formats.
  ///
  /// - Parameters:
  ///   - source: The path of the source, which has been imported.
  ///   - format: The name of its format, or `nil` to recognise it.
  /// - Throws: ``CourseLibraryError`` if the source cannot be read.
  package func cardProgress(in source: String, format: String?) throws(CourseLibraryError) -> [CardProgress] {
    guard FormatRegistry.readers.contains(where: { $0.hasProgress && (format == nil || $0.name == format) }) else {
      return []
    }
    return try Self.typed(in: store) {
      var options = ReadOptions()
      options.includesProgress = true
      return try FormatRegistry.read(CourseSource(opening: source), from: format, options: options).progress
    }
  }
}
