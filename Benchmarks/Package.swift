// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .executable(name: "benchmark", targets: ["BenchmarkTool"])
    ],
    dependencies: [
        .package(name: "OpenCoreData", path: "..")
    ],
    targets: [
        .target(name: "Bookshelf"),
        .target(name: "RawSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "RawWorkload", dependencies: ["Bookshelf", "RawSQLite"]),
        .target(
            name: "EngineWorkload",
            dependencies: [
                "Bookshelf", .product(name: "OpenCoreData", package: "OpenCoreData"),
                .product(name: "OpenCoreDataKit", package: "OpenCoreData"),
            ]
        ),
        .executableTarget(name: "BenchmarkTool", dependencies: ["Bookshelf", "RawWorkload", "EngineWorkload"]),
        .testTarget(name: "BenchmarkTests", dependencies: ["Bookshelf", "RawWorkload", "EngineWorkload"]),
    ],
    swiftLanguageModes: [.v6]
)

// A peer to compare with, which is fetched and built only on request.
if Context.environment["BENCHMARK_PEERS"] != nil {
    package.dependencies.append(.package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"))
    package.targets.append(
        .target(
            name: "GRDBWorkload", dependencies: ["Bookshelf", .product(name: "GRDB", package: "GRDB.swift")]))
    for target in package.targets where target.name == "BenchmarkTool" {
        target.dependencies.append("GRDBWorkload")
        target.swiftSettings = [.define("BENCHMARK_PEERS")]
    }
}

// Both of the following may be asked for.
var traits: Set<Package.Dependency.Trait> = [.defaults]

// The engine on a PostgreSQL server, beside C over libpq.
if Context.environment["BENCHMARK_POSTGRESQL"] != nil {
    traits.insert("PostgreSQL")
    package.targets += [
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(name: "RawPostgreSQL", dependencies: ["RawSQLite", "CLibPQ"]),
        .target(
            name: "ServerWorkload",
            dependencies: [
                "Bookshelf", "RawWorkload", "RawSQLite", "RawPostgreSQL", "EngineWorkload",
                .product(name: "OpenCoreData", package: "OpenCoreData"),
                .product(name: "OpenCoreDataKit", package: "OpenCoreData"),
                .product(name: "OpenCoreDataPostgreSQL", package: "OpenCoreData"),
            ]),
    ]
    for target in package.targets where target.name == "BenchmarkTool" {
        target.dependencies.append("ServerWorkload")
        target.swiftSettings = (target.swiftSettings ?? []) + [.define("BENCHMARK_POSTGRESQL")]
    }
}

// Models of SwiftData, whose macros bring swift-syntax.
if Context.environment["BENCHMARK_SWIFTDATA"] != nil {
    traits.insert("Macros")
    package.targets.append(
        .target(
            name: "SwiftDataWorkload",
            dependencies: [
                "Bookshelf", .product(name: "OpenCoreData", package: "OpenCoreData"),
                .product(name: "SwiftData", package: "OpenCoreData"),
            ]))
    for target in package.targets where target.name == "BenchmarkTool" {
        target.dependencies.append("SwiftDataWorkload")
        target.swiftSettings = (target.swiftSettings ?? []) + [.define("BENCHMARK_SWIFTDATA")]
    }
}

package.dependencies[0] = .package(name: "OpenCoreData", path: "..", traits: traits)

for target in package.targets where !["RawSQLite", "RawPostgreSQL", "CLibPQ"].contains(target.name) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
            .enableUpcomingFeature("ExistentialAny"),
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
            .enableUpcomingFeature("MemberImportVisibility"),
            // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
            .enableUpcomingFeature("InternalImportsByDefault"),
        ]
}
