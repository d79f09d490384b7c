import CoursePages
import ScreenKit
import TextCanvas

/// Asks whether the commands of a course may run. Shows them and what confines them.
@MainActor final class PermissionScreen: SheetScreen {
  /// The number of seconds in which the key that opened the sheet does not allow the commands.
  static let readingTime = 0.5

  private let commands: [String]
  private let consequences: String
  private let onAllow: () -> Void
  private var openedAt = 0.0

  init(
    _ commands: [String], _ consequences: String, context: ScreenContext, source: @escaping () -> CellRect,
    onAllow: @escaping () -> Void
  ) {
    (self.commands, self.consequences, self.onAllow) = (commands, consequences, onAllow)
    super.init(title: "Run the commands of this course?", context: context, source: source)
    openedAt = context.stage.now
  }

  override var role: Role { .warn }

  override func text(width: Int) -> [StyledLine] {
    let theme = drawing.theme
    func paragraph(_ text: String) -> [StyledLine] {
      StyledText(text, style: theme[.foreground]).wrapped(to: width) + [StyledLine()]
    }
    let lines = commands.flatMap {
      StyledText($0, style: theme[.code]).wrapped(to: width, indent: 2, hangingIndent: 4)
    }
    return paragraph("The exercises are checked with these commands:") + lines + [StyledLine()]
      + paragraph(consequences).dropLast()
  }

  override func offer(_ command: Command) -> Offer? {
    guard command == .allow else { return super.offer(command) }
    return Offer("allow", order: -1) { [self] in
      guard context.stage.now - openedAt >= Self.readingTime else { return }
      close()
      onAllow()
    }
  }
}
