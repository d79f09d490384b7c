import LearningModel
import LearningStore

// Names of learners: known names always work, and new ones follow the rules of `LearnerName`.

extension NavigationService {
  /// Returns the name that a service of a learner has.
  ///
  /// The database is asked only about names that need it, so that opening a service stays cheap.
  ///
  /// - Parameter ignoresCase: Whether a known learner whose name differs only in case is meant if no learner has this name.
  /// - Throws: ``NavigationError/unusableName(name:)``.
  static func knownOrUsable(
    _ name: String, ignoringCase ignoresCase: Bool = false, in store: LearningStore
  ) throws -> String {
    let isUsable = LearnerName.fault(of: name) == nil
    guard ignoresCase || !isUsable else { return name }
    return try explaining {
      try store.glance { snapshot in
        if try snapshot.isKnown(learnerNamed: name) { return name }
        guard isUsable else { throw NavigationError.unusableName(name: name) }
        let others = try snapshot.knownNames().filter { $0.lowercased() == name.lowercased() }
        return others.count == 1 ? others[0] : name
      }
    }
  }

  /// Returns the names of the learners, and those for which tokens were given out.
  package func knownNames() throws -> [String] { try read { try $0.knownNames() } }

  /// Returns the name under which a new learner, or a token for one, may be stored.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``, ``NavigationError/similarName(name:known:)``.
  static func checked(_ name: String, in snapshot: StoreSnapshot) throws -> String {
    let name = LearnerName.trimmed(name)
    if try snapshot.isKnown(learnerNamed: name) { return name }
    try checkNew(name, besides: try snapshot.knownNames())
    return name
  }

  /// Returns the name that a learner from another database gets, and the name of a known learner that is similar to it.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``.
  static func accepted(_ text: String, in snapshot: StoreSnapshot) throws -> (name: String, similar: String?) {
    let name = LearnerName.trimmed(text)
    if try snapshot.learner(named: name) != nil { return (name, nil) }
    guard try LearnerName.fault(of: name) == nil || snapshot.isKnown(learnerNamed: name) else {
      throw NavigationError.unusableName(name: text)
    }
    return (name, LearnerName.similar(to: name, among: try snapshot.knownNames()).first)
  }

  /// Checks a name that no learner has yet.
  ///
  /// - Parameter names: The names of the known learners.
  /// - Throws: ``NavigationError/unusableName(name:)``, ``NavigationError/similarName(name:known:)``.
  package static func checkNew(_ name: String, besides names: some Sequence<String>) throws {
    guard LearnerName.fault(of: name) == nil else { throw NavigationError.unusableName(name: name) }
    if let known = LearnerName.similar(to: name, among: names).first {
      throw NavigationError.similarName(name: name, known: known)
    }
  }

  /// Returns the name of a class, without white space at its ends.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``.
  package static func className(_ text: String) throws(NavigationError) -> String {
    let name = LearnerName.trimmed(text)
    guard LearnerName.characterFault(of: name) == nil else { throw .unusableName(name: text) }
    return name
  }

  /// Returns the learner of this service, and creates it if it is missing.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``, ``NavigationError/similarName(name:known:)``.
  func makeLearner(in transaction: StoreTransaction, at moment: Timestamp) throws -> Learner {
    if let known = try transaction.snapshot.learner(named: learner) { return known }
    return try transaction.makeLearner(named: Self.checked(learner, in: transaction.snapshot), at: moment)
  }
}
