import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Files by Apple's tools with damaged bytes: a model or a typed error, never a trap.
@Suite(.enabled(if: Fixtures.available)) struct HostileFixtureTests {
    @Test(arguments: Fixtures.files(withExtensions: "mom")) func damagedCompiledModelsAreTypedErrors(path: String)
        throws
    {
        let original = try Fixtures.data(path)
        for length in stride(from: 0, to: original.count, by: 97) {
            #expect(throws: CocoaError.self) { try NSManagedObjectModel.decode(compiledModel: original.prefix(length)) }
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var damaged = original
            let index = Int.random(in: 0..<damaged.count, using: &generator)
            damaged[index] = UInt8.random(in: 0...255, using: &generator)
            do {
                _ = try NSManagedObjectModel.decode(compiledModel: damaged).entityVersionHashesByName
            } catch {
                #expect(error is CocoaError, "byte \(index) = \(damaged[index]) of \(path): \(error)")
            }
        }
    }

    @Test(arguments: Fixtures.stores) func aCacheIsWrittenAsItWasRead(path: String) throws {
        guard let cache = try StoreContent(fixture: path).modelCache else { return }
        let model = try NSManagedObjectModel.decode(modelCache: cache)
        let again = try NSManagedObjectModel.decode(modelCache: model.encodedModelCache())
        #expect(ModelSummary.differences(model, again) == [])
    }
}
