#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataPostgreSQL
import Testing

private let serverURL = ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL"]

/// Random models, objects, predicates, sort orders and batches: a store on a server must answer what the evaluator
/// answers.
///
/// `OPENCOREDATA_POSTGRESQL_CASES` sets the number of cases, `OPENCOREDATA_AGREEMENT_SEED` the seed.
@Suite(.enabled(if: serverURL != nil, "needs a PostgreSQL server: Scripts/with-postgres"))
struct PostgreSQLAgreementTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let cases = environment["OPENCOREDATA_POSTGRESQL_CASES"].flatMap { Int($0) } ?? 3_000
    private static let seed = environment["OPENCOREDATA_AGREEMENT_SEED"].flatMap { UInt64($0) } ?? 20_260_201
    private static let casesPerWorld = 250
    /// A long run uses all processors; other tests run beside a short one.
    private static let parts = cases > 10_000 ? max(2, ProcessInfo.processInfo.activeProcessorCount) : 1

    /// Runs a block with a location for a store on the server, and removes the store afterwards.
    private func withLocation(_ body: (ServerLocation) throws -> Void) throws {
        let schema = "agreement_" + UUID().uuidString.lowercased().replacing("-", with: "_")
        let url = try #require(URL(string: (serverURL ?? "") + "?schema=\(schema)"))
        PostgreSQLStore.register()
        defer {
            try? NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
                .destroyPersistentStore(at: url, ofType: PostgreSQLStore.type)
        }
        try body(
            ServerLocation { coordinator in
                let store = try coordinator.addPersistentStore(
                    ofType: PostgreSQLStore.type, configurationName: nil, at: url,
                    options: [NSPersistentStoreConnectionPoolMaxSizeKey: 1])
                return try #require(store as? any RowStore)
            })
    }

    /// Each part has worlds of its own, at the same time as the others.
    @Test(arguments: 0..<Self.parts) func answersAreEqual(_ part: Int) throws {
        var (cases, unanswerable, failures) = (0, 0, 0)
        var number = UInt64(part)
        while cases < Self.cases / Self.parts, failures < 5 {
            let seed = Self.seed &+ number &* 1_000_003
            number += UInt64(Self.parts)
            try withLocation { location in
                let world = try World(seed: seed, server: location)
                let server = try #require(world.server)
                defer { server.close() }
                var agreement = Agreement(world, subject: server)
                if let difference = try agreement.compareContents() {
                    failures += 1
                    Issue.record("world \(seed): \(difference)")
                }
                for number in 0..<UInt64(Self.casesPerWorld) {
                    guard let difference = agreement.check(seed: seed &* 31 &+ number) else { continue }
                    failures += 1
                    Issue.record("world \(seed), case \(number): \(difference)")
                    if failures >= 5 { break }
                }
                cases += agreement.cases
                unanswerable += agreement.unanswerable
            }
        }
        if Self.parts > 1 { print("agreement: \(cases) cases in part \(part), \(unanswerable) unanswerable") }
        // Stores that refuse everything would agree, too.
        #expect(unanswerable * 5 < cases)
    }

    @Test func batchesDoTheSame() throws {
        var tally = BatchAgreementTests.Tally()
        for number in 0..<UInt64(max(10, Self.cases / 300)) {
            let seed = Self.seed &+ number &* 7_919
            try withLocation { location in
                let world = try World(seed: seed, server: location) { BatchAgreementTests.makeRules($0, &$1) }
                let server = try #require(world.server)
                defer { server.close() }
                var agreement = Agreement(world, subject: server)
                agreement.comparesVersions = false
                for number in 0..<6 as Range<UInt64> {
                    var batch = RandomBatch(world: world, subject: server, seed: seed &* 31 &+ number)
                    let difference = try batch.run(&tally) ?? agreement.compareContents()
                    if let difference {
                        Issue.record("world \(seed), case \(number): \(batch.text): \(difference)")
                    }
                }
            }
        }
        #expect(tally.deleted > 10 && tally.updated > 10)
    }
}
#endif
