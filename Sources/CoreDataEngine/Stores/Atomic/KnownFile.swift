import Foundation

/// What a store remembers of its file, to notice that someone else has replaced it.
struct KnownFile {
    private let whole: Int
    private let objects: Int

    /// - Throws: What the format says of bytes that have no objects.
    init(_ data: Data, _ format: any AtomicFileFormat.Type) throws {
        whole = Self.hash(data)
        objects = Self.hash(try format.objects(in: data))
    }

    /// Whether nothing has changed.
    func isWhole(_ data: Data) -> Bool { Self.hash(data) == whole }

    /// Whether at most the metadata have changed.
    func hasObjects(of data: Data, _ format: any AtomicFileFormat.Type) -> Bool {
        (try? format.objects(in: data)).map { Self.hash($0) == objects } ?? false
    }

    private static func hash(_ data: Data) -> Int {
        var hasher = Hasher()
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
