#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

@Suite(.needsServer) struct LockTimeoutTests {
    /// Runs a block while another session holds a lock on the row of an author.
    private func whileLocked(_ body: (NSManagedObjectContext, NSManagedObject, Int32) throws -> Void) throws {
        try ServerStack.with(options: [NSPersistentStoreTimeoutOption: 1]) { stack in
            try stack.inContext { context in
                let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                author.setValue("first", forKey: "name")
                try context.save()
                let other = try TestServer.connect()
                defer { other.close() }
                try other.runScript(
                    "SET application_name = 'a report'; BEGIN; "
                        + "SELECT 1 FROM \(SQLName.quoted(stack.schema)).author FOR UPDATE")
                try body(context, author, other.serverProcess)
            }
        }
    }

    private func check(_ error: CocoaError?, _ duration: Duration, _ process: Int32) {
        #expect(error?.code.rawValue == NSPersistentStoreTimeoutError)
        #expect(duration > .seconds(0.9) && duration < .seconds(3.5))
        let sentence = error?.localizedDescription ?? ""
        #expect(sentence.contains("server process \(process) of"))
        #expect(sentence.contains("(a report)") && sentence.contains("idle in transaction"))
    }

    @Test func aSaveWaitsForALockOnceAndSaysWhoHasIt() throws {
        try whileLocked { context, author, process in
            author.setValue("second", forKey: "name")
            var error: CocoaError?
            let duration = ContinuousClock().measure {
                error = #expect(throws: CocoaError.self) { try context.save() }
            }
            check(error, duration, process)
            // Nothing was lost: the change is still there to be saved.
            #expect(author.hasChanges)
        }
    }

    @Test func aBatchWaitsForALockOnceAndSaysWhoHasIt() throws {
        try whileLocked { context, _, process in
            let request = NSBatchUpdateRequest(entityName: "Author")
            request.propertiesToUpdate = ["name": "second"]
            var error: CocoaError?
            let duration = ContinuousClock().measure {
                error = #expect(throws: CocoaError.self) { try context.execute(request) }
            }
            check(error, duration, process)
        }
    }
}
#endif
