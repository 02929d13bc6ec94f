public import Foundation

/// The entity of a class can't be determined.
public enum EntityError: LocalizedError, Hashable {
    /// The context has no coordinator, so it has no model to look into.
    case persistentStoreCoordinatorWasNil
    /// No entity of the model has a class of this name.
    case modelDoesNotContainEntityWithClassName(String)
    /// Several entities of the model have this class; the number says how many.
    case modelContainsMultipleEntitiesWithClassName(String, Int)

    /// The sentence that `localizedDescription` gives.
    public var errorDescription: String? {
        switch self {
        case .persistentStoreCoordinatorWasNil:
            "The context has no persistent store coordinator, so it has no model."
        case .modelDoesNotContainEntityWithClassName(let name):
            "The model has no entity of the class \(name)."
        case .modelContainsMultipleEntitiesWithClassName(let name, let count):
            "The model has \(count) entities of the class \(name), so the class doesn't identify one."
        }
    }
}
