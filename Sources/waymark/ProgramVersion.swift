/// The version of the program.
enum ProgramVersion {
  /// By the rules of semver.org.
  static let current = "0.1.0"
}
