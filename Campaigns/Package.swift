// swift-tools-version: 6.1
import PackageDescription

/// The project's package-level interface is reached under its name, which is that of its folder.
let project =
    Context.packageDirectory.split(separator: "/").dropLast().last.map { folder in
        String(folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
    } ?? ""

let package = Package(
    name: "Campaigns",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "campaign", targets: ["campaign"]),
        // Loaded into processes whose system calls shall fail.
        .library(name: "FaultInjection", type: .dynamic, targets: ["FaultInjection"]),
    ],
    dependencies: [
        .package(name: "OpenCoreData", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .target(name: "FaultInjection"),
        .target(name: "SanitizerSupport"),
        .target(name: "ProcessShims"),
        .target(name: "CampaignCore", dependencies: ["ProcessShims"], packageAccess: false),
        // The same sources as the project's own tests use.
        .target(
            name: "TestSupport", dependencies: [.product(name: "OpenCoreData", package: "OpenCoreData")],
            packageAccess: false),
        .executableTarget(
            name: "campaign",
            dependencies: [
                "CampaignCore", "ProcessShims", "SanitizerSupport", "TestSupport",
                .product(name: "OpenCoreData", package: "OpenCoreData"),
                .product(name: "OpenCoreDataKit", package: "OpenCoreData"),
                .product(name: "CoreDataMonk", package: "OpenCoreData"),
                .product(name: "THRCoreData", package: "OpenCoreData"),
                .product(name: "CoreDataCandy", package: "OpenCoreData"),
                .product(name: "BNRCoreDataStack", package: "OpenCoreData"),
                .product(name: "Sticky", package: "OpenCoreData"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            packageAccess: false),
        .testTarget(
            name: "CampaignTests", dependencies: ["CampaignCore", "campaign"], exclude: ["Kept"], packageAccess: false),
    ],
    swiftLanguageModes: [.v6]
)

// Histories of the campaign kit on a PostgreSQL server.
if Context.environment["CAMPAIGN_POSTGRESQL"] != nil {
    package.dependencies[0] = .package(name: "OpenCoreData", path: "..", traits: [.defaults, "PostgreSQL"])
    for target in package.targets where target.name == "campaign" {
        target.dependencies.append(.product(name: "OpenCoreDataPostgreSQL", package: "OpenCoreData"))
        target.swiftSettings = [.define("CAMPAIGN_POSTGRESQL")]
    }
}

for target in package.targets where !["FaultInjection", "SanitizerSupport", "ProcessShims"].contains(target.name) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
            .enableUpcomingFeature("ExistentialAny"),
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
            .enableUpcomingFeature("MemberImportVisibility"),
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
            .enableUpcomingFeature("InternalImportsByDefault"),
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0461-async-function-isolation.md
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        ]
    if !target.packageAccess {
        target.swiftSettings?.append(.unsafeFlags(["-package-name", project]))
    }
}
