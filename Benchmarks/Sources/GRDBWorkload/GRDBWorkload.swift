public import Bookshelf
public import Foundation
import GRDB

/// A peer: the saves of one object each through GRDB, with a record written by hand.
///
/// Works on the tables of the raw baseline, whose store `raw` makes in the same folder.
public final class GRDBWorkload: Implementation {
    public let name = "grdb"
    public let settings = "GRDB 7.10.0: a pool with its defaults, records with hand-written coding"

    private let folder: StoreFolder
    private let rawFolder: StoreFolder
    private let bookCount: Int
    private let library: () -> Library

    /// - Parameter library: makes or answers the generated data.
    public init(folder: URL, bookCount: Int, library: @escaping () -> Library) throws {
        self.folder = try StoreFolder(url: folder, name: name)
        rawFolder = try StoreFolder(url: folder, name: "raw")
        self.bookCount = bookCount
        self.library = library
    }

    public func buildStore() throws {
        guard !folder.hasFullStore else { return }
        guard rawFolder.hasFullStore else { throw CocoaError(.fileNoSuchFile) }
        try folder.removeFullStore()
        try FileManager.default.copyItem(at: rawFolder.fullStore, to: folder.fullStore)
        try folder.markFullStoreComplete()
    }

    public func takesPart(in operation: Bookshelf.Operation) -> Bool { operation == .saveSmall }

    public func run(_ operation: Bookshelf.Operation) throws -> Bookshelf.Measurement {
        let pool = try DatabasePool(path: folder.copiedScratchStore().path)
        defer { try? pool.close() }
        let records = library().extraBooks
        let watch = Stopwatch()
        for record in records {
            var row = BookRow(record)
            try pool.write { try row.insert($0) }
        }
        let times = watch.elapsed()
        let count = try pool.read { try BookRow.fetchCount($0) }
        return Bookshelf.Measurement(wall: times.wall, cpu: times.cpu, result: "\(count)")
    }
}

/// A row of the table of books.
private struct BookRow: MutablePersistableRecord, TableRecord {
    static let databaseTableName = "ZBOOK"

    var id: Int64?
    let record: BookRecord

    init(_ record: BookRecord) { self.record = record }

    func encode(to container: inout PersistenceContainer) {
        container["Z_PK"] = id
        container["Z_ENT"] = 2
        container["Z_OPT"] = 1
        container["ZINPRINT"] = record.inPrint
        container["ZPAGES"] = record.pages
        container["ZAUTHOR"] = record.author + 1
        container["ZPRICE"] = record.price
        container["ZPUBLISHED"] = Double(record.published)
        container["ZRATING"] = record.rating
        container["ZISBN"] = record.isbn
        container["ZSUMMARY"] = record.summary
        container["ZTITLE"] = record.title
    }

    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
