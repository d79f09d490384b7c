import LearningModel

/// Reads tracks of Exercism, and workspaces in which a learner has downloaded exercises.
///
/// Sources: Exercism, "Building tracks": `config.json`, "Concepts", "Concept exercises", "Practice exercises"; the
/// program `exercism`, which writes `.exercism/metadata.json` and `.exercism/config.json`.
struct ExercismReader: CourseReader {
  let name = "exercism"
  let summary = "A track of Exercism, or a learner's folder of exercises that the program 'exercism' has downloaded."
  let requirements = "a track of Exercism with 'config.json'"
  let mapping = FormatMapping(
    goal: "the concepts, and the practice exercises; in a learner's folder, a track",
    lesson: "a concept exercise with its concepts, or the practice exercises of one difficulty",
    activity: "an exercise, or a concept")
  let hasPathKeys = false

  private static func isTrack(_ source: CourseSource) -> Bool {
    source.hasFile("config.json")
      && ["exercises/practice", "exercises/concept"].contains { (try? source.entries(in: $0))?.isEmpty == false }
  }

  func recognises(_ source: CourseSource) -> Bool {
    source.isFolder && (Self.isTrack(source) || !ExercismWorkspace.folders(in: source, upTo: 1).isEmpty)
  }

  func read(_ source: CourseSource, options: ReadOptions) throws -> CourseDraft {
    guard recognises(source) else {
      throw CourseFormatError.notOfFormat(source: source.name, format: name, needs: requirements)
    }
    var course = try ExerciseCourse(source, options: options)
    if Self.isTrack(source) {
      var track = ExercismTrack(try course.json(ExercismTrack.Configuration.self, of: "config.json"))
      try track.read(&course)
    } else {
      try ExercismWorkspace.read(&course)
    }
    return try course.finish(format: name)
  }
}

/// A track: its list of exercises and concepts.
private struct ExercismTrack {
  struct Configuration: Decodable {
    struct Exercises: Decodable {
      let concept: [Entry]?
      let practice: [Entry]?
    }
    struct Entry: Decodable {
      let slug: String
      var name: String?
      var uuid: String?
      var concepts: [String]?
      var prerequisites: [String]?
      var difficulty: Int?
      var status: String?

      var key: String { uuid ?? slug }
    }

    let slug: String?
    let language: String?
    let exercises: Exercises?
    let concepts: [Entry]?
  }

  struct Link: Decodable {
    let url: String
    let description: String?
  }

  private let configuration: Configuration
  private let recipe: ExercismRecipe
  /// The keys of the exercises that teach a concept, by the concept.
  private var teachers: [String: [String]] = [:]

  init(_ configuration: Configuration) {
    self.configuration = configuration
    recipe = ExercismRecipe(track: configuration.slug ?? "")
  }

  mutating func read(_ course: inout ExerciseCourse) throws {
    let file = "config.json"
    course.track = configuration.slug
    let name = configuration.language ?? configuration.slug ?? course.source.titleStem
    let root = try course.add(.course, course.builder.courseKey(written: configuration.slug), name, in: nil, file: file)
    let concept = try active("concept", configuration.exercises?.concept, &course)
    let practice = try active("practice", configuration.exercises?.practice, &course)
    for entry in concept { for slug in entry.concepts ?? [] { teachers[slug, default: []].append(entry.key) } }
    let concepts = configuration.concepts ?? []
    if !concept.isEmpty {
      let goal = try course.add(.goal, "concepts", "Concepts", in: root, file: file)
      for entry in concept {
        let taught = concepts.filter { entry.concepts?.contains($0.slug) == true }
        let title = taught.map { $0.name ?? $0.slug }.joined(separator: ", ")
        let lesson = try course.add(
          .lesson, entry.key + "!", title.isEmpty ? entry.name ?? entry.slug : title, in: goal, file: file)
        for other in taught { try addConcept(other, in: lesson, &course) }
        try addExercise("concept", entry, in: lesson, &course)
      }
      let others = concepts.filter { teachers[$0.slug] == nil }
      if !others.isEmpty {
        let lesson = try course.add(.lesson, "concepts/more", "Concepts without an exercise", in: goal, file: file)
        for other in others { try addConcept(other, in: lesson, &course) }
      }
    }
    guard !practice.isEmpty else { return }
    let goal = try course.add(.goal, "practice", "Practice", in: root, file: file)
    for (difficulty, entries) in Dictionary(grouping: practice, by: { $0.difficulty ?? 0 }).sorted(by: {
      $0.key < $1.key
    }) {
      let title = difficulty > 0 ? "Difficulty \(difficulty)" : "Other exercises"
      let lesson = try course.add(.lesson, "practice/\(difficulty)", title, in: goal, file: file)
      for entry in entries { try addExercise("practice", entry, in: lesson, &course) }
    }
  }

