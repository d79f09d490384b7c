#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A programming error that the library has reported and recovered from.
public enum ScreenIssue: Hashable, Sendable, CustomStringConvertible {
  /// Appearance calls came in an invalid order.
  case unbalancedAppearance(screen: String, state: AppearanceState, call: AppearanceCall)
  /// A transition was completed twice. The second call was ignored.
  case completedTwice(transition: String)
  /// A cancelled transition was completed with `true`. It stays cancelled.
  case completedAgainstCancel(transition: String)
  /// A transition was not completed within its time, so the library completed it.
  case neverCompleted(transition: String, after: Double)
  /// The animations of a transition took longer than the duration that its animator reported. They were ended.
  case ranTooLong(transition: String, expected: Double, after: Double)
  /// An interaction controller started a transition but never updated or ended it. The transition then ran by itself.
  case neverDriven(transition: String, after: Double)
  /// At the end of a transition, a layer was missing or did not have the frame that its context determines, or layers
  /// of the animator were left over.
  case wrongEndState(transition: String, found: String)
  /// An interactive transition received a call that is not possible in its state.
  case notInteractive(call: String)
  /// A completion speed was not greater than 0.
  case badCompletionSpeed(Double)
  /// A keyframe exceeded 0…1. It was shortened.
  case keyframeOutsideAnimation(start: Double, duration: Double)
  /// Two elements of one screen had the identity of a matched transition.
  case ambiguousMatch(id: String)
  /// The moving layer of a matched transition already had a superlayer.
  case sourceLayerInUse(screen: String)
  /// The target layer of a matched transition already had a superlayer. The element keeps the look of its source.
  case targetLayerInUse(screen: String)
  /// `didMove(to:)` was called before the transition ended.
  case movedTooEarly(screen: String)
  /// A provider was released while it was set. Providers are held weakly; keep a strong reference to it.
  case providerReleased(screen: String)
  /// A provider returned an interaction controller that was driving another transition. This transition runs without
  /// it.
  case interactionControllerInUse(transition: String)
  /// The duration of an animator was negative or not finite. 0 is used instead.
  case badDuration(Double, transition: String)
  /// A layer was added to itself or to one of its own sublayers.
  case layerInItself(layer: String)
  /// A container's own context does not fulfil a requirement of ``TransitionContext``.
  case badContext(transition: String, found: String)
  /// A container refused an operation in a call that cannot throw.
  case refused(ContainmentError)

  /// The problem and its remedy, as one line of text.
  public var description: String {
    switch self {
    case .unbalancedAppearance(let screen, let state, let call):
      "Could not \(call) the appearance of '\(screen)' at its container: it is \(state). "
        + "Call begin and end in pairs, and let transitions add the layers."
    case .completedTwice(let transition):
      "Could not complete '\(transition)' at its context: it is complete already. Call completeTransition once."
    case .completedAgainstCancel(let transition):
      "Could not complete '\(transition)' at its context: it was cancelled. "
        + "Call completeTransition(!context.transitionWasCancelled)."
    case .neverCompleted(let transition, let seconds):
      "Could not wait for '\(transition)' at its context: nothing after \(seconds) seconds. "
        + "Call completeTransition when the animation is over."
    case .ranTooLong(let transition, let expected, let seconds):
      "Could not wait for '\(transition)' at its animator: it said \(expected) seconds, "
        + "and still moves after \(seconds). Return the time of its animations from transitionDuration."
    case .neverDriven(let transition, let seconds):
      "Could not wait for '\(transition)' at its interaction controller: it was told nothing for \(seconds) seconds. "
        + "Vend one while a hand pulls, and nil otherwise."
    case .wrongEndState(let transition, let found):
      "Could not leave '\(transition)' as it was at its end: found \(found). "
        + "End at the frames that the context gives, and take away the layers you added."
    case .notInteractive(let call):
      "Could not \(call) the transition at its interaction controller: it is not interactive now. "
        + "Call it between the start and the end of the interaction."
    case .badCompletionSpeed(let speed):
      "Could not set the completion speed '\(speed)' at its interaction controller: it must be above 0. "
        + "Use 1 for the animator's own speed."
    case .keyframeOutsideAnimation(let start, let duration):
      "Could not place the keyframe '\(start) + \(duration)' at its animation: it lies outside 0…1. "
        + "Give start and duration as fractions of the whole."
    case .ambiguousMatch(let id):
      "Could not match '\(id)' at the transition: two elements have it. Give each element an identity of its own."
    case .sourceLayerInUse(let screen):
      "Could not move the source layer of '\(screen)' at the transition: it is in another layer. "
        + "Return a layer of its own, for example a snapshot."
    case .targetLayerInUse(let screen):
      "Could not fade to the target layer of '\(screen)' at the transition: it is in another layer. "
        + "Return a layer of its own, for example a snapshot."
    case .movedTooEarly(let screen):
      "Could not accept the move of '\(screen)' at its container: its transition still runs. "
        + "Call didMove(to:) after the transition."
    case .providerReleased(let screen):
      "Could not ask the provider of transitions at '\(screen)': it is gone. Keep it, or set it nil."
    case .interactionControllerInUse(let transition):
      "Could not drive '\(transition)' at its interaction controller: that drives another transition. "
        + "Vend one for each container."
    case .badDuration(let seconds, let transition):
      "Could not take '\(seconds)' at the animator of '\(transition)': it is no number of seconds. "
        + "Return 0 or more from transitionDuration."
    case .layerInItself(let layer):
      "Could not add the layer '\(layer)' at its place: that lies within it. Add it to a layer outside."
    case .badContext(let transition, let problem):
      "Could not run '\(transition)' at its container's own context: \(problem). "
        + "Do what TransitionContext asks, or let transition(from:to:operation:) make the context."
    case .refused(let error): error.description
    }
  }
}

