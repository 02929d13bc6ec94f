public import OpenCoreDataKit

/// The type and directory of a manager's store.
public enum StoreType: Sendable, Hashable {
    /// A SQLite file in a directory, called like the model with the ending `sqlite`.
    case sqlite(URL)
    /// A file in a directory, called like the model, that is read whole when it is opened and written whole at each save.
    case binary(URL)
    /// No file: the objects are gone with the manager. Meant for tests.
    case inMemory

    /// Core Data's name of the type.
    public var type: String {
        switch self {
        case .sqlite: NSSQLiteStoreType
        case .binary: NSBinaryStoreType
        case .inMemory: NSInMemoryStoreType
        }
    }

    /// The directory of the file; `nil` in memory.
    public var storeDirectory: URL? {
        switch self {
        case .sqlite(let directory), .binary(let directory): directory
        case .inMemory: nil
        }
    }

    /// The kit's store for a model.
    func store(named modelName: String) -> Store {
        switch self {
        case .sqlite(let directory): .sqlite(in: .at(directory), named: "\(modelName).sqlite")
        case .binary(let directory): .binary(in: .at(directory), named: modelName)
        case .inMemory: .memory()
        }
    }
}
