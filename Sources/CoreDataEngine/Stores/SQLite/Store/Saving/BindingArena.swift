/// Memory for the strings and data of one run of a statement, so that SQLite needs no copy of its own for each.
///
/// The memory does not move while it is in use. `reset` makes it available again; bindings that point into it must be
/// gone by then, or be replaced before the next run.
final class BindingArena {
    // Exclusivity is not checked at run time: nothing that is called here comes back.
    @exclusivity(unchecked) private var chunks: [UnsafeMutableRawBufferPointer] = []
    @exclusivity(unchecked) private var chunk = 0
    @exclusivity(unchecked) private var offset = 0

    private static let smallestChunk = 1 << 10
    private static let largestChunk = 1 << 16

    deinit {
        for chunk in chunks { chunk.deallocate() }
    }

    func reset() {
        chunk = 0
        offset = 0
    }

    /// Copies bytes into the arena.
    func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        let target = reserve(bytes.count)
        target.copyMemory(from: bytes)
        return UnsafeRawBufferPointer(target)
    }

    private func reserve(_ count: Int) -> UnsafeMutableRawBufferPointer {
        while chunk < chunks.count {
            if offset + count <= chunks[chunk].count {
                defer { offset += count }
                return UnsafeMutableRawBufferPointer(rebasing: chunks[chunk][offset..<offset + count])
            }
            chunk += 1
            offset = 0
        }
        let size = min((chunks.last?.count ?? 0) * 8, Self.largestChunk)
        chunks.append(.allocate(byteCount: max(size, Self.smallestChunk, count), alignment: 16))
        offset = count
        return UnsafeMutableRawBufferPointer(rebasing: chunks[chunk][..<count])
    }
}
