/// A store in one XML file, in Apple's layout.
// @unchecked Sendable because the superclass is, and nothing is added.
final class XMLStore: FileAtomicStore, @unchecked Sendable {
    override class var format: any AtomicFileFormat.Type { XMLStoreFormat.self }
}
