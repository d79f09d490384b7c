enum ProgramVersion {
  /// The version of the program, in the format of semver.org.
  static let current = "0.1.0"
}
