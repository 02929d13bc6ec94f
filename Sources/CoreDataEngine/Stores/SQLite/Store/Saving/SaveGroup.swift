/// Saves that take effect together: what is to be done with their files of external values is done after the last one.
// @unchecked Sendable because only the thread that has the store's writing connection uses it.
final class SaveGroup: @unchecked Sendable {
    /// Supplies the keys of the saves, which are free again if the saves are undone.
    let references: ReferenceAllocator
    /// Whether the store's own reserved keys are used first, and those that are left at the end become the store's. Keys of
    /// saves that are undone are then a gap in the numbers.
    let keepsReferences: Bool
    private var files: [ExternalFiles] = []
    /// Whether the next save is the last one, and its failure that of all of them.
    private var endsWithNextSave = false

    /// - Parameter store: The store's own keys, where those of the group become part of them.
    init(continuing store: ReferenceAllocator? = nil) {
        keepsReferences = store != nil
        references = ReferenceAllocator(continuing: store)
    }

    /// Notes that the next save is the last one, and its failure that of all of them.
    func endWithNextSave() { endsWithNextSave = true }

    /// Whether the save that begins is the last one.
    func takeEnd() -> Bool {
        defer { endsWithNextSave = false }
        return endsWithNextSave
    }

    /// Notes the files of a save.
    func add(_ saved: ExternalFiles) { files.append(saved) }

    /// Notes that whether the rows are there cannot be known for sure from now on.
    func willCommit() { for saved in files { saved.willCommit() } }

    /// Notes what no row names any longer.
    func didSave() { for saved in files { saved.didSave() } }

    /// Removes what was written for nothing.
    func didFail() { for saved in files { saved.didFail() } }
}
