import Snapshots
import Testing

@testable import ScreenKit

@Suite struct MessageTests {
  @Test(.checklist("S3.2", "X.1", "S2.48")) func `each issue states what happened and a remedy`() {
    let issues: [ScreenIssue] = [
      .unbalancedAppearance(screen: "B", state: .appeared, call: .beginAppearing),
      .unbalancedAppearance(screen: "B", state: .disappeared, call: .beginDisappearing),
      .completedTwice(transition: "push A → B"),
      .neverCompleted(transition: "push A → B", after: 1.5),
      .completedAgainstCancel(transition: "pop B → A"),
      .ranTooLong(transition: "push A → B", expected: 0.1, after: 1.1),
      .neverDriven(transition: "push A → B", after: 5),
      .badContext(transition: "select A → B", found: "its old layer is not in its container"),
      .wrongEndState(transition: "pop B → A", found: "'A' at 1.0, 0.0, 10.0 × 2.0"),
      .notInteractive(call: "update"),
      .badCompletionSpeed(0),
      .keyframeOutsideAnimation(start: 0.5, duration: 1),
      .ambiguousMatch(id: "z"),
      .sourceLayerInUse(screen: "A"),
      .targetLayerInUse(screen: "B"),
      .movedTooEarly(screen: "B"),
      .providerReleased(screen: "nav"),
      .interactionControllerInUse(transition: "push A → B"),
      .badDuration(-1, transition: "push A → B"),
      .layerInItself(layer: "card"),
      .refused(.noSuchChild(index: 3, container: "tabs", count: 3)),
    ]

    expectSnapshot(issues.map(\.description))
  }

  @Test(.checklist("S3.2", "X.4")) func `each containment error states the request and a remedy`() {
    let errors: [ContainmentError] = [
      .noCommonParent(from: "A", to: "B", container: "box"),
      .alreadyInStack(screen: "A", container: "nav"),
      .notInStack(screen: "A", container: "nav"),
      .emptyStack(container: "nav"),
      .alreadyPresenting(screen: "A", presented: "M"),
      .alreadyShown(screen: "M"),
      .noSuchChild(index: 3, container: "tabs", count: 3),
      .noSuchTab(screen: "X", container: "tabs"),
      .emptyTabs(container: "tabs"),
      .sameScreen(screen: "A", container: "box"),
      .containsItself(screen: "nav", container: "A"),
      .ownedByContainer(screen: "A", container: "nav"),
      .presented(screen: "M", container: "nav"),
    ]

    expectSnapshot(errors.map(\.description))
  }

  @Test func `the motion error states the failure, its reason and a remedy`() {
    expectSnapshot(MotionError.completionSpeedNotPositive(0).description)
  }
}
