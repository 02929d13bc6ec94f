// Foundation has this class on Apple's systems and lacks it elsewhere.
#if !canImport(Darwin)
public import Foundation

/// Records actions that undo the changes of an application, and actions that redo them.
///
/// Actions are registered in groups, and ``undo()`` undoes the last top-level group. With ``groupsByEvent``, a
/// group opens with the first action and closes automatically: at the end of the turn on the main queue, at the end
/// of the block in `NSManagedObjectContext.perform`, and before ``undo()``.
///
/// A manager belongs to one queue, that of the objects that register with it. It holds targets weakly.
open class UndoManager: NSObject {
    /// What `undo()` takes back, the last group last.
    final var undoStack: [UndoGroup] = []
    /// What `redo()` brings back, the last group last.
    final var redoStack: [UndoGroup] = []
    /// The innermost group that is open.
    final var openGroup: UndoGroup?
    final var phase = Phase.idle
    private var disableCount = 0

    enum Phase {
        case idle, undoing, redoing
    }

    /// Whether a group opens and closes by itself around the actions of one event. True by default.
    open var groupsByEvent = true
    /// How many top-level groups can be undone, and redone, at most. 0, the default, sets no limit.
    open var levelsOfUndo = 0 {
        didSet { trim() }
    }
    /// The modes of the run loop in which events end. Kept for Apple's API; the main queue has no modes.
    open var runLoopModes: [RunLoop.Mode] = [.default]

    // MARK: Groups

    /// How many groups are open inside one another.
    open var groupingLevel: Int { openGroup?.level ?? 0 }

    /// Opens a group. What is registered until it is closed is undone together with its surroundings.
    ///
    /// Groups can be nested. Each call needs one of ``endUndoGrouping()``. With ``groupsByEvent``, the group is opened
    /// inside of the event's group, which is opened if need be.
    open func beginUndoGrouping() {
        if openGroup == nil, groupsByEvent, phase == .idle { openEventGroup() }
        if openGroup != nil { post(.NSUndoManagerCheckpoint) }
        open(UndoGroup(in: openGroup))
    }

    /// Closes the innermost open group. A group without actions is forgotten.
    ///
    /// A call without an open group stops the program with a message.
    open func endUndoGrouping() {
        programmerError(
            unless: openGroup != nil, "endUndoGrouping was called without a matching beginUndoGrouping.")
        post(.NSUndoManagerCheckpoint)
        post(.NSUndoManagerWillCloseUndoGroup)
        closeInnermost()
        post(.NSUndoManagerDidCloseUndoGroup)
    }

    // MARK: Registration

    /// Whether actions are registered.
    open var isUndoRegistrationEnabled: Bool { disableCount == 0 }

    /// Ignores what is registered until the matching call of ``enableUndoRegistration()``. May be nested.
    ///
    /// Actions that are registered in the meantime are dropped without a notice, so changes made then can't be undone.
    open func disableUndoRegistration() { disableCount += 1 }

    /// Takes the effect of ``disableUndoRegistration()`` back.
    ///
    /// Actions are registered again once each call of ``disableUndoRegistration()`` has its counterpart. A call without
    /// one stops the program with a message.
    open func enableUndoRegistration() {
        programmerError(
            unless: disableCount > 0, "enableUndoRegistration was called without disableUndoRegistration.")
        disableCount -= 1
    }

    /// Registers an action that takes a change back.
    ///
    /// Nothing happens while registration is disabled. Without an open group, ``groupsByEvent`` opens one; if that is
    /// off, the program stops with a message. Outside of undoing and redoing, what could be redone is forgotten.
    ///
    /// ```swift
    /// let former = model.name
    /// undoManager.registerUndo(withTarget: model) { $0.name = former }
    /// ```
    ///
    /// - Parameters:
    ///   - target: What the action is about; held weakly, and without it the action does nothing.
    ///   - handler: Takes the change back. What it registers itself is what `redo()` does.
    public final func registerUndo<TargetType: AnyObject>(
        withTarget target: TargetType, handler: @escaping (TargetType) -> Void
    ) {
        guard isUndoRegistrationEnabled else { return }
        if openGroup == nil, groupsByEvent { openEventGroup() }
        guard let openGroup else {
            programmerError(
                "registerUndo needs an open group: call beginUndoGrouping first, or set groupsByEvent.")
        }
        if phase == .idle { redoStack = [] }
        openGroup.items.append(
            .action(
                UndoAction(target: target) { object in
                    if let target = object as? TargetType { handler(target) }
                }))
    }

    // MARK: Undoing

    /// Whether there is anything to undo, be it in a group that is still open.
    open var canUndo: Bool { !undoStack.isEmpty || phase == .idle && openGroup?.outermost.hasActions == true }

