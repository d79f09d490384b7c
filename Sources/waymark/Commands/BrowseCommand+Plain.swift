extension BrowseCommand {
  /// The command without a flag, as the parser would make it; `nil` where there is more to read than a place.
  ///
  /// The parser asks the runtime for the abilities of each flag's type, which takes a quarter of a start. Most starts have no
  /// flag.
  init?(plain arguments: some Collection<String>) {
    guard arguments.count < 2, arguments.allSatisfy({ $0 != "help" && !$0.hasPrefix("-") }) else { return nil }
    self.init()
    do {
      place = try arguments.first.map(Given.place)
    } catch {
      // The parser knows the usage that belongs to what is wrong.
      return nil
    }
    global = .plain
    look = .plain
  }
}

extension GlobalOptions {
  /// What no flag says.
  static var plain: GlobalOptions {
    var options = GlobalOptions()
    options.database = nil
    options.learner = nil
    return options
  }
}

extension BrowserLook {
  /// What no flag says. A property that is missing here is found by the test that compares it with what the parser makes.
  static var plain: BrowserLook {
    var look = BrowserLook()
    look.motion = nil
    look.frameRate = nil
    look.color = nil
    look.theme = nil
    look.layout = nil
    look.symbols = nil
    look.mouse = nil
    look.pictures = nil
    look.linear = false
    look.record = nil
    look.replacing = ReplacingOption()
    look.replacing.force = false
    return look
  }
}
