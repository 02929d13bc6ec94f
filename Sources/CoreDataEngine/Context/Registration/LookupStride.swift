import EngineShims

/// Notices that identifiers are looked up at even distances, as in order, and has memory brought ahead of them.
///
/// A look-up reads an identifier, a place of the registry, an object and a row, each found by the one before. In a large
/// context each of them is a wait for memory, and the locks in between keep the processor from beginning the next look-up
/// meanwhile.
struct LookupStride {
    private var reference: Int64 = 0
    private var address: UInt = 0
    private var lastStep: Int64 = 0
    /// The distance that came twice in a row last.
    private var evenStep: Int64 = 0

    /// Notes a look-up.
    ///
    /// - Returns: The distance to the next reference, should there be one; 0 when the last one is none that came often.
    @inline(__always)
    mutating func step(to id: NSManagedObjectID) -> Int64 {
        let step = id.reference &- reference
        let address = UInt(bitPattern: Unmanaged.passUnretained(id).toOpaque())
        let distance = address &- self.address
        if step == lastStep { evenStep = step }
        reference = id.reference
        self.address = address
        lastStep = step
        guard step == evenStep else { return 0 }
        // Identifiers that were made together stand together.
        engine_prefetch(UnsafeRawPointer(bitPattern: address &+ distance))
        engine_prefetch(UnsafeRawPointer(bitPattern: address &+ 2 &* distance))
        return step
    }
}
