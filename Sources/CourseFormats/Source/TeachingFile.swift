/// Files of a course that are not pages: program texts, exercises and quizzes of other programs. They are not imported,
/// but a report counts them by their kind.
enum TeachingFile {
  private static let codeExtensions: Set<Substring> = [
    "asm", "bash", "c", "cc", "clj", "cpp", "cs", "cxx", "dart", "erl", "ex", "exs", "f90", "fs", "go", "h", "hpp",
    "hs",
    "java", "jl", "js", "jsx", "kt", "lua", "m", "ml", "mjs", "php", "pl", "ps1", "py", "r", "rb", "rs", "scala", "sh",
    "sql", "swift", "ts", "tsx", "zig",
  ]
  private static let quizExtensions: Set<Substring> = ["gift", "h5p", "qti"]
  private static let dataExtensions: Set<Substring> = ["json", "toml", "xml", "yaml", "yml"]
  /// The beginnings of the names of folders with exercises.
  private static let exerciseFolders = [
    "assignment", "challenge", "exercise", "homework", "kata", "koan", "lab", "practice", "problem", "solution",
  ]
  /// Files that configure the programs that make a site or a package of the pages.
  private static let configurations: Set<Substring> = [
    "conf.py", "setup.py", "noxfile.py", "sidebars.js", "sidebars.ts",
  ]

  /// Returns a description of a file in the singular with its extension, such as `code file (.py)`. Returns `nil` for
  /// a file of another kind.
  static func kind(of path: String) -> String? {
    let components = path.lowercased().split(separator: "/")
    guard let name = components.last, let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...]
    if quizExtensions.contains(ending)
      || dataExtensions.contains(ending) && components.suffix(2).contains(where: { $0.contains("quiz") })
    {
      return "quiz file (.\(ending))"
    }
    guard codeExtensions.contains(ending), !configurations.contains(name), !name.contains(".config.") else {
      return nil
    }
    let isExercise = components.dropLast().contains { folder in exerciseFolders.contains { folder.hasPrefix($0) } }
    return "\(isExercise ? "exercise" : "code") file (.\(ending))"
  }
}

extension Findings {
  /// Counts the files of ``TeachingFile`` as left out, by their kind.
  mutating func countTeachingFiles(_ paths: [String]) {
    let counts = paths.reduce(into: [:]) { counts, path in counts[TeachingFile.kind(of: path) ?? "", default: 0] += 1 }
    for (what, count) in counts.sorted(by: { $0.key < $1.key }) where !what.isEmpty {
      countLoss(what, "left out", count: count)
    }
  }
}
