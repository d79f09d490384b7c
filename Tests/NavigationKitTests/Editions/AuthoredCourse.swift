import Foundation
import LearningModel
import TestSupport

/// A course in its author's folder, with random edits of every kind. A node is identified by the key in its file or, if
/// it has none, by its path.
struct AuthoredCourse {
  /// A folder, or the file of an activity.
  struct Node {
    /// The name of the file or folder, without its number and extension.
    var stem: String
    /// The key in the file. If `nil`, the path is the key.
    var key: String?
    var title: String
    /// The text of an activity; `nil` for a folder.
    var words: String?
    var children: [Node] = []
    /// The node's implicit key before its file was renamed. Setting it as the key joins both nodes.
    var formerKey: String?

    /// The node at a path of child indexes.
    subscript(path: ArraySlice<Int>) -> Node {
      get { path.first.map { children[$0][path.dropFirst()] } ?? self }
      set {
        guard let first = path.first else {
          self = newValue
          return
        }
        children[first][path.dropFirst()] = newValue
      }
    }
  }

  /// A node of the published course.
  struct Published {
    let key: String
    let parent: String?
    let kind: ContentKind
    let title: String
    let words: String?
  }

  /// The course's key.
  let key: String
  private(set) var top: Node
  private var gone: [Node] = []
  private var made = 0

  init(key: String, _ random: inout SplitMix64) {
    self.key = key
    // All courses have the same title, so that their slugs collide.
    top = Node(stem: key, key: key, title: "English", words: nil)
    while pieces.count < 30 { edit(&random) }
  }

  // MARK: - Published nodes

  /// Every node in reading order, parents first.
  var published: [Published] {
    var all = [Published(key: key, parent: nil, kind: .course, title: top.title, words: nil)]
    func add(_ node: Node, under parent: String, in folder: String, depth: Int) {
      let path = folder.isEmpty ? node.stem : "\(folder)/\(node.stem)"
      let key = node.key ?? path
      let kind: ContentKind = depth == 1 ? .goal : node.words == nil ? .lesson : .activity
      all.append(Published(key: key, parent: parent, kind: kind, title: node.title, words: node.words))
      for child in node.children { add(child, under: key, in: path, depth: depth + 1) }
    }
    for goal in top.children { add(goal, under: key, in: "", depth: 1) }
    return all
  }

  /// Replaces the folder by the current course.
  func write(to folder: String) throws {
    let files = FileManager.default
    try? files.removeItem(atPath: folder)
    func write(_ node: Node, named name: String, in folder: String, depth: Int) throws {
      let fields = "title: \(node.title)\n" + (node.key.map { "key: \($0)\n" } ?? "")
      if let text = node.words {
        try "---\n\(fields)---\n\(text)\n".write(toFile: "\(folder)/\(name).md", atomically: false, encoding: .utf8)
        return
      }
      let inside = name.isEmpty ? folder : "\(folder)/\(name)"
      try files.createDirectory(atPath: inside, withIntermediateDirectories: true)
      let file = ["course", "goal"].dropFirst(depth).first ?? "lesson"
      try fields.write(toFile: "\(inside)/\(file).yml", atomically: false, encoding: .utf8)
      for (number, child) in node.children.enumerated() {
        try write(child, named: "\(100 + number)-\(child.stem)", in: inside, depth: depth + 1)
      }
    }
    try write(top, named: "", in: folder, depth: 0)
  }

  // MARK: - Editing

  /// The index paths of all nodes except the course.
  private var pieces: [[Int]] { paths { _, _ in true } }

  private func paths(where isWanted: (Node, _ depth: Int) -> Bool) -> [[Int]] {
    func below(_ node: Node, _ path: [Int]) -> [[Int]] {
      let matches = !path.isEmpty && isWanted(node, path.count) ? [path] : []
      return matches + node.children.enumerated().flatMap { below($1, path + [$0]) }
    }
    return below(top, [])
  }

  private func some(_ random: inout SplitMix64, where isWanted: (Node, _ depth: Int) -> Bool) -> [Int]? {
    paths(where: isWanted).randomElement(using: &random)
  }

  private func someLesson(_ random: inout SplitMix64) -> [Int]? {
    some(&random) { $1 > 1 && $1 < 5 && $0.words == nil }
  }

  private func someActivity(_ random: inout SplitMix64) -> [Int]? { some(&random) { node, _ in node.words != nil } }

  /// Creates a node that has never existed. Few different titles are used, so that slugs collide.
  private mutating func piece(_ random: inout SplitMix64, isActivity: Bool) -> Node {
    made += 1
    let title = ["Agenda", "Opening", "Closing", "Words"].randomElement(using: &random)!
    return Node(
      stem: "p\(made)", key: random.oneIn(2) ? "\(title.lowercased())-\(made)" : nil, title: title,
      words: isActivity ? "Text \(made) of \(key)." : nil)
  }

  private mutating func put(_ node: Node, into path: [Int], _ random: inout SplitMix64) {
    top[path[...]].children.insert(node, at: random.below(top[path[...]].children.count + 1))
  }

  private mutating func take(_ path: [Int]) -> Node {
    top[path.dropLast()].children.remove(at: path.last!)
  }

  /// Makes one random edit, as authors do. Undoes it if it would leave duplicate names, no goal, or more than 50 nodes.
  mutating func edit(_ random: inout SplitMix64) {
    let before = self
    change(&random)
    let keys = published.map(\.key)
    let stems = ([[]] + pieces).map { top[$0[...]].children.map(\.stem) }
    if Set(keys).count < keys.count || stems.contains(where: { Set($0).count < $0.count }) || top.children.isEmpty
      || keys.count > 50
    {
      let made = made
      self = before
      self.made = made
    }
  }

