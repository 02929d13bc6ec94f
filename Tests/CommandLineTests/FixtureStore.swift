import Foundation
import TestSupport
import Testing

/// A store that Apple's framework wrote, and how the command gets its model.
struct FixtureStore: CustomTestStringConvertible, Sendable {
    let path: String
    /// A model file for stores that keep none themselves.
    let model: String?

    var testDescription: String { path }

    /// Stores of old frameworks, which keep no model.
    private static let models = [
        "docset/docSet.dsidx": "docset/docSet.mom",
        "surfjournal-wal/SurfJournalModel.sqlite": "surfjournal-wal/SurfJournalDatabase.xcdatamodeld",
    ]
    /// Stores whose model was never published.
    private static let withoutModel: Set<String> = [
        "apple-sample-coredatabooks/CoreDataBooks.CDBStore", "plaso/kik.sqlite",
    ]

    static var all: [FixtureStore] {
        Fixtures.stores.filter { !withoutModel.contains($0) }.map { FixtureStore(path: $0, model: models[$0]) }
    }

    /// All stores, those whose model was never published too.
    static var everyStore: [FixtureStore] {
        Fixtures.stores.map { FixtureStore(path: $0, model: models[$0]) }
    }

    static var unreadable: [String] { Fixtures.stores.filter(withoutModel.contains) }

    /// The arguments that name the model.
    func modelArguments() throws -> [String] {
        try model.map { ["--model", try Fixtures.url($0).path] } ?? []
    }
}
