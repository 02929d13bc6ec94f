// swift-tools-version: 6.1
import Foundation
import PackageDescription

// Models of real apps, one in each folder Sources/AppModel…, with the classes that the plugin makes of them, and a
// program that uses all of them. Scripts/check-generated-models copies the package and puts the models into the copy.
let sources = URL(fileURLWithPath: Context.packageDirectory).appendingPathComponent("Sources")
let models = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    .filter { $0.hasPrefix("AppModel") && $0 != "AppModels" }.sorted()

let package = Package(
    name: "AppModels",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "OpenCoreData", path: Context.environment["OPENCOREDATA_PACKAGE"] ?? "../../..")],
    targets: models.map { name in
        .target(
            name: name,
            dependencies: ["ModelExercise", .product(name: "OpenCoreData", package: "OpenCoreData")],
            resources: [.copy("Model.xcdatamodel")],
            plugins: [.plugin(name: "GenerateModels", package: "OpenCoreData")]
        )
    } + [
        .target(name: "ModelExercise", dependencies: [.product(name: "OpenCoreData", package: "OpenCoreData")]),
        .executableTarget(name: "AppModels", dependencies: models.map { .byName(name: $0) } + ["ModelExercise"]),
    ],
    swiftLanguageModes: [.v6]
)
