import Answers
import ArgumentParser
import Foundation
import LearningModel
import NavigationKit

/// `waymark-server class`: creates and lists classes of learners.
struct ClassCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "class",
    abstract: "Create, list and remove classes, and change their members.",
    discussion: "Example:\n  waymark-server class add 7b\n  waymark-server class join 7b ada ben",
    subcommands: [
      ClassAddCommand.self, ClassListCommand.self, ClassRemoveCommand.self, ClassJoinCommand.self,
      ClassLeaveCommand.self,
    ])
}

/// `waymark-server class add CLASS`.
struct ClassAddCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Create a class.", discussion: "Example:\n  waymark-server class add 7b")

  @OptionGroup var hub: HubOption
  @Argument(help: "The name of the class.") var name: String

  func perform() throws {
    let isNew = try hub.store().addClass(name, at: Timestamp(date: Date()))
    Output.line(isNew ? "Created the class \(name)." : "The class \(name) already exists.")
  }
}

/// `waymark-server class list`.
struct ClassListCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the classes with their members.",
    discussion: "Example:\n  waymark-server class list --format json")

  @OptionGroup var hub: HubOption
  @OptionGroup var list: ListOption

  func perform() throws {
    let store = try hub.store()
    try store.noteAudit(command: "class list", at: Timestamp(date: Date()))
    try list.format.print(
      store.classes(), fields: CSVColumns.classes,
      columns: [
        ("class", { $0.name }), ("created", { "\($0.createdAt)" }),
        ("members", { "\($0.members.count): \($0.members.joined(separator: ", "))" }),
      ], whenEmpty: "No classes yet. Create one with 'waymark-server class add NAME'.")
  }
}

/// `waymark-server class remove CLASS`.
struct ClassRemoveCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a class. Its members and their data are kept.",
    discussion: "Example:\n  waymark-server class remove 7b")

  @OptionGroup var hub: HubOption
  @Argument(help: "The name of the class.") var name: String

  func perform() throws {
    try hub.store().removeClass(name)
    Output.line("Removed the class \(name). Its members are kept.")
  }
}

/// `waymark-server class join CLASS NAME…`.
struct ClassJoinCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Add learners to a class.",
    discussion: "Example:\n  waymark-server class join 7b ada ben")

  @OptionGroup var hub: HubOption
  @Argument(help: "The name of the class.") var name: String
  @Argument(help: "The names of the learners. A name that is not similar to another one may be new.") var learners:
    [String]

  func perform() throws {
    let (store, now) = (try hub.store(), Timestamp(date: Date()))
    try store.find(name)
    let names = try store.knownNames()
    for learner in learners.map(LearnerName.trimmed) where !names.contains(learner) {
      let nearest = FuzzyMatch.nearest(to: learner, among: names)
      guard nearest.isEmpty else { throw HubError.similarLearner(learner, className: name, nearest: nearest) }
    }
    for (learner, isNew) in zip(learners, try store.join(learners, toClass: name, at: now)) {
      Output.line(isNew ? "Added \(learner) to the class \(name)." : "\(learner) is already in the class \(name).")
    }
  }
}

/// `waymark-server class leave CLASS NAME…`.
struct ClassLeaveCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "Remove learners from a class. Their data is kept.",
    discussion: "Example:\n  waymark-server class leave 7b ben")

  @OptionGroup var hub: HubOption
  @Argument(help: "The name of the class.") var name: String
  @Argument(help: "The names of the learners.") var learners: [String]

  func perform() throws {
    try hub.store().leave(learners, fromClass: name)
    for learner in learners { Output.line("Removed \(learner) from the class \(name).") }
  }
}
