import EngineShims

/// What of an object is going to be read.
enum ForeseenPart {
    case object
    /// And what it has beyond its row.
    case extras
    /// And its edited values.
    case values
}

extension ContiguousArray<NSManagedObject> {
    /// Calls `body` with each object, having the memory of those that come soon brought to the processor.
    ///
    /// A save goes over its objects several times; when there are more of them than the caches hold, each time begins with
    /// a wait for every object and for what it has beyond its row.
    @inline(__always)
    func forEachAhead(_ part: ForeseenPart, _ body: (NSManagedObject) throws -> Void) rethrows {
        for index in indices {
            prefetch(part, after: index)
            try body(self[index])
        }
    }

    /// Has the memory brought that calls for objects soon after `index` are going to read.
    @inline(__always)
    func prefetch(_ part: ForeseenPart, after index: Int) {
        prefetch(part, after: index) { Unmanaged.passUnretained($0) }
    }

    /// The objects as a set.
    func asSet() -> Set<NSManagedObject> {
        var set = Set<NSManagedObject>(capacityForMany: count)
        forEachAhead(.object) { set.insert($0) }
        return set
    }
}

extension Set {
    /// A set that is going to have so many members.
    ///
    /// A member that finds its place taken is compared with the one that is there. Among very many that one is in no cache,
    /// and the wait for it costs more than a table that is half as full.
    init(capacityForMany count: Int) {
        self.init(minimumCapacity: count < 1 << 17 ? count : count * 2)
    }
}

extension ContiguousArray {
    /// Has the memory brought of the objects of the elements soon after `index`. What an object refers to is brought later
    /// than the object, when that has come.
    @inline(__always)
    func prefetch(
        _ part: ForeseenPart, after index: Int, of object: (borrowing Element) -> Unmanaged<NSManagedObject>
    ) {
        let far = index &+ 12
        guard far < count else { return }
        withUnsafeBufferPointer { elements in
            let distant = UnsafeRawPointer(object(elements[far]).toOpaque())
            engine_prefetch(distant)
            engine_prefetch(distant + 64)
            if part == .object { return }
            object(elements[index &+ 8])._withUnsafeGuaranteedRef { object in
                guard let extras = object.extras else { return }
                engine_prefetch(UnsafeRawPointer(Unmanaged.passUnretained(extras).toOpaque()))
            }
            if part == .extras { return }
            object(elements[index &+ 4])._withUnsafeGuaranteedRef { object in
                guard let extras = object.extras else { return }
                // By its address: an array that is asked for its own is counted as used, which waits for its memory.
                withUnsafeMutablePointer(to: &extras.values) { values in
                    let address = UnsafeRawPointer(values).load(as: UInt.self)
                    engine_prefetch(UnsafeRawPointer(bitPattern: address))
                    engine_prefetch(UnsafeRawPointer(bitPattern: address &+ 64))
                }
            }
        }
    }
}
