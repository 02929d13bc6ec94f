public import Foundation
import OpenCoreDataKit

extension PersistentContainer {
    // @unchecked Sendable because the descriptions are copies that only the error holds.
    /// What a container throws.
    public enum Error: LocalizedError, @unchecked Sendable {
        /// Stores could not be loaded; the others were.
        case failedToLoadPersistentStores([NSPersistentStoreDescription: any Swift.Error])
        /// The container was started before: this is its state now.
        case invalidStateToCallStartFrom(State)
        /// Stores can't be deleted while they are being loaded. Nothing was touched.
        case cannotDeleteSQLLiteStoresWhileLoading
        /// The stores are deleted as was asked, and the contexts of this container are of no use any more. Going on needs
        /// a new container, or a new start of the program.
        case reinitializationRequired
        /// There is no model, or none that can be used.
        ///
        /// - Parameters:
        ///   - name: The name of the container.
        ///   - cause: What was looked for and where, or why what is there can't be used.
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
                return "A container starts once, and this one is '\(state.name)' already. Another start needs another "
                    + "container."
            case .cannotDeleteSQLLiteStoresWhileLoading:
                return "Stores can't be deleted while they are being loaded."
            case .reinitializationRequired:
                return "The stores are deleted. The contexts of this container can't be used any more; make a new "
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
