public import ArgumentParser
public import LearningModel

// The words of the model that can be given as arguments; the parser lists them in help and in errors.

extension ContentKind: ExpressibleByArgument {}

extension PlaceKind: ExpressibleByArgument {}

extension NavigationOperation: ExpressibleByArgument {}

extension NavigationCause: ExpressibleByArgument {}

extension TransitionKind: ExpressibleByArgument {}
