import LearningModel
import NavigationService

extension LearnerChoice {
  /// Records in the audit of a served database that the data of other learners is read. Must be called before the read.
  ///
  /// - Parameter scope: The learners whose data is read.
  func noteRead(of scope: LearnerScope, by service: NavigationService) throws {
    let learner: String?
    switch scope {
    case .own: return
    case .everyone: learner = nil
    case .named(let name) where name == ProgramEnvironment.current.learnerName: return
    case .named(let name): learner = name
    }
    let words = CommandLine.arguments.dropFirst().prefix { !$0.hasPrefix("-") }.prefix(2)
    try service.noteAuditIfServed(command: words.joined(separator: " "), of: learner)
  }
}
