/// The queue of a context, and how closely its use is checked.
struct ContextQueue {
    let kind: NSManagedObjectContextConcurrencyType
    let queue: SerialQueue
    /// `ConcurrencyDebug.isEnabled`, near at hand. A context without a queue may be used wherever its maker is.
    let isChecked: Bool
    /// `ConcurrencyDebug.stops`, near at hand: each call asks.
    let stopsMisuse: Bool

    /// - Parameter queue: The queue of another context, to be shared.
    init(_ kind: NSManagedObjectContextConcurrencyType, sharing queue: SerialQueue? = nil) {
        self.kind = kind
        let hasQueue = kind != .confinementConcurrencyType
        isChecked = hasQueue && ConcurrencyDebug.isEnabled
        stopsMisuse = hasQueue && ConcurrencyDebug.stops
        self.queue =
            queue ?? (kind == .mainQueueConcurrencyType ? .main : SerialQueue(label: "NSManagedObjectContext"))
    }
}
