public import Foundation

/// Names a generation: a state of the stores that contexts go on reading while others write.
///
/// As long as a token or a context that is pinned to it is alive, SQLite keeps the generation's content, and the
/// write-ahead log beside the store file grows with each save. An archived token can be used as long as the process that
/// made it has the generation. Immutable, so safe to share between threads.
// @unchecked Sendable because the only property is a constant.
open class NSQueryGenerationToken: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    /// The generation; `nil` for the token of the generation that is current when it is used.
    final let generation: QueryGeneration?

    private static let codingKey = "NSQueryGeneration"
    private static let currentToken = NSQueryGenerationToken(nil)

    /// Creates a token like ``current``.
    ///
    /// A context that is pinned with it reads the generation that is current when it first reads.
    public override convenience init() {
        self.init(nil)
    }

    init(_ generation: QueryGeneration?) {
        self.generation = generation
        super.init()
    }

    /// The generation that is current when a context first reads with it.
    open class var current: NSQueryGenerationToken { currentToken }

    /// Tokens can be archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a token from an archive; `nil` when its generation is gone.
    ///
    /// A generation is gone when no token and no context in this process has it any more, and after the process has
    /// ended. A token like ``current`` can always be read.
    ///
    /// - Parameter coder: The archive.
    public required convenience init?(coder: NSCoder) {
        guard let string = coder.decodeObject(of: NSString.self, forKey: Self.codingKey) as String? else { return nil }
        if string.isEmpty {
            self.init(nil)
        } else if let identifier = UUID(uuidString: string), let generation = QueryGeneration.living(identifier) {
            self.init(generation)
        } else {
            return nil
        }
    }

    /// Writes the token to an archive.
    ///
    /// The archive names the generation, and doesn't keep it alive. It is of use only as long as this process has the
    /// generation.
    ///
    /// - Parameter coder: The archive.
    open func encode(with coder: NSCoder) {
        coder.encode(NSString(string: generation?.identifier.uuidString ?? ""), forKey: Self.codingKey)
    }

    /// A token is its own copy.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? NSQueryGenerationToken).map { $0.generation === generation } ?? false
    }

    open override var hash: Int { generation?.identifier.hashValue ?? 0 }

    open override var description: String {
        "<NSQueryGenerationToken \(generation?.identifier.uuidString ?? "current")>"
    }
}
