/// What a context makes its objects with: one carrier of rows, and another for each time that an initializer of an
/// application's class has the context make further objects before it returns.
struct Materializers {
    private var carriers: [MaterializingEntity] = []
    private var depth = 0

    /// Whether an object is being created, so that the caller was called by its initializer.
    @inline(__always)
    var isBusy: Bool { depth > 0 }

    /// The carriers in use, the outermost first.
    var busy: ArraySlice<MaterializingEntity> { carriers[..<depth] }

    /// An unused carrier, until the matching `end`.
    mutating func begin() -> MaterializingEntity {
        if depth == carriers.count { carriers.append(MaterializingEntity()) }
        depth += 1
        return carriers[depth - 1]
    }

    mutating func end() { depth -= 1 }
}
