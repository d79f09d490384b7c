import TextCanvas

/// The notice about a learner from another database whose name is similar to a known one.
enum SimilarName {
  static func notice(_ name: String, _ known: String) -> String {
    "Added learner '\(name)' next to '\(known)': the names differ only in case, spaces or invisible characters."
      .harmless
  }
}
