import Dispatch
import Foundation

/// What becomes of an open store whose file is replaced by another coordinator of the same process.
extension SQLiteStore {
    /// Closes the files.
    ///
    /// - Returns: Whether they were open. Then `resume` has to be called, for which readers and writers wait.
    func suspend() -> Bool {
        guard let runtime = beginSuspension() else { return false }
        closeRuntime(runtime)
        return true
    }

    /// Opens the file again: the old one, or the one that has taken its place. That is read; to be saved to, the store has
    /// to be removed and added again, since the objects that contexts have are those of the old file.
    func resume(isReplaced: Bool) {
        defer { endSuspension() }
        do {
            try reopen(isReplaced: isReplaced)
        } catch {
            DiagnosticLog.warn("OpenCoreData", "The store \(shortName) can't be opened again: \(error)")
        }
        guard isReplaced else { return }
        becomeReadOnly(
            because: "its file was replaced while it was open; remove it from its coordinator and add it again")
        rowCache.removeAll()
    }
}
