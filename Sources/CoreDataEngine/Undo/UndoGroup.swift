#if !canImport(Darwin)
/// Actions and groups of actions that are undone together.
// @unchecked Sendable because a group belongs to its manager, on whose queue alone it is used; another queue only
// compares its identity.
final class UndoGroup: @unchecked Sendable {
    enum Item {
        case action(UndoAction)
        case group(UndoGroup)
    }

    var items: [Item] = []
    let parent: UndoGroup?
    let level: Int
    var name = ""
    var isDiscardable = false

    init(in parent: UndoGroup?) {
        self.parent = parent
        level = (parent?.level ?? 0) + 1
    }

    var outermost: UndoGroup { parent?.outermost ?? self }

    var hasActions: Bool {
        items.contains { item in
            switch item {
            case .action: true
            case .group(let group): group.hasActions
            }
        }
    }

    /// Runs the actions, the last first.
    func perform() {
        for item in items.reversed() {
            switch item {
            case .action(let action): if let target = action.target { action.handler(target) }
            case .group(let group): group.perform()
            }
        }
    }

    func removeActions(of target: ObjectIdentifier) {
        items.removeAll { item in
            switch item {
            case .action(let action):
                return action.identifier == target
            case .group(let group):
                group.removeActions(of: target)
                return !group.hasActions
            }
        }
    }
}

/// What takes one change back.
struct UndoAction {
    weak var target: AnyObject?
    /// Known also while the target is being destroyed.
    let identifier: ObjectIdentifier
    let handler: (AnyObject) -> Void

    init(target: AnyObject, handler: @escaping (AnyObject) -> Void) {
        self.target = target
        identifier = ObjectIdentifier(target)
        self.handler = handler
    }
}
#endif
