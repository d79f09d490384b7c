package import LearningModel
import LearningStore

// Names of learners. Existing names remain usable; new names must follow the rules of `LearnerName`.

extension LearnerName {
  /// Returns the name for a service: the name of an existing learner, or a usable new name.
  ///
  /// Reads the database only if the name alone does not determine the result, so that creating a service is cheap.
  ///
  /// - Parameters:
  ///   - name: The name, without white space at its ends.
  ///   - ignoresCase: Whether a learner whose name differs only in case is used if no learner has exactly this name.
  ///   - store: The database.
  /// - Throws: ``NavigationError/unusableName(name:)``.
  static func validated(
    _ name: String, ignoringCase ignoresCase: Bool = false, in store: LearningStore
  ) throws(NavigationError) -> String {
    let isUsable = Self.fault(of: name) == nil
    guard ignoresCase || !isUsable else { return name }
    return try store.typed {
      try store.readLatest { snapshot in
        if try snapshot.isKnown(learnerNamed: name) { return name }
        guard isUsable else { throw NavigationError.unusableName(name: name) }
        let others = try snapshot.knownNames().filter { $0.lowercased() == name.lowercased() }
        return others.count == 1 ? others[0] : name
      }
    }
  }

  /// Returns the name, without white space at its ends, that a learner or an access token can have: a known name or a
  /// usable new one.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``, ``NavigationError/similarName(name:known:)``.
  package static func checked(_ text: String, besides known: [String]) throws(NavigationError) -> String {
    let name = Self.trimmed(text)
    // The bytes are compared, because `==` would treat a name and its decomposed form as equal.
    guard !known.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else { return name }
    guard Self.fault(of: name) == nil else { throw .unusableName(name: name) }
    if let similar = Self.similar(to: name, among: known).first {
      throw NavigationError.similarName(name: name, known: similar)
    }
    return name
  }

  /// Returns the name for a learner from another database, and the name of a known learner that is similar to it, if
  /// any.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``.
  static func accepted(_ text: String, in snapshot: StoreSnapshot) throws -> (name: String, similar: String?) {
    let name = Self.trimmed(text)
    if try snapshot.learner(named: name) != nil { return (name, nil) }
    guard try Self.fault(of: name) == nil || snapshot.isKnown(learnerNamed: name) else {
      throw NavigationError.unusableName(name: text)
    }
    return (name, Self.similar(to: name, among: try snapshot.knownNames()).first)
  }

  /// Returns the name of a class without white space at its ends.
  ///
  /// - Throws: ``NavigationError/unusableName(name:)``.
  package static func className(_ text: String) throws(NavigationError) -> String {
    let name = Self.trimmed(text)
    guard Self.characterFault(of: name) == nil else { throw .unusableName(name: text) }
    return name
  }
}