  /// Returns the exercises that are neither deprecated nor unfinished. If the track lists none, those that have a folder.
  private func active(_ kind: String, _ listed: [Configuration.Entry]?, _ course: inout ExerciseCourse) throws
    -> [Configuration.Entry]
  {
    let all =
      configuration.exercises == nil
      ? ((try? course.source.entries(in: "exercises/" + kind)) ?? []).filter(\.isFolder).map {
        Configuration.Entry(slug: $0.name)
      } : listed ?? []
    return all.filter { entry in
      switch entry.status {
      case "deprecated": course.builder.findings.countLoss("deprecated exercise", "left out")
      case "wip": course.builder.findings.countLoss("unfinished exercise", "left out")
      default: return true
      }
      return false
    }
  }

  private func addConcept(_ concept: Configuration.Entry, in lesson: Int, _ course: inout ExerciseCourse) throws {
    let folder = "concepts/" + concept.slug
    guard let file = ["about.md", "introduction.md"].map({ folder + "/" + $0 }).first(where: course.source.hasFile)
    else { return course.builder.findings.countLoss("concept without a text", "left out") }
    let links = folder + "/links.json"
    try course.addPage(of: file, key: concept.key, title: concept.name ?? concept.slug, in: lesson) { course in
      guard course.source.hasFile(links) else { return [] }
      let items = try course.json([Link].self, of: links).map { link in
        let text = link.description?.onOneLine ?? link.url
        return ListItem(blocks: [.paragraph([.link(destination: link.url, text: [.text(text)])])])
      }
      return items.isEmpty
        ? [] : [.heading(level: 2, text: [.text("Links")], anchor: "links"), .bulletList(items: items)]
    }
  }

  private func addExercise(_ kind: String, _ entry: Configuration.Entry, in lesson: Int, _ course: inout ExerciseCourse)
    throws
  {
    let folder = "exercises/\(kind)/\(entry.slug)"
    var after: [String] = []
    for slug in entry.prerequisites ?? [] {
      let keys = (teachers[slug] ?? []).filter { $0 != entry.key && !after.contains($0) }
      if teachers[slug] == nil {
        course.builder.findings.countLoss("prerequisite that no exercise teaches", "left out")
      }
      after += keys
    }
    let node = DraftNode(parent: lesson, key: entry.key, kind: .activity, title: (entry.name ?? entry.slug).onOneLine)
    try course.addExercise(node, file: folder + "/.docs/instructions.md") { course in
      var task: [Block] = []
      for name in ["introduction", "instructions", "instructions.append"] {
        let file = "\(folder)/.docs/\(name).md"
        guard course.source.hasFile(file) else { continue }
        let (title, text) = try course.parsed(course.text(of: file), of: file)
        if !task.isEmpty, let title {
          task.append(.heading(level: 2, text: [.text(title)], anchor: Anchor.make(from: title)))
        }
        task += try course.blocks(text, of: file)
      }
      let hints = folder + "/.docs/hints.md"
      return try recipe.exercise(
        task: task, in: folder, configuration: ".meta/config.json", &course,
        difficulty: entry.difficulty.flatMap { (1...10).contains($0) ? $0 : nil }, after: after,
        hints: course.source.hasFile(hints) ? course.hints(course.text(of: hints), of: hints) : [])
    }
  }
}

/// How the exercises of a track are checked.
private struct ExercismRecipe {
  private let track: String

  init(track: String) { self.track = track }

  /// The recipes by track. Exercises of other tracks are shown without a check.
  private static let recipes = [
    "awk": "bats", "bash": "bats", "c": "make", "go": "go", "javascript": "jest", "jq": "bats", "perl5": "perl",
    "python": "pytest", "rust": "cargo", "swift": "swift",
  ]

  /// The names of the files of an exercise by their purpose: the solution is the learner's.
  private struct Configuration: Decodable { let files: [String: [String]]? }