/// A call of a screen's appearance methods.
public enum AppearanceCall: Hashable, Sendable, CustomStringConvertible {
  /// `beginAppearance(true, …)`.
  case beginAppearing
  /// `beginAppearance(false, …)`.
  case beginDisappearing
  /// `endAppearance()`.
  case end

  /// The call as part of an error message.
  public var description: String {
    switch self {
    case .beginAppearing: "begin"
    case .beginDisappearing: "begin to end"
    case .end: "end"
    }
  }
}

extension ScreenIssue {
  /// Receives the issues of all stages that have no ``StageClock/onIssue``.
  ///
  /// If it is `nil`, a debug build writes each issue as one line to standard error, and a release build discards it.
  @MainActor public static var handler: (@MainActor (ScreenIssue) -> Void)?

  /// Reports the issue to the stage's ``StageClock/onIssue`` or, if that is `nil`, to ``handler``.
  ///
  /// - Parameter stage: The stage on which the issue occurred. If `nil`, the stage that currently handles an event or
  ///   makes a frame.
  @MainActor public func report(on stage: StageClock?) {
    if let handler = (stage ?? StageClock.current)?.onIssue ?? ScreenIssue.handler { return handler(self) }
    #if DEBUG
    let line = Array("ScreenKit: \(description)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    #endif
  }
}

/// The reason why a container refused an operation. Nothing has changed then.
public enum ContainmentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The screens of a transition are not both children of the container.
  case noCommonParent(from: String, to: String, container: String)
  /// The screen is already in the stack.
  case alreadyInStack(screen: String, container: String)
  /// The screen is not in the stack.
  case notInStack(screen: String, container: String)
  /// A stack would become empty.
  case emptyStack(container: String)
  /// The screen already presents another one.
  case alreadyPresenting(screen: String, presented: String)
  /// The screen to present already has a parent or is presented.
  case alreadyShown(screen: String)
  /// A tab container has no screen with this index.
  case noSuchChild(index: Int, container: String, count: Int)
  /// The screen is not one of the tabs.
  case noSuchTab(screen: String, container: String)
  /// A tab container was created without screens.
  case emptyTabs(container: String)
  /// Both screens of a transition are the same.
  case sameScreen(screen: String, container: String)
  /// The screen contains its intended container.
  case containsItself(screen: String, container: String)
  /// Another container lists the screen.
  case ownedByContainer(screen: String, container: String)
  /// The screen is presented, so it cannot be a child.
  case presented(screen: String, container: String)

  /// The operation, the cause and the remedy, as one line of text.
  public var description: String {
    switch self {
    case .noCommonParent(let from, let to, let container):
      "Could not switch from '\(from)' to '\(to)' at '\(container)': they are not both its children. "
        + "Add both with addChild first."
    case .alreadyInStack(let screen, let container):
      "Could not push '\(screen)' at '\(container)': it is already in the stack. Pop to it instead."
    case .notInStack(let screen, let container):
      "Could not pop to '\(screen)' at '\(container)': it is not in the stack. Push it instead."
    case .emptyStack(let container):
      "Could not set the screens at '\(container)': the list is empty. Pass at least one."
    case .alreadyPresenting(let screen, let presented):
      "Could not present at '\(screen)': it presents '\(presented)' already. "
        + "Dismiss that, or present from there."
    case .alreadyShown(let screen):
      "Could not present '\(screen)' at its place: it is shown elsewhere. Dismiss or remove it there first."
    case .noSuchChild(let index, let container, let count):
      "Could not select '\(index)' at '\(container)': it has \(count) screens. Count from 0."
    case .noSuchTab(let screen, let container):
      "Could not select '\(screen)' at '\(container)': it is not one of the container's screens. Pass one of them."
    case .emptyTabs(let container):
      "Could not create the tabs at '\(container)': there are no screens. Pass at least one."
    case .sameScreen(let screen, let container):
      "Could not switch from '\(screen)' to itself at '\(container)': both are the same screen. Pass another one."
    case .containsItself(let screen, let container):
      "Could not put '\(screen)' at '\(container)': it contains the container. Pass a screen outside it."
    case .ownedByContainer(let screen, let container):
      "Could not take '\(screen)' from '\(container)': it is one of its screens. Pop or replace it there first."
    case .presented(let screen, let container):
      "Could not put '\(screen)' at '\(container)': it is presented. Dismiss it first."
    }
  }
}

extension Screen {
  /// Runs a block and reports an error in a call that cannot throw. Returns `nil` then.
  func reportingRefusal<T>(_ body: () throws(ContainmentError) -> T?) -> T? {
    do { return try body() } catch {
      ScreenIssue.refused(error).report(on: stage)
      return nil
    }
  }
}
