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
      "Could not \(call) the appearance of '\(screen)': the screen is \(state). "
        + "Call beginAppearance and endAppearance in pairs, and let transitions add the layers."
    case .completedTwice(let transition):
      "Could not complete '\(transition)': the transition is already complete. Call completeTransition once."
    case .completedAgainstCancel(let transition):
      "Could not complete '\(transition)' as finished: the transition was cancelled. "
        + "Call completeTransition(!context.transitionWasCancelled)."
    case .neverCompleted(let transition, let seconds):
      "Could not wait longer for '\(transition)': it was not completed within \(seconds) seconds. "
        + "Call completeTransition when the animation has ended."
    case .ranTooLong(let transition, let expected, let seconds):
      "Could not wait longer for '\(transition)': its animator reported a duration of \(expected) seconds, "
        + "and layers still move after \(seconds). Return the duration of the animations from transitionDuration."
    case .neverDriven(let transition, let seconds):
      "Could not wait longer for '\(transition)': its interaction controller was not updated for \(seconds) "
        + "seconds. Return an interaction controller only during a gesture, and nil otherwise."
    case .wrongEndState(let transition, let found):
      "Could not keep the layers of '\(transition)' at its end: found \(found). "
        + "End at the frames of the context, and remove the layers that the animator added."
    case .notInteractive(let call):
      "Could not \(call) the transition of an interaction controller: no interaction is running. "
        + "Call the method between the start and the end of an interaction."
    case .badCompletionSpeed(let speed):
      "Could not set the completion speed '\(speed)': the value must be greater than 0. "
        + "Use 1 for the animator's own speed."
    case .keyframeOutsideAnimation(let start, let duration):
      "Could not add the keyframe '\(start) + \(duration)': it exceeds the range 0…1. "
        + "Specify its start and its duration as fractions of the duration of the animation."
    case .ambiguousMatch(let id):
      "Could not match the element '\(id)': two elements of one screen have this identity. Use each identity once."
    case .sourceLayerInUse(let screen):
      "Could not move the source layer of '\(screen)': the layer already has a superlayer. "
        + "Return a separate layer, for example a snapshot."
    case .targetLayerInUse(let screen):
      "Could not fade to the target layer of '\(screen)': the layer already has a superlayer. "
        + "Return a separate layer, for example a snapshot."
    case .movedTooEarly(let screen):
      "Could not accept didMove(to:) of '\(screen)': its transition is still running. "
        + "Call didMove(to:) after the transition."
    case .providerReleased(let screen):
      "Could not use the provider of transitions of '\(screen)': it was released. "
        + "Keep a strong reference to it, or set the property to nil."
    case .interactionControllerInUse(let transition):
      "Could not drive '\(transition)': its interaction controller drives another transition. "
        + "Use one interaction controller for each container."
    case .badDuration(let seconds, let transition):
      "Could not use the duration '\(seconds)' of the animator of '\(transition)': it is negative or not "
        + "finite. Return 0 or more seconds from transitionDuration."
    case .layerInItself(let layer):
      "Could not add the layer '\(layer)': the new superlayer is the layer itself or one of its sublayers. "
        + "Add it to another layer."
    case .badContext(let transition, let problem):
      "Could not run '\(transition)' with the container's own context: \(problem). "
        + "Fulfil the requirements of TransitionContext, or let transition(from:to:operation:) create the context."
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
      "Could not switch from '\(from)' to '\(to)' in '\(container)': not both are children of the container. "
        + "Add both with addChild first."
    case .alreadyInStack(let screen, let container):
      "Could not push '\(screen)' onto '\(container)': it is already in the stack. Pop to it instead."
    case .notInStack(let screen, let container):
      "Could not pop to '\(screen)' in '\(container)': it is not in the stack. Push it instead."
    case .emptyStack(let container):
      "Could not set the screens of '\(container)': the list is empty. Pass at least one screen."
    case .alreadyPresenting(let screen, let presented):
      "Could not present another screen from '\(screen)': it already presents '\(presented)'. "
        + "Dismiss that screen, or present from it."
    case .alreadyShown(let screen):
      "Could not present '\(screen)': it already has a parent or is presented. "
        + "Dismiss it or remove it from its parent first."
    case .noSuchChild(let index, let container, let count):
      "Could not select the screen with the index \(index) in '\(container)': it has \(count) screens. "
        + "The first index is 0."
    case .noSuchTab(let screen, let container):
      "Could not select '\(screen)' in '\(container)': it is not one of the container's screens. Pass one of them."
    case .emptyTabs(let container):
      "Could not create the tabs of '\(container)': there are no screens. Pass at least one screen."
    case .sameScreen(let screen, let container):
      "Could not switch from '\(screen)' to itself in '\(container)': both are the same screen. Pass another screen."
    case .containsItself(let screen, let container):
      "Could not add '\(screen)' to '\(container)': it contains the container. Pass a screen outside of it."
    case .ownedByContainer(let screen, let container):
      "Could not take '\(screen)' from '\(container)': the container lists it. Pop or replace it there first."
    case .presented(let screen, let container):
      "Could not add '\(screen)' to '\(container)': it is presented. Dismiss it first."
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
