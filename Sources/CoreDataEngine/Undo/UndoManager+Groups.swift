#if !canImport(Darwin)
import Foundation

/// How groups open, close and are taken back.
extension UndoManager {
    /// The top-level group that is open, else the last one that was closed.
    final var lastGroup: UndoGroup? { openGroup?.outermost ?? undoStack.last }

    final func open(_ group: UndoGroup) {
        openGroup = group
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    final func closeInnermost() {
        guard let closed = openGroup else { return }
        openGroup = closed.parent
        guard closed.hasActions else { return }
        if let parent = closed.parent {
            parent.items.append(.group(closed))
        } else if phase == .idle {
            undoStack.append(closed)
            trim()
        }
    }

    /// Opens the group that an event's actions are collected in.
    final func openEventGroup() {
        let group = UndoGroup(in: nil)
        open(group)
        guard MainQueue.hasTurn else { return }
        let reference = MainQueueReference(manager: self)
        DispatchQueue.main.async {
            guard let manager = reference.manager, manager.openGroup === group else { return }
            manager.endUndoGrouping()
        }
    }

    /// The group that is undone next: the last one in the open group, or the last top-level one.
    final func takeLastGroup() -> UndoGroup? {
        guard let openGroup else { return undoStack.popLast() }
        guard case .group(let last)? = openGroup.items.last else { return nil }
        openGroup.items.removeLast()
        return last
    }

    /// Runs the actions of a group. What they register is the group's counterpart; `nil` when that is nothing.
    final func revert(_ group: UndoGroup, during phase: Phase) -> UndoGroup? {
        let outer = openGroup
        let counterpart = UndoGroup(in: nil)
        counterpart.name = group.name
        counterpart.isDiscardable = group.isDiscardable
        self.phase = phase
        openGroup = counterpart
        group.perform()
        post(.NSUndoManagerCheckpoint)
        while openGroup != nil, openGroup !== counterpart { closeInnermost() }
        openGroup = outer
        self.phase = .idle
        return counterpart.hasActions ? counterpart : nil
    }

    /// Forgets the oldest groups beyond the limit.
    final func trim() {
        guard levelsOfUndo > 0 else { return }
        undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
        redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
    }

    final func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }
}

/// Carries a manager to the end of the main queue's turn.
// @unchecked Sendable because it is made and opened on the main queue alone.
private struct MainQueueReference: @unchecked Sendable {
    weak var manager: UndoManager?
}
#endif
