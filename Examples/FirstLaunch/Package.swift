// swift-tools-version: 6.1
import PackageDescription

// A notebook on the command line, with two ways to see its first launch again.
let package = Package(
    name: "FirstLaunch",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "FirstLaunch",
            dependencies: [.product(name: "Sticky", package: "OpenCoreData")]
        )
    ],
    swiftLanguageModes: [.v6]
)
