import ArgumentParser

// What a shell completes with names from the database; `Given` says what such an argument may be.

extension CompletionKind {
  /// Paths of places, level by level.
  static var places: Self { .custom { ShellNames(words: $0, index: $1, typed: $2).places() } }
  /// Paths of courses.
  static var courses: Self { .custom { ShellNames(words: $0, index: $1, typed: $2).courses() } }
  /// Names of learners.
  static var learners: Self { .custom { ShellNames(words: $0, index: $1, typed: $2).learners() } }
}
