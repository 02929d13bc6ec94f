import EngineShims

/// Notices that identifiers are looked up at even distances, as in order, and has memory brought ahead of them.
///
/// A look-up reads an identifier, a place of the registry, an object and a row, each found by the one before. In a large
/// context each of them is a wait for memory, and the locks in between keep the processor from beginning the next look-up
/// meanwhile. So what later look-ups read is asked for early, each in its turn: the place two look-ups before the object,
/// the object two before the row.
struct LookupStride {
    /// What to bring ahead of a look-up.
    struct Ahead {
        /// The distance from one reference to the next; 0 when nothing is to be brought.
        var step: Int64 = 0
        /// How many look-ups ago the distance was another one, up to 2.
        var regularity = 0
    }

    /// How far ahead identifiers and objects are brought.
    static let distance = 8

    private var reference: Int64 = 0
    private var address: UInt = 0
    private var lastStep: Int64 = 0
    private var lastBytes: UInt = 0
    /// The distance that came twice in a row last, in references and in bytes between identifiers.
    private var ahead = Ahead()
    private var stride: UInt = 0
    /// How much the even distance was kept to lately: where it is not, nothing is brought.
    private var trust = 0

    /// Notes a look-up.
    ///
    /// - Returns: What to bring ahead of it.
    @inline(__always)
    mutating func next(_ id: NSManagedObjectID) -> Ahead {
        let step = id.reference &- reference
        let address = UInt(bitPattern: Unmanaged.passUnretained(id).toOpaque())
        let bytes = address &- self.address
        reference = id.reference
        self.address = address
        if step == ahead.step {
            trust = min(trust + 1, 8)
            if bytes == lastBytes { stride = bytes }
            ahead.regularity = min(ahead.regularity + 1, 2)
        } else {
            jump(step)
        }
        lastStep = step
        lastBytes = bytes
        guard trust > 0 else { return Ahead() }
        // Identifiers that were made together stand together, but for a gap here and there: the near ones are asked for again.
        for place in 1...UInt(Self.distance) {
            engine_prefetch(UnsafeRawPointer(bitPattern: address &+ place &* stride))
        }
        return ahead
    }

    private mutating func jump(_ step: Int64) {
        trust = max(trust - 2, 0)
        if step == lastStep, trust == 0 {
            ahead.step = step
            trust = 1
        }
        ahead.regularity = 0
    }
}
