/// Every behaviour of the checklist in a few words, by number: the traces last.
///
/// After `→` stands what takes the place of something that a terminal, or this library's types, cannot have.
enum Checklist {
  static let behaviours: [(number: String, words: String)] = text.split(separator: "\n").compactMap { line in
    let parts = line.split(separator: " ", maxSplits: 1)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  private static let text = """
    S0.1 animation controller, interaction controller, provider, context and coordinator are five roles
    S0.2 stack, tabs, presentation and any container of one's own can be customised
    S0.3 an animator needs a duration and an animation; to hear of the end is optional
    S0.4 the container asks the duration, starts the animation and tells its end
    S0.5 the container makes the context; an animator receives it
    S0.6 a foreign container's own context serves every animator
    S0.7 an animator needs nothing but the context
    S0.8 a context refuses an old layer that lies in no container
    S0.9 the container layer is the old layer's superlayer
    S0.10 the presentation style in a container is custom
    S0.11 the context knows both screens → two properties take the place of keys
    S0.12 a higher index means going right
    S0.13 the travel is a width, against the direction
    S0.14 the old screen goes from the bounds to the travel
    S0.15 the new screen comes from the other side to the bounds
    S0.16 any screen but the old one gets the frames of the new one
    S0.17 animated and interactive are the container's to set
    S0.18 nothing is cancelled before a hand cancels
    S0.19 a completion runs with the flag it is given; without one nothing happens
    S0.20 a second completion is reported and ignored
    S0.21 without a hand updates do nothing, finish and cancel only set the flag
    S0.22 parent calls, choice of the animator, context, completion, animation: in this order
    S0.23 the new layer has the container's bounds first
    S0.24 old layer away, old screen away, new screen told, animator told, input back: in this order
    S0.25 the new screen hears of its move only at the end
    S0.26 selecting the selected, or before there is a layer, starts nothing
    S0.27 the first screen comes without animator or context
    S0.28 a container needs a screen, and keeps a copy of the list → a typed error
    S0.29 selecting nothing is refused → the type admits no nil; what is no child is a typed error
    S0.30 the first screen is selected when the container loads
    S0.31 selecting a screen that is no child is refused → a typed error
    S0.32 the switcher of the article's container is off on the way, and on after either end
    S0.33 the switcher shows what is selected
    S0.34 the delegate is weak and owes nothing
    S0.35 only a user's selection is told to the delegate
    S0.36 the animator is asked for once, with both screens
    S0.37 without an answer the container's own animator runs
    S0.38 the default animator: 1 s, damping 0.75, velocity 0.5, gap 16
    S0.39 the default animator slides and fades by a width and the gap
    S0.40 both layers end with identity transform and full opacity
    S0.41 an animator completes with whether it was not cancelled
    S0.42 without places to go by, the default animator goes one way
    S0.43 the first animator of the earlier issue runs unchanged
    S0.44 without an animator a switch is at once, with the same calls
    S0.45 own gesture, then the delegate's, then none
    S0.46 with an interaction controller it is interactive
    S0.47 the interaction controller is started in place of the animation
    S0.48 an update is limited, shows its share of the time and is forwarded
    S0.49 finish goes on from where it is held
    S0.50 cancel runs back to the start, then completes
    S0.51 the completion speed is 1 unless set
    S0.52 a cancel leaves the selection and takes the new layer away
    S0.53 a cancel undoes containment fully
    S0.54 the article's gesture: half the translation, a fifth decides
    S0.55 let go before the start counts at the start
    S1.1 a source says its element, its layer and frame, and sets up both looks
    S1.2 a source may give a duration and hear of start and end
    S1.3 a target says its elements and frames, and may hear of start and end
    S1.4 an animator exists where source and target match
    S1.5 none where the old screen is no source
    S1.6 none where the new screen is no target
    S1.7 none where they do not match
    S1.8 none leaves the stack's own transition
    S1.9 the animator keeps neither end alive
    S1.10 the order in which both ends are asked
    S1.11 layer and frames are read before anybody hides anything
    S1.12 last look and last frame are set within the animation
    S1.13 source, target, moving layer, completion: the order of the end
    S1.14 what is not implemented is left out
    S1.15 the source's duration comes first
    S1.16 a source layer in use is reported
    S1.17 any layer may move
    S1.18 the moving layer is there between start and end only
    S1.19 the original is hidden on the way and seen afterwards
    S1.20 completion is always called
    S1.21 a cancelled match says so
    S1.22 push and pop ask alike
    S1.23 a presentation matches from the screen that asks for it
    S1.24 a pop matches from the popped to the revealed screen
    S1.25 a new pair only conforms
    S1.26 lists lead down by push and up by pop
    S1.27 the key of a match is any hashable value
    S1.28 both ways look the element up when they begin
    S1.29 a missing element leaves the plain transition, and nothing hidden
    S1.30 two of one identity are reported, and the state changes
    S2.1 the model is final at once, the presentation moves
    S2.2 ease in and out by default; no duration is at once
    S2.3 the completion runs once, at once where nothing changes
    S2.4 with animations off blocks are not animated, and what runs goes on
    S2.5 without-animation blocks nest
    S2.6 springs overshoot below damping 1
    S2.7 a duration spring is over exactly at its duration
    S2.8 keyframes are collected with their parts
    S2.9 a part is a fraction of the whole → outside 0…1 it is cut off and reported
    S2.10 a keyframe builds on those before → outside a keyframe animation there is no way to write one
    S2.11 the whole completes once
    S2.12 presentations, tabs, stacks and layout to layout can be customised
    S2.13 both presentation styles can
    S2.14 full screen takes the presenter's layer away
    S2.15 custom leaves the presenter's layer and appearance
    S2.16 the presented screen's provider is asked
    S2.17 selecting a tab asks for an animator
    S2.18 push, pop and setting the screens do
    S2.19 a collection pushed on one of the same items goes layout to layout
    S2.20 and back
    S2.21 the seven steps are in order
    S2.22 screens and layers agree before and after
    S2.23 without animation only the fifth step is missing
    S2.24 the context tells container, screens and frames
    S2.25 a wrong end state is reported
    S2.26 completion must come, also after a cancel
    S2.27 the library makes the contexts of its containers
    S2.28 the duration serves to keep others in time
    S2.29 an animator adds the new layer, animates, completes
    S2.30 an interaction controller may do without the animator
    S2.31 the end is told with the completion's flag
    S2.32 new on top when going on, below when going back
    S2.33 both screens end in their places
    S2.34 a presented screen's provider vends all four controllers → one role, the operation says which
    S2.35 a stack's provider vends both
    S2.36 a tab's provider vends both
    S2.37 a hand is asked for only with an animator
    S2.38 without an animator the library's own runs
    S2.39 an interaction controller must start; speed and curve are optional
    S2.40 it is started first, and starts the animator itself
    S2.41 the container starts it, never the gesture
    S2.42 any animator can be driven by percent
    S2.43 duration, percent, speed and curve can be read
    S2.44 under a hand time is linear
    S2.45 a finish takes the time that is left, by the speed
    S2.46 a cancel takes the time that has passed, by the speed
    S2.47 the completion curve shapes the rest
    S2.48 a speed of 0 or less is refused → reported and ignored
    S2.49 calls outside the interaction are reported and ignored
    S2.50 a transition may begin by itself and be grabbed
    S2.51 willAppear may be followed by willDisappear
    S2.52 whoever takes part has a coordinator, others have none
    S2.53 the coordinator tells all about the transition
    S2.54 initiallyInteractive stays, isInteractive ends
    S2.55 the coordinator is there in willAppear
    S2.56 the end of the interaction is told once, each change every time
    S2.57 a cancel is told before appearances turn round
    S2.58 what willAppear did can be undone
    S2.59 alongside animations share time, curve and end
    S2.60 also in layers outside
    S2.61 after the end nothing joins, and order is kept
    S2.62 the default animation has a coordinator too
    S2.63 the coordinator can be had right after the call
    S2.64 its completion is the hook for "afterwards"
    S3.1 every screen can switch two children with a block
    S3.2 both must be its children
    S3.3 the method adds the new layer and takes the old one away
    S3.4 adding the layer first is reported
    S3.5 the order of the calls around it
    S3.6 a child of another parent leaves that first
    S3.7 willMove(nil) comes before the removal, didMove(nil) with it
    S3.8 didMove comes after the transition
    S3.9 didMove before it is reported
    S3.10 without animation: remove, then add
    S3.11 no duration is no animation
    S3.12 there is always a child
    S3.13 duration 0 is at once, with the same calls
    S3.14 block and completion may be missing
    S3.15 the new layer keeps the frame it was given
    S3.16 layout in the block counts
    S3.17 the fade of the article
    S3.18 the slide of the article
    S3.19 the turn of the article → about the vertical axis, one page after the other
    S3.20 a screen can be shown again
    S3.21 each appearance call comes once
    S3.22 going round leaves one child and one layer
    S3.23 a second switch completes the first
    S3.24 removing what has no parent does nothing
    S4.1 the animator is asked for with operation and screens
    S4.2 but only where it is animated
    S4.3 one object may serve push and pop
    S4.4 the duration serves the bar
    S4.5 the library adds no motion of its own
    S4.6 the end is told once
    S4.7 two members are enough
    S4.8 the fade of the article
    S4.9 the old layer may be taken away by the animator or not
    S4.10 one duration for both
    S4.11 a completion that never comes is called for
    S4.12 providers are held weakly
    S4.13 a provider that is gone is none, and reported
    S4.14 screens need no change
    S4.15 a plain transition needs no other role
    S4.16 the new screen does not flash before the first frame
    S4.17 the bar goes along, and back on a cancel
    X.1 appearance is a state machine, and what cannot be is reported
    X.2 a push that is interrupted by a pop is completed first
    X.3 anything may begin at any time
    X.4 pop at the root, push of what is there, pop to what is not
    X.5 setting the screens is one transition, by where the new top was
    X.6 nothing is left of a transition
    X.7 less motion, the same calls
    X.8 the same route twice goes on once
    T1 push
    T2 pop
    T3 push without animation
    T4 pop by hand, finished
    T5 pop by hand, cancelled
    T6 switch in a custom container
    T6b switch with a block
    T7 presentation
    T8 an operation during a transition
    T9 to the root
    T10 setting the screens
    """
}
