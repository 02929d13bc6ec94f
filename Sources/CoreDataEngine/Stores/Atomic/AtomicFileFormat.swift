import Foundation

/// What the file of an atomic store holds.
struct AtomicFileContent {
    var metadata: [String: Any]
    /// The highest number that an object has or had.
    var lastNumber: Int64
    var contents: InMemoryContents
}

/// The layout of an atomic store's file. Errors are sentences about the bytes; the store adds the name of the file.
protocol AtomicFileFormat {
    /// The type in the metadata.
    static var storeType: String { get }
    /// The number before the first one that an object of a new store gets.
    static var firstNumber: Int64 { get }
    /// Refuses a model whose objects the layout can't distinguish.
    static func check(_ entities: [EntityLayout]) throws
    /// Reads a file.
    ///
    /// - Throws: `CocoaError` when the bytes are not what the format says, or don't fit the model.
    static func content(of data: Data, layout: ModelLayout) throws -> AtomicFileContent
    /// Reads the metadata alone, without a model.
    static func metadata(of data: Data) throws -> [String: Any]
    /// The bytes of a file.
    static func data(of content: AtomicFileContent) throws -> Data
    /// The bytes of a file with other metadata and the same objects.
    static func data(_ data: Data, replacingMetadata metadata: [String: Any]) throws -> Data
    /// The part of the bytes that is about objects.
    static func objects(in data: Data) throws -> Data
}

extension AtomicFileFormat {
    /// The error of bytes that are not what they should be.
    static func damaged(_ what: String) -> CocoaError {
        CoreDataError.make(CocoaError.Code.fileReadCorruptFile.rawValue, "The store is damaged: \(what).")
    }
}

extension InMemoryContents {
    /// All rows by their numbers.
    var allRecords: [InMemoryRecord] { tables.flatMap(\.values).sorted { $0.reference < $1.reference } }

    /// Whether a row is there that a to-one points to.
    func has(_ target: ObjectReference, layout: ModelLayout) -> Bool {
        let index = Int(target.entityIndex)
        guard index >= 0, index < layout.entities.count else { return false }
        return record(target.reference, root: layout.entities[index]) != nil
    }
}
