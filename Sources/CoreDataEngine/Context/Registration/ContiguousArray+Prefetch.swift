import EngineShims

extension ContiguousArray<NSManagedObject> {
    /// Calls `body` with each object, having the memory of those that come soon brought to the processor.
    ///
    /// A save goes over its objects several times; when there are more of them than the caches hold, each time begins with
    /// a wait for every object and for what it has beyond its row.
    @inline(__always)
    func forEachAhead(_ body: (NSManagedObject) throws -> Void) rethrows {
        for index in indices {
            prefetch(after: index)
            try body(self[index])
        }
    }

    /// Has the memory brought that calls for objects soon after `index` are going to read.
    @inline(__always)
    func prefetch(after index: Int) {
        prefetch(after: index) { Unmanaged.passUnretained($0) }
    }

    /// The objects as a set.
    func asSet() -> Set<NSManagedObject> {
        var set = Set<NSManagedObject>(minimumCapacity: count)
        forEachAhead { set.insert($0) }
        return set
    }
}

extension ContiguousArray {
    /// Has the memory brought of the objects of the elements soon after `index`.
    @inline(__always)
    func prefetch(after index: Int, of object: (borrowing Element) -> Unmanaged<NSManagedObject>) {
        let (near, far) = (index &+ 4, index &+ 8)
        guard far < count else { return }
        withUnsafeBufferPointer { elements in
            let distant = UnsafeRawPointer(object(elements[far]).toOpaque())
            engine_prefetch(distant)
            engine_prefetch(distant + 64)
            object(elements[near])._withUnsafeGuaranteedRef { object in
                guard let extras = object.extras else { return }
                engine_prefetch(UnsafeRawPointer(Unmanaged.passUnretained(extras).toOpaque()))
            }
        }
    }
}