    /// Whether there is anything to redo.
    open var canRedo: Bool {
        post(.NSUndoManagerCheckpoint)
        return !redoStack.isEmpty
    }

    /// How many top-level groups can be undone.
    open var undoCount: Int { undoStack.count }
    /// How many top-level groups can be redone.
    open var redoCount: Int { redoStack.count }
    /// Whether ``undo()`` is running.
    open var isUndoing: Bool { phase == .undoing }
    /// Whether ``redo()`` is running.
    open var isRedoing: Bool { phase == .redoing }

    /// Closes the open group, if one is, and takes the last top-level group back.
    ///
    /// Nested groups that are open stop the program with a message. Without anything to undo, and during an undo or
    /// redo, nothing happens. What the actions register can be redone.
    open func undo() {
        guard phase == .idle else { return }
        post(.NSUndoManagerCheckpoint)
        if groupingLevel == 1 { endUndoGrouping() }
        programmerError(unless: groupingLevel == 0, "undo was called while nested undo groups are open.")
        undoNestedGroup()
    }

    /// Takes the last closed group back, a nested one if groups are open. It can be redone as one group.
    ///
    /// Without such a group, and during an undo or redo, nothing happens.
    open func undoNestedGroup() {
        guard phase == .idle else { return }
        post(.NSUndoManagerCheckpoint)
        guard let group = takeLastGroup() else { return }
        post(.NSUndoManagerWillUndoChange)
        if let counterpart = revert(group, during: .undoing) { redoStack.append(counterpart) }
        trim()
        post(.NSUndoManagerDidUndoChange)
    }

    /// Brings back what the last ``undo()`` took back.
    ///
    /// Without anything to redo, and during an undo or redo, nothing happens. What the actions register can be undone
    /// again.
    open func redo() {
        guard phase == .idle else { return }
        post(.NSUndoManagerCheckpoint)
        if groupingLevel == 1 { endUndoGrouping() }
        guard let group = redoStack.popLast() else { return }
        post(.NSUndoManagerWillRedoChange)
        if let counterpart = revert(group, during: .redoing) { undoStack.append(counterpart) }
        trim()
        post(.NSUndoManagerDidRedoChange)
    }

    // MARK: Forgetting

    /// Forgets all actions, and registers again if that was disabled.
    ///
    /// Groups that are open stay open, without their actions.
    open func removeAllActions() {
        undoStack = []
        redoStack = []
        disableCount = 0
        var group = openGroup
        while let open = group {
            open.items = []
            group = open.parent
        }
    }

    /// Removes the actions that were registered with a target.
    ///
    /// Groups that have no actions left are removed as well. `target` has to be the object that the actions were
    /// registered with.
    ///
    /// - Parameter target: The target.
    open func removeAllActions(withTarget target: Any) {
        let identifier = ObjectIdentifier(target as AnyObject)
        for group in undoStack + redoStack { group.removeActions(of: identifier) }
        undoStack.removeAll { !$0.hasActions }
        redoStack.removeAll { !$0.hasActions }
        openGroup?.outermost.removeActions(of: identifier)
    }

    // MARK: Names

    /// The name of the group that ``undo()`` undoes, or an empty string.
    open var undoActionName: String { lastGroup?.name ?? "" }
    /// The name of the group that ``redo()`` redoes, or an empty string.
    open var redoActionName: String { redoStack.last?.name ?? "" }

    /// Names the last, or the open, top-level group. During an undo, it names what can be redone.
    ///
    /// Without a group, nothing happens. The name stays with the group when it is undone and redone.
    ///
    /// - Parameter actionName: The name, for titles of menu items.
    open func setActionName(_ actionName: String) { lastGroup?.name = actionName }

    /// The title of a menu item for ``undo()``.
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
    /// The title of a menu item for ``redo()``.
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }

    /// Returns the title of a menu item that undoes an action.
    ///
    /// The words are English. Override it for other languages; an empty name gives the word alone.
    ///
    /// - Parameter actionName: The name of the action.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// Returns the title of a menu item that redoes an action.
    ///
    /// The words are English. Override it for other languages; an empty name gives the word alone.
    ///
    /// - Parameter actionName: The name of the action.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    // MARK: Discardable actions

    /// Sets whether the last group can be lost without a question, as a change of a selection can.
    ///
    /// Without a group, nothing happens. Undo and redo keep the mark.
    ///
    /// - Parameter discardable: Whether it can be lost.
    open func setActionIsDiscardable(_ discardable: Bool) { lastGroup?.isDiscardable = discardable }
    /// Whether what ``undo()`` takes back can be lost without a question.
    open var undoActionIsDiscardable: Bool { lastGroup?.isDiscardable ?? false }
    /// Whether what ``redo()`` brings back can be lost without a question.
    open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }
}
#endif
