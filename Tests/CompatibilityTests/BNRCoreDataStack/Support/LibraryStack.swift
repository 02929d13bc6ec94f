import BNRCoreDataStack
import TestSupport
import Testing

/// Where the tests' objects are kept.
enum StoreKind: String, CaseIterable, Sendable {
    case sqlite, memory
}

/// A stack over the model of a library, in a folder of its own.
struct LibraryStack: Sendable {
    let folder: TemporaryFolder
    let stack: CoreDataStack
    let errors = Noted<any Error>()

    var file: URL { folder.file("Library.sqlite") }
    var main: NSManagedObjectContext { stack.mainQueueContext }
    var persisting: NSManagedObjectContext { stack.privateQueueContext }

    /// - Parameter folder: That of another stack, to open its file again.
    init(_ kind: StoreKind = .sqlite, in folder: TemporaryFolder? = nil) async throws {
        self.folder = try folder ?? TemporaryFolder()
        stack =
            switch kind {
            case .sqlite:
                try await CoreDataStack.constructSQLiteStack(
                    model: LibraryModel.make(), at: self.folder.file("Library.sqlite"))
            case .memory: try CoreDataStack.constructInMemoryStack(model: LibraryModel.make())
            }
        stack.onBubbleError = { [errors] in errors.note($0) }
    }

    /// Waits until the saves that were begun so far are in the store.
    func settle() async {
        await main.perform(schedule: .enqueued) {}
        await persisting.perform(schedule: .enqueued) {}
    }

    /// Saves books in a worker, and waits until they are in the store.
    func shelve(_ titles: [String]) async throws {
        let worker = stack.newBackgroundWorkerMOC()
        try await worker.perform {
            for title in titles { Book(managedObjectContext: worker).title = title }
            try worker.save()
        }
        await settle()
    }

    /// The titles that a context finds, in order.
    static func titles(_ context: NSManagedObjectContext) async throws -> [String] {
        try await context.perform {
            try Book.allInContext(context, sortDescriptors: [NSSortDescriptor(key: "title", ascending: true)])
                .map(\.title)
        }
    }

    /// What the `sqlite3` command answers about the file.
    func sqlite(_ sql: String) throws -> String { try SQLiteShell.run(sql, on: file) }

    /// How many books the file has.
    var booksInFile: Int { get throws { Int(try sqlite("SELECT COUNT(*) FROM ZBOOK")) ?? -1 } }
}

extension CoreDataStack {
    /// A context for a large import.
    func batchContext(on queue: DispatchQueue? = nil) async throws -> NSManagedObjectContext {
        try await withCheckedThrowingContinuation { continuation in
            newBatchOperationContext(on: queue) { result in
                switch result {
                case .success(let context): continuation.resume(returning: context)
                case .failure(let error): continuation.resume(throwing: error)
                }
            }
        }
    }

    /// Resets the store.
    func reset() async throws {
        try await withCheckedThrowingContinuation { continuation in
            resetStore { continuation.resume(with: $0) }
        }
    }
}

extension CheckedContinuation where T == Void, E == any Error {
    func resume(with result: CoreDataStack.SuccessResult) {
        switch result {
        case .success: resume()
        case .failure(let error): resume(throwing: error)
        }
    }
}
