import Synchronization

/// What an object is to its context, as its state says.
struct ObjectPhases: OptionSet {
    let rawValue: UInt8

    /// Has no unsaved change.
    static let unchanged = ObjectPhases(rawValue: 1 << 0)
    static let inserted = ObjectPhases(rawValue: 1 << 1)
    static let updated = ObjectPhases(rawValue: 1 << 2)
    static let deleted = ObjectPhases(rawValue: 1 << 3)
    /// Inserted and deleted without ever having been saved.
    static let discarded = ObjectPhases(rawValue: 1 << 4)
    /// To be deleted because others deleted its row.
    static let deletedElsewhere = ObjectPhases(rawValue: 1 << 5)
    /// Has left the context.
    static let removed = ObjectPhases(rawValue: 1 << 6)

    /// Not to be deleted.
    static let alive: ObjectPhases = [.unchanged, .inserted, .updated]
    /// In a context.
    static let present: ObjectPhases = [.alive, .deleted, .discarded, .deletedElsewhere]

    /// The phase of an object with a state.
    init(of state: ObjectState) {
        if state.contains(.removed) {
            self = .removed
        } else if state.contains(.deleted) {
            self =
                state.contains(.deletedElsewhere)
                ? .deletedElsewhere : state.contains(.inserted) ? .discarded : .deleted
        } else {
            self = state.contains(.inserted) ? .inserted : state.contains(.updated) ? .updated : .unchanged
        }
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// The operations of `ChangeTracker` on one object: from which phases they are legal, and to which they lead.
///
/// Debug builds check each. What isn't legal is found by `NSManagedObjectContext.checkInvariants()`, and doesn't stop the
/// program: merge policies and other code of applications take part in these transitions.
enum ObjectTransition: String {
    case insert, update, delete, undelete, makeUpdate, endDeletion, prepareInsertion, rollback, rollbackConflict
    case forgetUpdate, makeClean, commit, leave, comeBack, mergeDeletion, endMergedDeletion

    private var legal: (from: ObjectPhases, to: ObjectPhases) {
        switch self {
        case .insert: (.present, [.inserted, .discarded, .deletedElsewhere])
        case .update: (.present, [.inserted, .updated, .deleted, .discarded, .deletedElsewhere])
        case .delete: (.present, [.deleted, .discarded, .deletedElsewhere])
        case .undelete: ([.deleted, .discarded, .deletedElsewhere], .alive)
        case .makeUpdate: (.inserted, .updated)
        case .endDeletion: ([.deleted, .discarded], .alive)
        case .prepareInsertion: ([.unchanged, .updated, .deleted, .deletedElsewhere], [.unchanged, .updated])
        case .rollback: (.present, [.unchanged, .inserted])
        case .rollbackConflict: ([.updated, .deleted, .deletedElsewhere, .unchanged], .unchanged)
        case .forgetUpdate: (.present, [.unchanged, .inserted, .deleted, .discarded, .deletedElsewhere])
        case .makeClean: (.updated, .unchanged)
        case .commit: (.present, [.unchanged, .deleted, .deletedElsewhere])
        case .leave: ([.present, .removed], .removed)
        case .comeBack: ([.removed, .unchanged], .unchanged)
        case .mergeDeletion: (.alive, .deletedElsewhere)
        case .endMergedDeletion: (.present, [.unchanged, .updated, .inserted])
        }
    }

    /// What was found in this process, the first of it.
    private static let found = Mutex<[String]>([])

    /// The transitions of this process that weren't legal, for tests.
    static var illegal: [String] { found.withLock { $0 } }

    /// Records a transition that isn't legal, in a debug build.
    @inline(__always)
    static func check(_ transition: ObjectTransition, of object: NSManagedObject, from state: ObjectState) {
        assert(transition.recordUnlessLegal(of: object, from: state))
    }

    /// - Returns: `true`.
    private func recordUnlessLegal(of object: NSManagedObject, from state: ObjectState) -> Bool {
        if !isLegal(from: state, to: object.state) {
            let text = description(from: state, object)
            Self.found.withLock { if $0.count < 16 { $0.append(text) } }
        }
        return true
    }

    private func isLegal(from former: ObjectState, to present: ObjectState) -> Bool {
        legal.from.isSuperset(of: ObjectPhases(of: former)) && legal.to.isSuperset(of: ObjectPhases(of: present))
    }

    private func description(from former: ObjectState, _ object: NSManagedObject) -> String {
        "\(rawValue) took \(object.layout.name) from the state \(former.rawValue) to \(object.state.rawValue)"
    }
}
