/// What executing a history request gave.
open class NSPersistentHistoryResult: NSPersistentStoreResult {
    private let value: Any?
    private let type: NSPersistentHistoryResultType

    /// Creates an empty result.
    ///
    /// Results come from executing a request; this one has no `result`.
    public override convenience init() {
        self.init(nil, type: .statusOnly)
    }

    package init(_ value: Any?, type: NSPersistentHistoryResultType) {
        self.value = value
        self.type = type
        super.init()
    }

    /// The result; ``NSPersistentHistoryResultType`` says of which type.
    open var result: Any? { value }
    /// The type that the request asked for.
    open var resultType: NSPersistentHistoryResultType { type }
}
