import Foundation
import TestSupport

/// Models that Apple's tools wrote or used: sources, compiled ones, and stores that keep theirs.
enum FixtureModels {
    static var sources: [String] {
        guard let root = Fixtures.root, let names = FileManager.default.enumerator(atPath: root.path) else { return [] }
        return names.compactMap { $0 as? String }
            .filter { $0.hasSuffix(".xcdatamodel/contents") }
            .map { ($0 as NSString).deletingLastPathComponent }
            .sorted()
    }

    static var stores: [String] { FixtureStore.all.filter { $0.model == nil }.map(\.path) }

    static var all: [String] { sources + stores + Fixtures.files(withExtensions: "mom") }
}
