/// Notices that identifiers are looked up at even distances, as in order, and has memory brought ahead of them.
///
/// A look-up reads an identifier, a place of the registry, an object and a row, each found by the one before. In a large
/// context each of them is a wait for memory, and the locks in between keep the processor from beginning the next look-up
/// meanwhile. So what later look-ups read is asked for early, each in its turn: the place two look-ups before the object,
/// the object four before the row.
///
/// A walk that came to the end of the table and began anew, as one round a ring does, is expected to do so again, by the
/// same distance.
struct LookupStride: ~Copyable {
    /// What to bring ahead of a look-up.
    struct Ahead {
        /// The distance from one reference to the next; 0 when nothing is to be brought.
        var step: Int64 = 0
        /// What comes on top of the step where the walk would leave the table; 0 when that never happened.
        fileprivate(set) var turn: Int64 = 0
        /// How many look-ups ago the walk jumped to where nobody expected it, up to 2.
        fileprivate(set) var regularity = 0

        /// The reference that is looked up some look-ups later, in a table whose references go from 1 to `last`.
        @inline(__always)
        func reference(_ reference: Int64, after count: Int64, last: Int64) -> Int64 {
            let next = reference &+ count &* step
            return Self.isInside(next, last) ? next : next &+ turn
        }

        @inline(__always)
        fileprivate static func isInside(_ reference: Int64, _ last: Int64) -> Bool {
            UInt64(bitPattern: reference &- 1) < UInt64(bitPattern: last)
        }
    }

    /// How far ahead identifiers and objects are brought.
    static let distance = 8

    private var reference: Int64 = 0
    private var lastStep: Int64 = 0
    private var ahead = Ahead()
    /// How much the even distance was kept to lately: where it is not, nothing is brought.
    private var trust = 0
    private var runs = IdentifierRuns()

    /// Notes a look-up in a table with references from 1 to `last`.
    ///
    /// - Returns: What to bring ahead of it.
    @inline(__always)
    mutating func next(_ id: NSManagedObjectID, last: Int64) -> Ahead {
        let step = id.reference &- reference
        reference = id.reference
        if step == ahead.step {
            trust = min(trust &+ 1, 8)
            ahead.regularity = min(ahead.regularity &+ 1, 2)
        } else {
            jump(step, last)
        }
        lastStep = step
        runs.note(id, step: step)
        guard trust > 0 else { return Ahead() }
        runs.keep(reference, last: last)
        let distance = Int64(Self.distance)
        for count in (ahead.regularity == 0 ? 1 : distance)...distance {
            runs.prefetch(ahead.reference(reference, after: count, last: last))
        }
        return ahead
    }

    @inline(never)
    private mutating func jump(_ step: Int64, _ last: Int64) {
        let leavesTable = trust > 0 && !Ahead.isInside(reference &- step &+ ahead.step, last)
        if leavesTable, ahead.turn != 0, step == ahead.step &+ ahead.turn { return }
        trust = max(trust &- 2, 0)
        if step == lastStep, trust == 0 {
            ahead = Ahead(step: step)
            trust = 1
        } else if leavesTable {
            ahead.turn = step &- ahead.step
        }
        ahead.regularity = 0
    }
}
