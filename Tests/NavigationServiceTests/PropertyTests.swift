import Foundation
import GRDB
import LearningModel
import LearningStore
import NavigationService
import TestSupport
import Testing

struct PropertyTests {
  @Test(arguments: 1...UInt64(Tier.count(3, long: 10)))
  func `whatever people do and authors edit, the stack is a chain of parents and the logs tell it all`(
    seed: UInt64
  ) throws {
    let desk = try Desk()
    let store = try LearningStore.open(at: desk.database)
    var random = SplitMix64(seed: seed)
    var courses = ["alpha", "beta"].map { EditedCourse(key: $0, random: &random) }
    for course in courses { try course.write(to: store, at: desk.now) }
    let services = try [
      desk.service(session: .browser), desk.service(), desk.service("ben", session: .named("phone")),
    ]

    let count = Tier.count(700, long: 10_000)
    for number in 1...count {
      desk.pass(seconds: Double(random.below(600)) / 10 - (random.below(50) == 0 ? 3600 : 0))
      if random.below(40) == 0 {
        let index = random.below(courses.count)
        courses[index].edit(&random)
        try courses[index].write(to: store, at: desk.now)
      }
      let service = services[random.below(services.count)]
      if random.below(10) == 0 {
        try act(service, &random)
      } else {
        try step(service, &random, store)
      }
      if number.isMultiple(of: 350) {
        let problems = try service.check()
        let whereabouts = try service.whereabouts()
        #expect(whereabouts.pathTaken.last == whereabouts.place)
        #expect(problems == [], "after \(number) steps, seed \(seed)")
      }
    }

    #expect(try services[0].check() == [])
    try desk.write { try $0.execute(sql: "DELETE FROM progress WHERE node % 2 = 0; DELETE FROM placeScore") }
    #expect(try services[0].check().count == 2)
    try services[0].rebuild()
    #expect(try services[0].check() == [])
  }

  private func step(_ service: NavigationService, _ random: inout SplitMix64, _ store: LearningStore) throws {
    let request = try request(&random, at: service.currentPlace().place, store)
    let before = try service.currentStack()

    let predicted = Result { try service.predict(request) }
    let performed = Result { try service.perform(request, cause: .key) }

    switch (predicted, performed) {
    case (.success(let predicted), .success(let step)):
      #expect(predicted.to == step.to && predicted.from == step.from && predicted.stack == step.stack)
      #expect(predicted.transition == step.transition && predicted.note == step.note)
      #expect(step.isPerformed == (predicted.outcome == .predicted), "\(request)")
      try expectChain(step.stack, store)
      let now = try service.currentStack()
      #expect(now == (step.isPerformed ? step.stack : before))
      if step.isPerformed, request == .back {
        let forth = try service.perform(.forward)
        #expect(forth.stack == before)
      }
    case (.failure(let predicted), .failure(let error)):
      #expect("\(predicted)" == "\(error)")
      #expect(try service.currentStack() == before)
    default:
      Issue.record("predicted \(predicted), performed \(performed)")
    }
  }

  private func act(_ service: NavigationService, _ random: inout SplitMix64) throws {
    guard let place = try service.page().children.map(\.place).first(where: { $0.kind == .activity }) else { return }
    let acts: [LearningAct] = [
      .seenToEnd, .markedDone, .markedNotDone, .quizChecked(answers: [[0], [1, 2]], score: 0.5),
      .cardGraded(card: 0, of: 2, known: true), .cardGraded(card: 1, of: 2, known: false),
    ]
    try service.record(acts[random.below(acts.count)], in: .place(place.place))
  }

  private func request(
    _ random: inout SplitMix64, at place: Place, _ store: LearningStore
  ) throws -> NavigationRequest {
    let some = { (nodes: [ContentNode], random: inout SplitMix64) -> PlaceName in
      .place(Place(nodes.randomElement(using: &random)?.id))
    }
    return try store.read { snapshot in
      let all = try snapshot.courses().flatMap { try snapshot.everyNode(of: $0.id) }
      let node = try place.node.flatMap { try snapshot.node($0) }
      switch random.below(14) {
      case 0, 1, 2: return .push(some(try snapshot.children(of: place), &random))
      case 3: return .pop
      case 4: return .popTo(some(try snapshot.chain(to: place.node), &random))
      case 5: return random.below(4) == 0 ? .popToRoot : .pop
      case 6: return .select(some(try snapshot.children(of: Place(node?.parent)), &random))
      case 7, 8: return .next
      case 9: return .previous
      case 10: return .open(some(all, &random))
      case 11: return random.below(3) == 0 ? .push(some(all, &random)) : .back
      case 12: return .back
      default: return random.below(3) == 0 ? .resume : .forward
      }
    }
  }

  private func expectChain(_ stack: [NamedPlace], _ store: LearningStore) throws {
    #expect(stack.first == .root)
    try store.read { snapshot in
      for (above, place) in zip(stack, stack.dropFirst()) {
        let node = try place.place.node.flatMap { try snapshot.node($0) }
        #expect(node?.isRemoved == false && Place(node?.parent) == above.place)
      }
    }
  }
}
