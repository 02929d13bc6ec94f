import Dispatch
import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

/// Who comes to a store that others are about to replace is told so.
@Suite struct StoreExchangeRaceTests {
    @Test func oneHasTheStoreAndTheOthersAreToldThatItIsBusy() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Items.sqlite")
        let made = Mutex(0)
        let wrong = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<40 {
                do {
                    let exchange = try StoreExchange(at: url)
                    made.withLock { $0 += 1 }
                    exchange.close()
                } catch  where (error as NSError).code == NSPersistentStoreTimeoutError {
                    continue
                } catch {
                    wrong.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(made.withLock { $0 } > 0)
        #expect(wrong.withLock { $0 } == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }
}
