import Testing

@testable import ScreenKit

@Suite struct MessageTests {
  @Test(
    .checklist("S3.2", "X.1", "S2.48"),
    arguments: [
      (
        ScreenIssue.unbalancedAppearance(screen: "B", state: .appeared, call: .beginAppearing),
        "Could not begin the appearance of 'B' at its container: it is shown. Call begin and end in pairs, and let "
          + "transitions add the layers."
      ),
      (
        .unbalancedAppearance(screen: "B", state: .disappeared, call: .beginDisappearing),
        "Could not begin to end the appearance of 'B' at its container: it is not shown. Call begin and end in pairs, "
          + "and let transitions add the layers."
      ),
      (
        .completedTwice(transition: "push A → B"),
        "Could not complete 'push A → B' at its context: it is complete already. Call completeTransition once."
      ),
      (
        .neverCompleted(transition: "push A → B", after: 1.5),
        "Could not wait for 'push A → B' at its context: nothing after 1.5 seconds. Call completeTransition when the "
          + "animation is over."
      ),
      (
        .completedAgainstCancel(transition: "pop B → A"),
        "Could not complete 'pop B → A' at its context: it was cancelled. Call "
          + "completeTransition(!context.transitionWasCancelled)."
      ),
      (
        .ranTooLong(transition: "push A → B", expected: 0.1, after: 1.1),
        "Could not wait for 'push A → B' at its animator: it said 0.1 seconds, and still moves after 1.1. Return the time "
          + "of its animations from transitionDuration."
      ),
      (
        .neverDriven(transition: "push A → B", after: 5),
        "Could not wait for 'push A → B' at its interaction controller: it was told nothing for 5.0 seconds. Vend one "
          + "while a hand pulls, and nil otherwise."
      ),
      (
        .badContext(transition: "select A → B", found: "its old layer is not in its container"),
        "Could not run 'select A → B' at its container's own context: its old layer is not in its container. Do what "
          + "TransitionContext asks, or let transition(from:to:operation:) make the context."
      ),
      (
        .wrongEndState(transition: "pop B → A", found: "'A' at 1.0, 0.0, 10.0 × 2.0"),
        "Could not leave 'pop B → A' as it was at its end: found 'A' at 1.0, 0.0, 10.0 × 2.0. End at the frames that the "
          + "context gives, and take away the layers you added."
      ),
      (
        .notInteractive(call: "update"),
        "Could not update the transition at its interaction controller: it is not interactive now. Call it between the "
          + "start and the end of the interaction."
      ),
      (
        .badCompletionSpeed(0),
        "Could not set the completion speed '0.0' at its interaction controller: it must be above 0. Use 1 for the "
          + "animator's own speed."
      ),
      (
        .keyframeOutsideAnimation(start: 0.5, duration: 1),
        "Could not place the keyframe '0.5 + 1.0' at its animation: it lies outside 0…1. Give start and duration as "
          + "fractions of the whole."
      ),
      (
        .ambiguousMatch(id: "z"),
        "Could not match 'z' at the transition: two elements have it. Give each element an identity of its own."
      ),
      (
        .sourceLayerInUse(screen: "A"),
        "Could not move the source layer of 'A' at the transition: it is in another layer. Return a layer of its own, "
          + "for example a snapshot."
      ),
      (
        .targetLayerInUse(screen: "B"),
        "Could not fade to the target layer of 'B' at the transition: it is in another layer. Return a layer of its own, "
          + "for example a snapshot."
      ),
      (
        .movedTooEarly(screen: "B"),
        "Could not accept the move of 'B' at its container: its transition still runs. Call didMove(to:) after the "
          + "transition."
      ),
      (
        .providerReleased(screen: "nav"),
        "Could not ask the provider of transitions at 'nav': it is gone. Keep it, or set it nil."
      ),
      (
        .interactionControllerInUse(transition: "push A → B"),
        "Could not drive 'push A → B' at its interaction controller: that drives another transition. Vend one for each "
          + "container."
      ),
      (
        .badDuration(-1, transition: "push A → B"),
        "Could not take '-1.0' at the animator of 'push A → B': it is no number of seconds. Return 0 or more from "
          + "transitionDuration."
      ),
      (
        .layerInItself(layer: "card"),
        "Could not add the layer 'card' at its place: that lies within it. Add it to a layer outside."
      ),
      (
        .refused(.noSuchChild(index: 3, container: "tabs", count: 3)),
        "Could not select '3' at 'tabs': it has 3 screens. Count from 0."
      ),
    ])
  func `each issue states what happened and a remedy`(issue: ScreenIssue, message: String) {
    #expect(issue.description == message)
  }

  @Test(
    .checklist("S3.2", "X.4"),
    arguments: [
      (
        ContainmentError.noCommonParent(from: "A", to: "B", container: "box"),
        "Could not switch from 'A' to 'B' at 'box': they are not both its children. Add both with addChild first."
      ),
      (
        .alreadyInStack(screen: "A", container: "nav"),
        "Could not push 'A' at 'nav': it is already in the stack. Pop to it instead."
      ),
      (
        .notInStack(screen: "A", container: "nav"),
        "Could not pop to 'A' at 'nav': it is not in the stack. Push it instead."
      ),
      (.emptyStack(container: "nav"), "Could not set the screens at 'nav': the list is empty. Pass at least one."),
      (
        .alreadyPresenting(screen: "A", presented: "M"),
        "Could not present at 'A': it presents 'M' already. Dismiss that, or present from there."
      ),
      (
        .alreadyShown(screen: "M"),
        "Could not present 'M' at its place: it is shown elsewhere. Dismiss or remove it there first."
      ),
      (
        .noSuchChild(index: 3, container: "tabs", count: 3),
        "Could not select '3' at 'tabs': it has 3 screens. Count from 0."
      ),
      (
        .noSuchTab(screen: "X", container: "tabs"),
        "Could not select 'X' at 'tabs': it is not one of the container's screens. Pass one of them."
      ),
      (
        .emptyTabs(container: "tabs"),
        "Could not create the tabs at 'tabs': there are no screens. Pass at least one."
      ),
      (
        .sameScreen(screen: "A", container: "box"),
        "Could not switch from 'A' to itself at 'box': both are the same screen. Pass another one."
      ),
      (
        .containsItself(screen: "nav", container: "A"),
        "Could not put 'nav' at 'A': it contains the container. Pass a screen outside it."
      ),
      (
        .ownedByContainer(screen: "A", container: "nav"),
        "Could not take 'A' from 'nav': it is one of its screens. Pop or replace it there first."
      ),
      (
        .presented(screen: "M", container: "nav"),
        "Could not put 'M' at 'nav': it is presented. Dismiss it first."
      ),
    ])
  func `each containment error states the request and a remedy`(error: ContainmentError, message: String) {
    #expect(error.description == message)
  }
}