  private static let roles: [(name: String, role: ExerciseFile.Role)] = [
    ("solution", .edit), ("test", .test), ("editor", .support), ("example", .solution), ("exemplar", .solution),
  ]

  /// Returns an exercise with the files in its folder.
  ///
  /// - Parameter configuration: The path of the file with the purposes of the files, in the folder.
  func exercise(
    task: [Block], in folder: String, configuration: String, _ course: inout ExerciseCourse, difficulty: Int? = nil,
    after: [String] = [], hints: [[Block]]
  ) throws -> Exercise {
    let file = SourcePath.join(folder, configuration)
    let listed = course.source.hasFile(file) ? try course.json(Configuration.self, of: file).files ?? [:] : [:]
    var files: [ExerciseFile] = []
    for (name, role) in Self.roles {
      for path in listed[name] ?? [] where role != .solution || course.source.hasFile(SourcePath.join(folder, path)) {
        files.append(try course.file(SourcePath.join(folder, path), as: path, role))
      }
    }
    let known = Set(files.map(\.path))
    let others = try course.files(in: folder).filter { !known.contains($0) && !Self.documents.contains($0) }
    files += try course.otherFiles(others, in: folder) { listed.isEmpty ? ExerciseCourse.role(of: $0) : .support }
    let recipe = Self.recipes[track]
    let note = "Waymark cannot check the exercises of this track. Run the tests yourself."
    return Exercise(
      task: recipe == nil ? task + [.paragraph([.text(note)])] : task, language: track == "perl5" ? "perl" : track,
      difficulty: difficulty, after: after, files: files, recipe: recipe,
      hints: hints)
  }

  /// The texts that the program `exercism` writes next to the files.
  private static let documents = ["README.md", "HELP.md", "HINTS.md"]
}

/// A learner's folder of exercises: a folder for each track, with a folder for each exercise.
private enum ExercismWorkspace {
  private struct Metadata: Decodable {
    let track: String?
    let exercise: String?
  }

  /// Returns the folders with exercises: the source itself, or folders at most two levels below it.
  ///
  /// - Parameter most: The maximum number of folders, because this is also used to recognise a source.
  static func folders(in source: CourseSource, upTo most: Int = .max) -> [String] {
    var found: [String] = []
    func search(_ folder: String, depth: Int) {
      guard found.count < most else { return }
      if source.hasFile(SourcePath.join(folder, ".exercism/metadata.json")) { return found.append(folder) }
      guard depth < 2 else { return }
      let inner = ((try? source.entries(in: folder)) ?? []).filter(\.isFolder)
      // Another kind of folder can be large.
      for entry in most == .max ? inner[...] : inner.prefix(100) { search(entry.path, depth: depth + 1) }
    }
    search("", depth: 0)
    return found
  }

  static func read(_ course: inout ExerciseCourse) throws {
    let root = try course.add(
      .course, course.builder.courseKey(), NumberedName(course.source.titleStem, isFolder: true).title, in: nil,
      file: course.source.name)
    var tracks: [String: [(folder: String, name: String)]] = [:]
    for folder in folders(in: course.source) {
      let data = try course.json(Metadata.self, of: SourcePath.join(folder, ".exercism/metadata.json"))
      let name = data.exercise ?? (folder.isEmpty ? course.source.stem : SourcePath.name(of: folder))
      tracks[data.track ?? "", default: []].append((folder, name))
    }
    for (track, exercises) in tracks.sorted(by: { $0.key < $1.key }) {
      let title = track.isEmpty ? "Other exercises" : NumberedName(track, isFolder: true).title
      let goal = try course.add(.goal, track + "!", title, in: root, file: course.source.name)
      let lesson = try course.add(.lesson, track + "/", title, in: goal, file: course.source.name)
      for (folder, name) in exercises {
        let node = DraftNode(
          parent: lesson, key: "\(track)/\(name)", kind: .activity,
          title: NumberedName(name, isFolder: true).title.onOneLine)
        let (readme, hints) = (SourcePath.join(folder, "README.md"), SourcePath.join(folder, "HINTS.md"))
        try course.addExercise(node, file: readme) { course in
          try ExercismRecipe(track: track).exercise(
            task: course.source.hasFile(readme) ? course.blocks(course.text(of: readme), of: readme) : [], in: folder,
            configuration: ".exercism/config.json", &course,
            hints: course.source.hasFile(hints) ? course.hints(course.text(of: hints), of: hints) : [])
        }
      }
    }
  }
}
