import OpenCoreData
import Testing

/// Items of snapshots that come, move and go.
struct SnapshotItemTests {
    private func snapshot() -> NSDiffableDataSourceSnapshot<String, Int> {
        var snapshot = NSDiffableDataSourceSnapshot<String, Int>()
        snapshot.appendSections(["a", "b"])
        snapshot.appendItems([1, 2], toSection: "a")
        snapshot.appendItems([3], toSection: "b")
        return snapshot
    }

    @Test func anItemMovesIntoTheOthersSection() {
        var snapshot = snapshot()
        snapshot.moveItem(1, afterItem: 3)
        snapshot.moveItem(2, beforeItem: 3)
        #expect(snapshot.itemIdentifiers(inSection: "a").isEmpty)
        #expect(snapshot.itemIdentifiers(inSection: "b") == [2, 3, 1])
    }

    @Test func anUnknownItemIsNotInsertedByMovingIt() {
        var snapshot = snapshot()
        snapshot.moveItem(9, beforeItem: 1)
        snapshot.moveItem(9, afterItem: 3)
        snapshot.moveItem(1, afterItem: 9)
        #expect(snapshot.itemIdentifiers == [1, 2, 3])
    }

    @Test func whatMovesStaysMarked() {
        var snapshot = snapshot()
        snapshot.reloadItems([1])
        snapshot.reconfigureItems([2])
        snapshot.moveItem(1, afterItem: 3)
        snapshot.moveItem(2, beforeItem: 3)
        #expect(snapshot.itemIdentifiers == [2, 3, 1])
        #expect(snapshot.reloadedItemIdentifiers == [1])
        #expect(snapshot.reconfiguredItemIdentifiers == [2])
    }

    @Test func whatIsDeletedIsNotReloaded() {
        var snapshot = snapshot()
        snapshot.reloadItems([1, 2])
        snapshot.reconfigureItems([1, 3])
        snapshot.reloadSections(["a"])
        snapshot.deleteItems([1])
        #expect(snapshot.reloadedItemIdentifiers == [2])
        #expect(snapshot.reconfiguredItemIdentifiers == [3])
        snapshot.deleteSections(["b"])
        #expect(snapshot.reconfiguredItemIdentifiers.isEmpty)
        snapshot.reconfigureItems([2])
        snapshot.deleteAllItems()
        #expect(snapshot.reloadedItemIdentifiers.isEmpty && snapshot.reconfiguredItemIdentifiers.isEmpty)
        #expect(snapshot.reloadedSectionIdentifiers.isEmpty)
    }

    @Test func itemsForASectionThatCannotBeOneGoNowhere() {
        struct NotHashable {}
        let reference = NSDiffableDataSourceSnapshotReference()
        reference.appendSections(withIdentifiers: ["a"])
        reference.appendItems(withIdentifiers: [1], intoSectionWithIdentifier: NotHashable())
        #expect(reference.numberOfItems == 0)
    }
}
