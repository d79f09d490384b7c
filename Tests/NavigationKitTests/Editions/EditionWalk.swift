import CourseKit
import LearningModel
import NavigationKit
import TestSupport
import Testing

/// Three learners navigate, bookmark, read and complete activities in three courses, while authors edit and publish the
/// courses. ``PersonModel`` records the learners' actions independently of the database, and ``PublishedCourses`` the published
/// courses.
final class EditionWalk {
  /// A front end with its expected session state, `nil` if its next step starts a session.
  struct FrontEnd {
    let service: NavigationService
    var learnerModel: ExpectedSession?
  }

  /// The situations that sufficiently long walks cover.
  static let everything: Set<String> = [
    "removed", "returned", "moved", "renamed", "rewritten", "became another kind", "withdrawn", "refused",
    "numbered slug", "repair", "old link", "led to what was removed",
  ]

  let fixture: NavigationFixture
  let library: CourseLibrary
  private(set) var world = PublishedCourses()
  private(set) var people: [String: PersonModel] = ["ada": PersonModel(), "ben": PersonModel(), "cem": PersonModel()]
  private(set) var frontEnds: [FrontEnd]
  private(set) var places: [String: Place] = [:]
  private(set) var names: [Place: String] = [:]
  /// The situations that have occurred. The test checks them, so that no expectation passes without being exercised.
  private(set) var seen: Set<String> = []
  /// The statements exported so far, by their identifiers.
  var exported: [String: String] = [:]
  var random: SplitMix64
  private var authors: [AuthoredCourse]
  /// The published courses, and the indexes of the front ends with a session, in the order in which these started.
  private var published: Set<String> = []
  private var order: [Int] = []

  init(seed: UInt64) throws {
    fixture = try NavigationFixture()
    let clock = fixture
    library = try CourseLibrary(databaseAt: fixture.database) { clock.now }
    var random = SplitMix64(seed: seed)
    authors = ["alpha", "beta", "gamma"].map { AuthoredCourse(key: $0, &random) }
    self.random = random
    frontEnds = try [
      fixture.service("ada", session: .browser), fixture.service("ada"),
      fixture.service("ben", session: .named("phone")),
      fixture.service("cem"),
    ].map { FrontEnd(service: $0) }
    for index in authors.indices.dropLast() { try publish(index) }
  }

  // MARK: - Authors

  /// Edits one course and publishes it. Sometimes withdraws a course or publishes it again.
  func edition() throws {
    let index = random.below(authors.count)
    let key = authors[index].key
    fixture.advance(seconds: 60)
    if published.contains(key), published.count > 1, random.oneIn(12) { return try withdraw(key) }
    if random.oneIn(12) { authors[index].removeMost(&random) }
    for _ in 0...random.below(8) { authors[index].edit(&random) }
    try publish(index)
  }

  private func publish(_ index: Int) throws {
    let course = authors[index]
    let before = world
    let changes = world.publish(course.published, of: course.key)
    let folder = "\(fixture.folder)/\(course.key)"
    try course.write(to: folder)

    let had = changes.removed.count + course.published.count - changes.added.count
    let isGuarded = published.contains(course.key) && changes.removed.count * 2 > had
    if isGuarded {
      let error = #expect(throws: CourseLibraryError.self) {
        try library.importCourse(from: folder, options: ImportOptions(joinsRenamed: false))
      }
      guard case .importRefused(.removesMost(changes.removed.count, of: had), _)? = error else {
        return #expect(Bool(false), "\(String(describing: error))")
      }
      try before.expect(in: library)
      seen.insert("refused")
    }
    // Authors of this format write keys, and new places often have the titles of removed ones.
    let report = try library.importCourse(
      from: folder, options: ImportOptions(replaces: isGuarded, joinsRenamed: false))
    #expect(report.difference.added == changes.added.count && report.difference.removed == changes.removed.count)

