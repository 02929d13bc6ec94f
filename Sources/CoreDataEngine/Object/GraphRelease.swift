import EngineShims

/// Releases what an object leads to. In a chain of objects of which each holds the next, the end of the first would end
/// the second within it, and so on until the stack is full; here the rest waits once that is some levels deep.
enum GraphRelease {
    private static let deepest: UInt = 64

    /// Releases an object's extras, or has them wait for an outer call on this thread.
    static func release(_ extras: Unmanaged<ObjectExtras>) {
        let state = engine_this_threads_release_state()
        guard state.pointee.depth < deepest else {
            extras._withUnsafeGuaranteedRef { $0.nextWaiting = state.pointee.waiting }
            state.pointee.waiting = extras.toOpaque()
            return
        }
        state.pointee.depth += 1
        extras.release()
        if state.pointee.depth == 1 { releaseWaiting(state) }
        state.pointee.depth -= 1
    }

    private static func releaseWaiting(_ state: UnsafeMutablePointer<engine_release_state>) {
        while let first = state.pointee.waiting {
            let extras = Unmanaged<ObjectExtras>.fromOpaque(first)
            state.pointee.waiting = extras._withUnsafeGuaranteedRef { $0.nextWaiting }
            extras.release()
        }
    }
}

extension ObjectExtras {
    /// The extras that wait after these, which end with their object and need the number of a save no more.
    fileprivate var nextWaiting: UnsafeMutableRawPointer? {
        get { UnsafeMutableRawPointer(bitPattern: Int(pendingReference)) }
        set { pendingReference = Int64(Int(bitPattern: newValue)) }
    }
}

extension NSManagedObject {
    /// Takes the extras out at the object's end, if they lead to other objects.
    final func takeExtrasToRelease() -> Unmanaged<ObjectExtras>? {
        guard let extras, !extras.relationships.isEmpty || !extras.values.isEmpty else { return nil }
        defer { self.extras = nil }
        return Unmanaged.passRetained(extras)
    }

    /// Drops the links between objects that have left the context for good: they would keep each other alive.
    final func releaseRemovedDestinations() {
        guard let extras else { return }
        for index in extras.relationships.indices {
            switch extras.relationships[index] {
            case let destination as NSManagedObject:
                if destination.state.contains(.removed) { extras.relationships[index] = nil }
            case let state as ToManyState: state.dropRemoved()
            default: break
            }
        }
        for index in extras.values.indices {
            guard case .object(let destination) = extras.values[index], destination.state.contains(.removed) else {
                continue
            }
            extras.values[index] = .null
        }
    }
}

extension ToManyState {
    fileprivate func dropRemoved() {
        func drop(_ list: inout MemberList) {
            guard list.objects.contains(where: { $0.state.contains(.removed) }) else { return }
            list = MemberList(list.objects.filter { !$0.state.contains(.removed) })
        }
        if var list = members {
            members = nil
            drop(&list)
            members = list
        }
        if var list = committed {
            committed = nil
            drop(&list)
            committed = list
        }
        drop(&added)
        drop(&removed)
    }
}
