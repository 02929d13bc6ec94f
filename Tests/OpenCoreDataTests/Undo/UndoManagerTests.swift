import Foundation
import OpenCoreData
import TestSupport
import Testing

/// The undo manager by itself: groups, names, limits, notifications.
@Suite struct UndoManagerTests {
    /// A number that registers how to get its former values back.
    private final class Counter {
        let manager: UndoManager
        private(set) var value = 0

        init(_ manager: UndoManager) { self.manager = manager }

        func set(_ new: Int) {
            let old = value
            value = new
            manager.registerUndo(withTarget: self) { $0.set(old) }
        }
    }

    private func manual() -> (UndoManager, Counter) {
        let manager = UndoManager()
        manager.groupsByEvent = false
        return (manager, Counter(manager))
    }

    private func group(_ manager: UndoManager, _ body: () -> Void) {
        manager.beginUndoGrouping()
        body()
        manager.endUndoGrouping()
    }

    @Test func groupsAreUndoneAndRedoneAsAWhole() {
        let (manager, counter) = manual()
        group(manager) {
            counter.set(1)
            counter.set(2)
        }
        group(manager) { counter.set(3) }
        #expect(manager.canUndo && !manager.canRedo && manager.undoCount == 2)
        manager.undo()
        #expect(counter.value == 2 && manager.canRedo)
        manager.undo()
        #expect(counter.value == 0 && !manager.canUndo && manager.redoCount == 2)
        manager.redo()
        #expect(counter.value == 2)
        manager.redo()
        #expect(counter.value == 3 && !manager.canRedo)
        manager.redo()
        #expect(counter.value == 3)
    }

    @Test func aNewActionForgetsWhatCouldBeRedone() {
        let (manager, counter) = manual()
        group(manager) { counter.set(1) }
        manager.undo()
        group(manager) { counter.set(5) }
        #expect(!manager.canRedo)
        manager.undo()
        #expect(counter.value == 0)
    }

    @Test func nestedGroupsBelongToTheOuterOne() {
        let (manager, counter) = manual()
        manager.beginUndoGrouping()
        counter.set(1)
        group(manager) { counter.set(2) }
        #expect(manager.groupingLevel == 1)
        manager.undoNestedGroup()
        #expect(counter.value == 1 && manager.redoCount == 1)
        group(manager) { counter.set(3) }
        manager.endUndoGrouping()
        manager.undo()
        #expect(counter.value == 0 && manager.groupingLevel == 0)
        manager.redo()
        #expect(counter.value == 3)
    }

    @Test func anEventOpensItsGroupByItself() {
        let manager = UndoManager()
        let counter = Counter(manager)
        #expect(manager.groupsByEvent && manager.groupingLevel == 0)
        counter.set(1)
        #expect(manager.groupingLevel == 1 && manager.canUndo)
        counter.set(2)
        manager.undo()
        #expect(counter.value == 0 && manager.groupingLevel == 0)
        manager.beginUndoGrouping()
        #expect(manager.groupingLevel == 2)
        manager.endUndoGrouping()
        manager.redo()
        #expect(counter.value == 2)
    }

    @Test @MainActor func anEventOnTheMainQueueEndsWithTheTurn() async {
        let manager = UndoManager()
        let counter = Counter(manager)
        counter.set(1)
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        #expect(manager.groupingLevel == 0 && manager.undoCount == 1)
        counter.set(2)
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        manager.undo()
        #expect(counter.value == 1)
    }

    @Test func whatIsDisabledIsNotRegistered() {
        let (manager, counter) = manual()
        manager.disableUndoRegistration()
        manager.disableUndoRegistration()
        counter.set(1)
        manager.enableUndoRegistration()
        #expect(!manager.isUndoRegistrationEnabled)
        manager.enableUndoRegistration()
        #expect(manager.isUndoRegistrationEnabled && !manager.canUndo)
        manager.beginUndoGrouping()
        manager.endUndoGrouping()
        #expect(!manager.canUndo)
    }

    @Test func onlyTheLastLevelsAreKept() {
        let (manager, counter) = manual()
        manager.levelsOfUndo = 2
        for value in 1...4 { group(manager) { counter.set(value) } }
        #expect(manager.undoCount == 2)
        for _ in 0..<4 { manager.undo() }
        #expect(counter.value == 2)
        manager.levelsOfUndo = 1
        #expect(manager.redoCount == 1)
    }

    @Test func namesFollowTheirGroups() {
        let (manager, counter) = manual()
        group(manager) {
            counter.set(1)
            manager.setActionName("Add")
            manager.setActionIsDiscardable(true)
        }
        #expect(manager.undoActionName == "Add" && manager.undoMenuItemTitle == "Undo Add")
        #expect(manager.redoActionName.isEmpty && manager.redoMenuItemTitle == "Redo")
        #expect(manager.undoActionIsDiscardable && !manager.redoActionIsDiscardable)
        manager.undo()
        #expect(manager.undoActionName.isEmpty && manager.redoMenuItemTitle == "Redo Add")
        #expect(manager.redoActionIsDiscardable)
        manager.redo()
        #expect(manager.undoActionName == "Add")
        manager.setActionName("Insert")
        #expect(manager.undoMenuItemTitle == "Undo Insert")
    }

    @Test func targetsAreForgottenAndNotKeptAlive() {
        let (manager, counter) = manual()
        var other: Counter? = Counter(manager)
        group(manager) {
            counter.set(1)
            other?.set(1)
        }
        group(manager) { other?.set(2) }
        weak let reference = other
        other = nil
        #expect(reference == nil)
        manager.undo()
        manager.undo()
        #expect(counter.value == 0)
        manager.removeAllActions(withTarget: counter)
        #expect(!manager.canRedo)
        group(manager) { counter.set(7) }
        manager.disableUndoRegistration()
        manager.removeAllActions()
        #expect(!manager.canUndo && manager.isUndoRegistrationEnabled)
    }

    @Test func undoingIsAnnounced() {
        let (manager, counter) = manual()
        let log = NotificationLog(
            manager,
            [
                .NSUndoManagerCheckpoint, .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerWillCloseUndoGroup,
                .NSUndoManagerDidCloseUndoGroup, .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange,
                .NSUndoManagerWillRedoChange, .NSUndoManagerDidRedoChange,
            ])
        group(manager) {
            counter.set(1)
            #expect(!manager.isUndoing && !manager.isRedoing)
        }
        #expect(
            log.names == [
                .NSUndoManagerDidOpenUndoGroup, .NSUndoManagerCheckpoint, .NSUndoManagerWillCloseUndoGroup,
                .NSUndoManagerDidCloseUndoGroup,
            ])
        log.clear()
        var phases: [Bool] = []
        group(manager) { manager.registerUndo(withTarget: counter) { phases.append($0.manager.isUndoing) } }
        log.clear()
        manager.undo()
        let seen = log.names.filter { $0 != .NSUndoManagerCheckpoint }
        #expect(seen == [.NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange])
        #expect(log.names.first == .NSUndoManagerCheckpoint && phases == [true] && !manager.isUndoing)
        manager.undo()
        log.clear()
        manager.redo()
        #expect(log.entries(.NSUndoManagerWillRedoChange).count == 1)
        #expect(log.names.last == .NSUndoManagerDidRedoChange)
    }
}