  /// Removes all goals except one, as if the wrong folder were imported.
  mutating func removeMost(_ random: inout SplitMix64) {
    while top.children.count > 1 { gone.append(take([random.below(top.children.count)])) }
  }

  private mutating func change(_ random: inout SplitMix64) {
    switch random.below(21) {
    case 0: put(piece(&random, isActivity: false), into: [], &random)
    case 1:
      if let goal = some(&random, where: { $1 == 1 }) { put(piece(&random, isActivity: false), into: goal, &random) }
    case 2, 3, 4:
      if let lesson = someLesson(&random) { put(piece(&random, isActivity: !random.oneIn(4)), into: lesson, &random) }
    case 5: if let any = pieces.randomElement(using: &random) { top[any[...]].title = "Renamed \(random.below(9))" }
    case 6: if let activity = someActivity(&random) { top[activity[...]].words! += " More." }
    case 7:
      if let any = pieces.randomElement(using: &random) { top[any.dropLast()].children.shuffle(using: &random) }
    case 8, 9: move(&random)
    case 10: splitLesson(&random)
    case 11: splitActivity(&random)
    case 12: mergeLessons(&random)
    case 13: mergeActivities(&random)
    case 14, 15: if let any = pieces.randomElement(using: &random) { gone.append(take(any)) }
    case 16: bringBack(&random)
    case 17: replace(&random)
    case 18: renameFile(&random)
    case 19: promote(&random)
    default: giveKey(&random)
    }
  }

  /// Turns a lesson without activities into a goal, or a goal into a lesson of another goal.
  private mutating func promote(_ random: inout SplitMix64) {
    if random.oneIn(2), top.children.count > 1 {
      let goal = take([random.below(top.children.count)])
      return put(goal, into: [random.below(top.children.count)], &random)
    }
    let lesson = some(&random) { node, depth in
      depth > 1 && node.words == nil && !node.children.contains { $0.words != nil }
    }
    if let lesson { put(take(lesson), into: [], &random) }
  }

  /// Moves a node and its descendants to another parent.
  private mutating func move(_ random: inout SplitMix64) {
    guard let any = pieces.randomElement(using: &random) else { return }
    let node = take(any)
    let target = node.words == nil ? some(&random) { $1 < 4 && $0.words == nil } : someLesson(&random)
    if let target { put(node, into: target, &random) } else { put(node, into: Array(any.dropLast()), &random) }
  }

  private mutating func splitLesson(_ random: inout SplitMix64) {
    guard let lesson = someLesson(&random) else { return }
    var second = piece(&random, isActivity: false)
    let half = top[lesson[...]].children.count / 2
    second.children = Array(top[lesson[...]].children.dropFirst(half))
    top[lesson[...]].children.removeLast(second.children.count)
    top[lesson.dropLast()].children.insert(second, at: lesson.last! + 1)
  }

  /// Turns an activity into a lesson with two activities.
  private mutating func splitActivity(_ random: inout SplitMix64) {
    guard let activity = someActivity(&random) else { return }
    top[activity[...]].words = nil
    for _ in 0..<2 { put(piece(&random, isActivity: true), into: activity, &random) }
  }

  private mutating func mergeLessons(_ random: inout SplitMix64) {
    guard let lesson = someLesson(&random), let other = lesson.last, other > 0 else { return }
    let first = lesson.dropLast() + [other - 1]
    guard top[first].words == nil else { return }
    var second = take(lesson)
    top[first].children += second.children
    second.children = []
    gone.append(second)
  }

  /// Turns a lesson of activities into one activity.
  private mutating func mergeActivities(_ random: inout SplitMix64) {
    guard let lesson = some(&random, where: { $1 > 2 && $0.words == nil }) else { return }
    let activities = top[lesson[...]].children
    guard !activities.isEmpty, activities.allSatisfy({ $0.words != nil }) else { return }
    gone += activities
    top[lesson[...]].children = []
    top[lesson[...]].words = "All of " + activities.compactMap(\.words).joined(separator: " ")
  }

  private mutating func bringBack(_ random: inout SplitMix64) {
    guard !gone.isEmpty else { return }
    let node = gone.remove(at: random.below(gone.count))
    let target = node.words == nil ? some(&random) { $1 < 4 && $0.words == nil } : someLesson(&random)
    if let target { put(node, into: target, &random) }
  }

  /// Replaces a node by a new one with the same title.
  private mutating func replace(_ random: inout SplitMix64) {
    guard let any = pieces.randomElement(using: &random) else { return }
    var other = piece(&random, isActivity: top[any[...]].words != nil)
    let old = take(any)
    other.title = old.title
    top[any.dropLast()].children.insert(other, at: any.last!)
    gone.append(old)
  }

  /// Renames a file. A node without a key in its file becomes a different node, until `giveKey` joins the two nodes.
  private mutating func renameFile(_ random: inout SplitMix64) {
    guard let activity = someActivity(&random) else { return }
    made += 1
    if top[activity[...]].key == nil { top[activity[...]].formerKey = self.path(activity) }
    top[activity[...]].stem = "p\(made)"
  }

  /// Writes a key into the file of a node: its implicit key, or the implicit key that it had before its file was
  /// renamed.
  private mutating func giveKey(_ random: inout SplitMix64) {
    guard let any = some(&random, where: { node, _ in node.formerKey != nil }) ?? pieces.randomElement(using: &random)
    else { return }
    if top[any[...]].key == nil { top[any[...]].key = top[any[...]].formerKey ?? path(any) }
    top[any[...]].formerKey = nil
  }

  private func path(_ path: [Int]) -> String {
    (1...path.count).map { top[path.prefix($0)].stem }.joined(separator: "/")
  }
}
