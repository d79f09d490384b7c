// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "miniscreens",
  platforms: [.macOS("15.4")],
  dependencies: [.package(name: "waymark", path: "../../..")],
  targets: [
    .executableTarget(name: "miniscreens", dependencies: [.product(name: "ScreenKit", package: "waymark")])
  ],
  swiftLanguageModes: [.v6]
)
