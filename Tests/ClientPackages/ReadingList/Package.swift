// swift-tools-version: 6.1
import PackageDescription

// The model layer of an app that was written for Apple's SwiftData, and a program that uses it. No file of the sources names
// this project. Scripts/check-ported-app compiles them in both language modes and with the settings that apps have.
let package = Package(
    name: "ReadingList",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenCoreData", path: "../../..", traits: ["Macros"])],
    targets: [
        .target(
            name: "ReadingList",
            dependencies: [
                .product(
                    name: "SwiftData", package: "OpenCoreData",
                    condition: .when(platforms: [.linux, .windows, .android]))
            ]),
        .executableTarget(name: "ReadingListProgram", dependencies: ["ReadingList"]),
    ],
    swiftLanguageModes: [.v6]
)
