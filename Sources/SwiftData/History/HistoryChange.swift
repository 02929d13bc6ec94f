/// A change that a transaction of the history made.
public enum HistoryChange: Sendable {
    /// A model is new.
    case insert(any HistoryInsert)
    /// Attributes or relationships of a model changed.
    case update(any HistoryUpdate)
    /// A model was deleted.
    case delete(any HistoryDelete)

    /// What identifies the model.
    public var changedPersistentIdentifier: PersistentIdentifier {
        switch self {
        case .insert(let change): change.changedPersistentIdentifier
        case .update(let change): change.changedPersistentIdentifier
        case .delete(let change): change.changedPersistentIdentifier
        }
    }
}

/// That a model is new.
public protocol HistoryInsert<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// The type of what identifies a change.
    associatedtype ChangeIdentifier: Hashable & Sendable
    /// The type of what identifies a transaction.
    associatedtype TransactionIdentifier: Hashable & Sendable

    /// What identifies the change.
    var changeIdentifier: ChangeIdentifier { get }
    /// What identifies the transaction.
    var transactionIdentifier: TransactionIdentifier { get }
    /// What identifies the model.
    var changedPersistentIdentifier: PersistentIdentifier { get }
}

/// That properties of a model changed.
public protocol HistoryUpdate<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// The type of what identifies a change.
    associatedtype ChangeIdentifier: Hashable & Sendable
    /// The type of what identifies a transaction.
    associatedtype TransactionIdentifier: Hashable & Sendable

    /// What identifies the change.
    var changeIdentifier: ChangeIdentifier { get }
    /// What identifies the transaction.
    var transactionIdentifier: TransactionIdentifier { get }
    /// What identifies the model.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The properties that changed.
    var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// That a model was deleted.
public protocol HistoryDelete<Model>: Sendable {
    /// The class of the model.
    associatedtype Model: PersistentModel
    /// The type of what identifies a change.
    associatedtype ChangeIdentifier: Hashable & Sendable
    /// The type of what identifies a transaction.
    associatedtype TransactionIdentifier: Hashable & Sendable

    /// What identifies the change.
    var changeIdentifier: ChangeIdentifier { get }
    /// What identifies the transaction.
    var transactionIdentifier: TransactionIdentifier { get }
    /// What identifies the model.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The values that outlived the model: those of attributes with the option `preserveValueOnDeletion`.
    var tombstone: HistoryTombstone<Model> { get }
}

/// That a model is new, in the history of this module's stores.
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert {
    /// The number of the change in its store.
    public let changeIdentifier: Int64
    /// The number of the transaction in its store.
    public let transactionIdentifier: Int64
    /// What identifies the model.
    public let changedPersistentIdentifier: PersistentIdentifier
}

// @unchecked Sendable because key paths of properties are immutable.
/// That properties of a model changed, in the history of this module's stores.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate, @unchecked Sendable {
    /// The number of the change in its store.
    public let changeIdentifier: Int64
    /// The number of the transaction in its store.
    public let transactionIdentifier: Int64
    /// What identifies the model.
    public let changedPersistentIdentifier: PersistentIdentifier
    /// The properties that changed.
    public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]
}

/// That a model was deleted, in the history of this module's stores.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete {
    /// The number of the change in its store.
    public let changeIdentifier: Int64
    /// The number of the transaction in its store.
    public let transactionIdentifier: Int64
    /// What identifies the model.
    public let changedPersistentIdentifier: PersistentIdentifier
    /// The values that outlived the model.
    public let tombstone: HistoryTombstone<Model>
}

// @unchecked Sendable because key paths of properties are immutable.
/// The values that outlived a deleted model.
public struct HistoryTombstone<Model: PersistentModel>: Sequence, @unchecked Sendable {
    /// A property and its last value.
    public typealias Element = (key: any PartialKeyPath<Model> & Sendable, value: any Sendable)

    private let values: [Element]
    /// By the names of the properties: accessors that are written by hand may have key paths of their own.
    private let valuesByName: [String: any Sendable]

    init(_ values: [Element], byName: [String: any Sendable]) {
        self.values = values
        valuesByName = byName
    }

    /// The last value of a property; `nil` if it had none, or it isn't an attribute with `preserveValueOnDeletion`.
    ///
    /// Key paths of inherited properties can be used, too.
    ///
    /// - Parameter keyPath: The property.
    /// - Returns: The value, or `nil`.
    public subscript(keyPath: any PartialKeyPath<Model> & Sendable) -> (any Sendable)? {
        values.first { $0.key == keyPath }?.value
            ?? KeyPathRecorder.name(of: keyPath, Model.self).flatMap { valuesByName[$0] }
    }

    /// The properties with their last values, those that a superclass declares included.
    ///
    /// Properties without a value aren't among them. The order isn't determined.
    ///
    /// - Returns: An iterator.
    public func makeIterator() -> IndexingIterator<[Element]> { values.makeIterator() }
}
