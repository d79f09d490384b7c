enum ProgramPart {
  @MainActor static func run(_ options: Options, _ print: (Table) -> Void) throws {}
}
