import THRCoreData
import TestSupport
import Testing

/// The example of the library's page.
@MainActor struct DocumentTests {
    @Test func theExampleOfThePageRuns() async throws {
        let folder = try TemporaryFolder()
        let bundle = try Studio.bundle(in: folder)
        for _ in 1...2 {
            let titles = try await withCheckedThrowingContinuation { continuation in
                do {
                    try updateChart(bundle, folder.file("Data")) { continuation.resume(returning: $0) }
                } catch {
                    continuation.resume(throwing: error)
                }
            }
            #expect(titles == ["So What", "Naima"])
        }
    }
}
