import LearningModel
import NavigationKit
import Testing

struct PlaceNameTests {
  @Test func `a place name is created from a literal, an interpolation, a path, a card or a step`() throws {
    let (_, ada) = try NavigationFixture.withService()
    let goal = "meetings"
    let page = try ada.places.page(of: "english/\(goal)")
    let names: [PlaceName] = [
      "english/meetings", "english/\(goal)", PlaceName(PlacePath("english/meetings")), PlaceName(page.summary),
      PlaceName(page.place), .place(page.place.place),
    ]

    let places = try names.map { try ada.places.named($0) }

    #expect(places.allSatisfy { $0 == page.place })
  }

  @Test func `a path is absolute, and a text can also be the slug of a child`() throws {
    let (_, ada) = try NavigationFixture.withService()
    try ada.perform(.open("english"))

    #expect(try ada.predict(.push("meetings")).to.path == PlacePath("english/meetings"))
    #expect(throws: NavigationError.unknownPlace(name: "meetings", nearest: [])) {
      do throws(NavigationError) {
        _ = try ada.predict(.push(PlaceName(PlacePath("meetings"))))
      } catch {
        // The suggested paths depend on the search, so they are left out of the comparison.
        guard case .unknownPlace(let name, _) = error else { throw error }
        throw NavigationError.unknownPlace(name: name, nearest: [])
      }
    }
  }

  @Test(
    arguments: [
      (.push("a/b"), "push a/b"), (.open(PlaceName(PlacePath("a"))), "open a"), (.select(.place(.root)), "select /"),
      (.popTo(.place(.node(NodeID(rawValue: 12)))), "popTo place 12"), (.next, "next"), (.popToRoot, "popToRoot"),
    ] as [(NavigationRequest, String)])
  func `a request is described by its operation and its place`(request: NavigationRequest, description: String) {
    #expect("\(request)" == description)
  }

  @Test func `a transition is described by its kind and direction`() {
    let choice = TransitionChoice(kind: .lessonCard, direction: .down, reason: .matched, node: nil)

    #expect("\(choice)" == "lessonCard, down")
    #expect("\(TransitionChoice.crossFade)" == "crossFade")
    #expect("\(NavigationOperation.other("hop")) \(NavigationOperation.popToRoot)" == "hop popToRoot")
  }
}
