// swift-tools-version: 6.1
import PackageDescription

// A user's package: each file imports Foundation and CoreData and uses the names that both have, in each language mode.
let package = Package(
    name: "ClashingNames",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenCoreData", path: "../../..")],
    targets: [
        .executableTarget(
            name: "ClashingNames",
            dependencies: [.product(name: "CoreData", package: "OpenCoreData")]
        )
    ],
    swiftLanguageModes: [Context.environment["CLASHING_NAMES_SWIFT"] == "5" ? .v5 : .v6]
)
