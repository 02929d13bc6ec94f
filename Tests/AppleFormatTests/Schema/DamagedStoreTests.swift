import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Whatever is wrong with the bytes of a store, looking at it gives a result or an error, and the file stays.
@Suite(.enabled(if: Fixtures.available)) struct DamagedStoreTests {
    @Test(arguments: ["coredatastack/TestModel.sqlite", "coredataplus/SampleModel3/SampleModel3_V1.sqlite"])
    func damagedBytesGiveErrors(path: String) throws {
        let folder = try TemporaryFolder()
        let url = try Fixtures.copy(path, into: folder)
        let whole = try Data(contentsOf: url)
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(state: seed)
        for round in 0..<150 {
            var bytes = whole
            if round.isMultiple(of: 5) {
                bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
            } else {
                for _ in 0..<Int.random(in: 1...40, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
            }
            try bytes.write(to: url)
            do {
                let model = try StoreFile.model(inStoreAt: url)
                let pool = try SQLiteConnectionPool(url: url, configuration: .init(access: .readOnly))
                defer { pool.close() }
                try pool.read { connection in
                    let layout = try StoredLayout(readingFrom: connection)
                    let schema = try SQLSchema(entities: model.entities, reconciledWith: layout)
                    for table in schema.tables { _ = try connection.rows("SELECT * FROM \(table.sql)") }
                }
            } catch let error as CocoaError {
                #expect(!error.localizedDescription.isEmpty)
            } catch {
                Issue.record("seed \(seed), round \(round): \(error)")
            }
            #expect(try Data(contentsOf: url) == bytes, "seed \(seed), round \(round)")
        }
    }
}

/// A generator that can be started again from a printed seed.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
