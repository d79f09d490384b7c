public import ArgumentParser
public import NavigationService

// The words of the history that can be given as arguments.

extension StatisticsGroup: ExpressibleByArgument {}

extension HistoryCursor: ExpressibleByArgument {
  /// Reads the written form.
  public init?(argument: String) {
    self.init(argument)
  }
}
