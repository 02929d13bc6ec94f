import Foundation
import OpenCoreData
import Testing

/// Random models, objects, predicates and sort orders: SQLite must answer what the evaluator answers.
///
/// `OPENCOREDATA_AGREEMENT_CASES` sets the number of cases, `OPENCOREDATA_AGREEMENT_SEED` the seed. A failure prints the
/// seed of its world and case.
@Suite struct AgreementTests {
    private static let environment = ProcessInfo.processInfo.environment
    static let cases = environment["OPENCOREDATA_AGREEMENT_CASES"].flatMap { Int($0) } ?? 100_000
    static let seed = environment["OPENCOREDATA_AGREEMENT_SEED"].flatMap { UInt64($0) } ?? 20_260_101
    /// Cases run side by side in so many parts.
    static let shards = 4
    private static let casesPerWorld = 500

    @Test(arguments: 0..<shards)
    func answersAreEqual(shard: Int) throws {
        print("Agreement: seed \(Self.seed), part \(shard + 1) of \(Self.shards)")
        var (cases, unanswerable, failures) = (0, 0, 0)
        var worldNumber = UInt64(shard)
        while cases < Self.cases / Self.shards, failures < 5 {
            let worldSeed = Self.seed &+ worldNumber &* 1_000_003
            worldNumber += UInt64(Self.shards)
            var agreement = Agreement(try World(seed: worldSeed))
            if let difference = try agreement.compareContents() {
                failures += 1
                Issue.record("world \(worldSeed): \(difference)")
            }
            for number in 0..<UInt64(Self.casesPerWorld) {
                guard let difference = agreement.check(seed: worldSeed &* 31 &+ number) else { continue }
                failures += 1
                Issue.record("world \(worldSeed), case \(number): \(difference)")
                if failures >= 5 { break }
            }
            if let difference = try RecordedStatements.check("\(worldSeed)", agreement.world.statements) {
                failures += 1
                Issue.record("world \(worldSeed): \(difference)")
            }
            cases += agreement.cases
            unanswerable += agreement.unanswerable
        }
        print("Agreement: part \(shard + 1): \(cases) cases, \(unanswerable) not answerable")
        // Stores that refuse everything would agree, too.
        #expect(unanswerable * 5 < cases)
        #expect(try RecordedStatements.isRecording || RecordedStatements.count() >= 300)
    }
}
