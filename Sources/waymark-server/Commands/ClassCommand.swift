import Answers
import ArgumentParser
import Foundation
import LearningModel
import NavigationKit

/// `waymark-server class`: creates and lists classes of learners.
struct ClassCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "class",
    abstract: "Make classes, and say who is in them.",
    discussion: "Example:\n  waymark-server class add 7b\n  waymark-server class join 7b ada ben",
    subcommands: [
      ClassAddCommand.self, ClassListCommand.self, ClassRemoveCommand.self, ClassJoinCommand.self,
      ClassLeaveCommand.self,
    ])
}

/// `waymark-server class add CLASS`.
struct ClassAddCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Make a class.", discussion: "Example:\n  waymark-server class add 7b")

  @OptionGroup var hub: HubOption
  @Argument(help: "What it is called.") var name: String

  func perform() throws {
    let isNew = try hub.store().addClass(name, at: Timestamp(date: Date()))
    Output.line(isNew ? "Made the class \(name)." : "There is a class \(name) already.")
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
      store.classes(), fields: Fields.classes,
      columns: [
        ("class", { $0.name }), ("made", { "\($0.createdAt)" }),
        ("members", { "\($0.members.count): \($0.members.joined(separator: ", "))" }),
      ], whenEmpty: "There is no class yet. Make one with 'waymark-server class add NAME'.")
  }
}

/// `waymark-server class remove CLASS`.
struct ClassRemoveCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Take a class away. Its members and what they did stay.",
    discussion: "Example:\n  waymark-server class remove 7b")

  @OptionGroup var hub: HubOption
  @Argument(help: "The class.") var name: String

  func perform() throws {
    try hub.store().removeClass(name)
    Output.line("Took the class \(name) away; its members stay.")
  }
}

/// `waymark-server class join CLASS NAME…`.
struct ClassJoinCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Bring learners into a class.",
    discussion: "Example:\n  waymark-server class join 7b ada ben")

  @OptionGroup var hub: HubOption
  @Argument(help: "The class.") var name: String
  @Argument(help: "The learners' names; they need not have been here yet.") var learners: [String]

  func perform() throws {
    let (store, now) = (try hub.store(), Timestamp(date: Date()))
    for learner in learners {
      let isNew = try store.join(learner, toClass: name, at: now)
      Output.line(isNew ? "\(learner) is in the class \(name)." : "\(learner) was in the class \(name) already.")
    }
  }
}

/// `waymark-server class leave CLASS NAME…`.
struct ClassLeaveCommand: ServerCommand {
  static let configuration = CommandConfiguration(
    commandName: "leave", abstract: "Take learners out of a class. What they did stays.",
    discussion: "Example:\n  waymark-server class leave 7b ben")

  @OptionGroup var hub: HubOption
  @Argument(help: "The class.") var name: String
  @Argument(help: "The learners' names.") var learners: [String]

  func perform() throws {
    let store = try hub.store()
    for learner in learners {
      try store.leave(learner, fromClass: name)
      Output.line("\(learner) is not in the class \(name) any more.")
    }
  }
}
