import ScreenKit
import TerminalIO
import TextCanvas

final class Page: Screen {
  override func didLoad() { layer.content = Surface("Page \(title). Enter opens the next one, q quits.") }
  override func handle(_ event: InputEvent) -> Bool {
    guard event == .key(KeyEvent(.enter)), let stack = parent as? StackScreen else { return false }
    stack.push(route: title + "I", animated: true) { Page(title: title + "I") }
    return true
  }
}

let stage = Stage(size: .zero, rootScreen: StackScreen(root: Page(title: "I")))
var compositor = Compositor()
let session = try TerminalSession.open { session, event in
  if case .input(let input, let time) = event { stage.handle(input, at: time) }
  if case .input(.key(KeyEvent(.character("q"))), _) = event { session.close() }
  if case .frameDue(let time) = event { session.present(compositor.compose(stage.tick(at: time), size: session.size)) }
  if case .ending = event { session.close() }
  if let due = stage.nextFrameTime { session.requestFrame(at: max(due, stage.now + 1.0 / 60)) }
}
stage.resize(to: session.size, at: MonotonicClock.now)
session.requestFrame(at: stage.now)
try await session.closed()
