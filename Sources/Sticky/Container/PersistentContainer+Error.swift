public import Foundation
import OpenCoreDataKit

extension PersistentContainer {
    // @unchecked Sendable because the descriptions are copies that only the error holds.
    /// The errors of a container.
    public enum Error: LocalizedError, @unchecked Sendable {
        /// Stores could not be loaded; the others were.
        case failedToLoadPersistentStores([NSPersistentStoreDescription: any Swift.Error])
        /// The container was started before: this is its state now.
        case invalidStateToCallStartFrom(State)
        /// Stores can't be deleted while they are being loaded. Nothing was touched.
        case cannotDeleteSQLLiteStoresWhileLoading
        /// The stores were deleted, so the contexts of this container can no longer be used. Create a new container, or
        /// restart the program.
        case reinitializationRequired
        /// The model wasn't found, or can't be used.
        ///
        /// - Parameters:
        ///   - name: The name of the container.
        ///   - cause: The error, with the locations that were searched or the reason why the model can't be used.
        case modelNotFound(name: String, cause: any Swift.Error)

        /// The sentence that `localizedDescription` gives.
        public var errorDescription: String? {
            switch self {
            case .failedToLoadPersistentStores(let failures):
                let sentences = failures.map { description, error in
                    let sentence = DatabaseError.sentence(error)
                    // The kit's sentences say which store it is.
                    return error is DatabaseError
                        ? sentence : "\(description.url?.path ?? description.type): \(sentence)"
                }
                return "Stores can't be loaded. \(sentences.sorted().joined(separator: " "))"
            case .invalidStateToCallStartFrom(let state):
                return
                    "A container can be started only once, and this one is already '\(state.name)'. Another start needs another "
                    + "container."
            case .cannotDeleteSQLLiteStoresWhileLoading:
                return "Stores can't be deleted while they are being loaded."
            case .reinitializationRequired:
                return "The stores are deleted. The contexts of this container can no longer be used; create a new "
                    + "container, or end the program."
            case .modelNotFound(let name, let cause):
                return "The container '\(name)' has no model: \(DatabaseError.sentence(cause))"
            }
        }
    }
}

extension PersistentContainer.State {
    fileprivate var name: String {
        switch self {
        case .reset: "reset"
        case .loading: "loading"
        case .loaded: "loaded"
        case .failedToLoad: "failedToLoad"
        }
    }
}
