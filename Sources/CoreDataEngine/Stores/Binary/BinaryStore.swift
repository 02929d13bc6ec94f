/// A store in one binary file.
// @unchecked Sendable because the superclass is, and nothing is added.
final class BinaryStore: FileAtomicStore, @unchecked Sendable {
    override class var format: any AtomicFileFormat.Type { BinaryStoreFormat.self }
}