    published.insert(course.key)
    note(changes, before)
    try settle(changes, before)
  }

  private func withdraw(_ key: String) throws {
    let before = world
    let changes = world.publish([], of: key)
    #expect(try library.remove(world.path(of: PublishedCourses.id(key, key))) == changes.removed.count)
    published.remove(key)
    seen.insert("withdrawn")
    try settle(changes, before)
  }

  /// Records the kinds of edits that occurred.
  private func note(_ changes: PublishedCourses.Changes, _ before: PublishedCourses) {
    if !changes.removed.isEmpty { seen.insert("removed") }
    if changes.added.contains(where: { before.gone[$0] != nil }) { seen.insert("returned") }
    for (id, node) in world.living {
      guard let old = before.living[id] else { continue }
      if old.parent != node.parent { seen.insert("moved") }
      if old.title != node.title { seen.insert("renamed") }
      if old.words != node.words { seen.insert("rewritten") }
      if old.kind != node.kind { seen.insert("became another kind") }
    }
  }

  /// Updates the expected state after an edition, including the sessions whose place moved.
  private func settle(_ changes: PublishedCourses.Changes, _ before: PublishedCourses) throws {
    let tree = try world.expect(in: library)
    world.note(tree)
    expectSlugs(tree, before)
    for (id, _) in tree where places[id] == nil {
      let place = try frontEnds[0].service.places.named(.text(world.path(of: id).description)).place
      #expect(names[place] == nil, "two places have the same node")
      places[id] = place
      names[place] = id
    }
    guard !changes.isEmpty else { return }
    for index in order {
      let from = frontEnds[index].learnerModel?.place
      guard frontEnds[index].learnerModel?.repair(in: world) == true, let expected = frontEnds[index].learnerModel
      else {
        continue
      }
      people[frontEnds[index].service.learner]!.go(
        .repair, .system, from: .some(from), to: expected.stack, at: fixture.now, in: world)
      seen.insert("repair")
    }
  }

  /// Expects that a place that was not moved keeps its slug. A new slug is made from the title, with a number only if
  /// the slug was taken.
  private func expectSlugs(_ tree: [(id: String, slug: String)], _ before: PublishedCourses) {
    for (id, slug) in tree {
      if let old = before.living[id], old.parent == world.parent(of: id) {
        #expect(slug == before.slugs[id], "\(id) was not moved, so it keeps its slug")
        continue
      }
      let preferred = before.slugs[id] ?? Slug.make(from: world.title(of: id), fallback: id)
      let spot = PublishedCourses.Position(parent: world.parent(of: id), slug: preferred)
      if !world.hasBeenTaken(spot, by: id) {
        #expect(slug == preferred, "\(id) gets a slug without a number, because the slug was free")
      }
      #expect(
        slug == preferred || slug.hasPrefix(preferred + "-") && Int(slug.dropFirst(preferred.count + 1)) != nil,
        "\(id): \(slug)")
      if slug != preferred { seen.insert("numbered slug") }
    }
  }

  // MARK: - People

  /// Performs a random operation of a random learner.
  func operation() throws {
    fixture.advance(seconds: Double(1 + random.below(600)) / 10)
    let index = random.below(frontEnds.count)
    switch random.below(12) {
    case 0, 1, 2: try act(index)
    case 3, 4: try mark(index)
    case 5: try read(index)
    case 6 where random.oneIn(4): try leave(index)
    default: try step(index)
    }
  }

  private func step(_ index: Int) throws {
    let service = frontEnds[index].service
    let learner = service.learner
    let isOpen = frontEnds[index].learnerModel != nil
    let from = frontEnds[index].learnerModel ?? ExpectedSession(at: world.currentAncestors(to: people[learner]!.newest))
    let (request, name) = wish(at: from.place)
    let outcome = from.outcome(of: request, in: world, newest: people[learner]!.newest)
    guard isOpen || request != .resume else { return }

    do {
      let step = try service.perform(request.request(name), cause: .link)
      guard case .move(let chain, _) = outcome else {
        guard case .nothing(let reason) = outcome, step.outcome == .nothingToDo(reason) else {
          return #expect(Bool(false), "\(request) by \(name): \(step.outcome) instead of \(outcome)")
        }
        return
      }
      #expect(step.stack.dropFirst().map { names[$0.place] } == chain, "\(request) by \(name) from \(from.stack)")
      begin(index)
      people[learner]!.go(
        step.operation, .link, from: .some(from.place), to: chain, at: fixture.now, in: world)
      frontEnds[index].learnerModel?.follow(outcome)
    } catch NavigationError.removedPlace(let title, let nearest) {
      guard case .removed(let living) = outcome else {
        return #expect(Bool(false), "\(request) by \(name): '\(title)' was removed instead of \(outcome)")
      }
      #expect(title == world.title(of: request.target!!) && nearest.path == world.path(of: living.last))
      seen.insert("led to what was removed")
    } catch {
      switch (error, outcome) {
      case (.notAChild, .notAChild), (.notASibling, .notASibling), (.notOnStack, .notOnStack): break
      default: #expect(Bool(false), "\(request) by \(name): \(error) instead of \(outcome)")
      }
    }
  }

  /// Starts a session if necessary, by resuming at the learner's newest place.
  private func begin(_ index: Int) {
    guard frontEnds[index].learnerModel == nil else { return }
    let learner = frontEnds[index].service.learner
    let stack = world.currentAncestors(to: people[learner]!.newest)
    people[learner]!.go(.resume, .system, from: .none, to: stack, at: fixture.now, in: world)
    frontEnds[index].learnerModel = ExpectedSession(at: stack)
    order.append(index)
  }

  private func leave(_ index: Int) throws {
    try frontEnds[index].service.endSession()
    frontEnds[index].learnerModel = nil
    order.removeAll { $0 == index }
  }

  private func wish(at place: String?) -> (Request, PlaceName) {
    func known(_ id: String?) -> (String?, PlaceName) { (id, .place(id.flatMap { places[$0] } ?? .root)) }
    func some(_ ids: [String]) -> (String?, PlaceName) { known(ids.randomElement(using: &random)) }
    switch random.below(12) {
    case 0, 1, 2:
      let (id, name) = some(world.children(of: place))
      return id == nil ? (.pop, name) : (.push(id), name)
    case 3: return (.pop, "/")
    case 4:
      let (id, name) = some(world.children(of: place.flatMap(world.parent)))
      return (.select(id), name)
    case 5: return (.next, "/")
    case 6: return (.previous, "/")
    case 7: return (random.oneIn(2) ? .back : .forward, "/")
    case 8: return (random.oneIn(3) ? .resume : .forward, "/")
    case 9:
      let (id, name) = some(world.readingOrder)
      return (.open(id), name)
    case 10:
      let (id, name) = some(random.oneIn(2) ? world.chain(to: place) : world.gone.keys.sorted())
      return (.popTo(id), name)
    default:
      // Opens a path that was valid at any earlier time.
      let path = world.links.keys.sorted { $0.description < $1.description }.randomElement(using: &random)!
      seen.insert("old link")
      return (.open(world.resolve(path)), .text(path.description))
    }
  }

  private func someActivity() -> String? {
    world.readingOrder.filter { world.kind(of: $0) == .activity }.randomElement(using: &random)
  }

  private func act(_ index: Int) throws {
    guard let id = someActivity() else { return }
    let events: [ActivityEventContent] = [
      .seenToEnd, .markedDone, .markedNotDone, .quizChecked(answers: [[0], [1, 2]], score: 0.5),
      .cardGraded(card: 0, of: 2, isKnown: true), .cardGraded(card: 1, of: 2, isKnown: false),
      .check(true), .check(false), .check(true, changed: false),
    ]
    let event = events[random.below(events.count)]
    let service = frontEnds[index].service
    let card = try service.progress.record(event, in: .place(places[id]!))
    begin(index)
    people[service.learner]!.act(event, in: id, at: fixture.now)
    #expect(card.progress == people[service.learner]!.progress(of: id, in: world))
  }

  /// Sets a bookmark or removes one, also at a removed place.
  private func mark(_ index: Int) throws {
    let service = frontEnds[index].service
    let isSet = !random.oneIn(3)
    let ids = isSet ? world.readingOrder : people[service.learner]!.bookmarks
    guard let id = ids.randomElement(using: &random) else { return }
    let isNew = people[service.learner]!.mark(isSet, id)
    #expect(try service.notes.setBookmark(isSet, at: .place(places[id]!)) == isNew)
  }

  private func read(_ index: Int) throws {
    guard frontEnds[index].learnerModel != nil, let id = someActivity() else { return }
    let service = frontEnds[index].service
    let block = random.below(9)
    let position = ReadingPosition(
      block: block, blockOffset: block == 0 ? 0 : 0.25, fraction: Double(random.below(5)) / 4, heading: "Words",
      savedAt: fixture.now)
    try service.progress.save(position, in: places[id]!)
    people[service.learner]!.positions[id] = position
  }
}
