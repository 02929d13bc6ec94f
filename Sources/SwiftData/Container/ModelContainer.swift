import CoreDataEngine
import Synchronization

// @unchecked Sendable because what changes is behind the mutex, and the coordinator is safe to share.
/// The stores of models, and what contexts are made with.
public final class ModelContainer: Equatable, @unchecked Sendable {
    /// The entities.
    public let schema: Schema
    /// The plan by which stores of older versions are migrated, or `nil` if changes are inferred.
    public let migrationPlan: (any SchemaMigrationPlan.Type)?
    /// Where the stores are.
    public let configurations: Set<ModelConfiguration>
    /// What contexts work with.
    let stack: ModelStack
    private let main = Mutex<MainContext>(MainContext())

    // @unchecked Sendable because the context is used on the main actor only.
    private struct MainContext: @unchecked Sendable { var context: ModelContext? }

    /// A container of stores that are open.
    init(_ stack: ModelStack) {
        self.stack = stack
        schema = stack.schema
        migrationPlan = stack.migrationPlan
        configurations = stack.configurations
    }

    /// Opens the store of the models, and creates it if it doesn't exist.
    ///
    /// A store of an older version of the classes is migrated before this returns. Containers of one process and of
    /// several can have the same file open.
    ///
    /// ```swift
    /// let container = try ModelContainer(for: Book.self, Author.self)
    /// ```
    ///
    /// - Parameters:
    ///   - forTypes: The classes. Those that they refer to by relationships are added.
    ///   - migrationPlan: How stores of older versions are migrated. `nil` infers the changes.
    ///   - configurations: The stores. By default, one file `default.store` in the application support
    ///     folder.
    /// - Throws: An error that names what is wrong with a class or a configuration, or that says why a store can't be
    ///   opened.
    public convenience init(
        for forTypes: any PersistentModel.Type..., migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: Schema(forTypes), migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Opens the store of the models, and creates it if it doesn't exist.
    ///
    /// Use it with a schema that has a version. A store of an older version is migrated before this returns.
    ///
    /// - Parameters:
    ///   - givenSchema: The entities.
    ///   - migrationPlan: How stores of older versions are migrated. `nil` infers the changes.
    ///   - configurations: The stores. By default, one file `default.store` in the application support
    ///     folder.
    /// - Throws: An error that names what is wrong with a class or a configuration, or that says why a store can't be
    ///   opened.
    public convenience init(
        for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: ModelConfiguration...
    ) throws {
        try self.init(for: givenSchema, migrationPlan: migrationPlan, configurations: configurations)
    }

    /// Opens the stores of models, and creates those that don't exist.
    ///
    /// Stores are opened in the order of the list. Configurations need different names, if they have any, and different
    /// files; `SwiftDataError.duplicateConfiguration` is thrown otherwise. A schema without entities throws
    /// `SwiftDataError.loadIssueModelContainer`.
    ///
    /// - Parameters:
    ///   - givenSchema: The entities.
    ///   - migrationPlan: How stores of older versions are migrated. `nil` infers the changes.
    ///   - configurations: The stores. By default, one file `default.store` in the application support
    ///     folder.
    /// - Throws: An error that names what is wrong with a class or a configuration, or that says why a store can't be
    ///   opened.
    public init(
        for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
        configurations: [ModelConfiguration]
    ) throws {
        stack = try ModelStack(givenSchema, migrationPlan, configurations)
        schema = givenSchema
        self.migrationPlan = migrationPlan
        self.configurations = stack.configurations
        stack.show(self)
    }

    /// Whether two containers have the same open stores.
    public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool { lhs.stack === rhs.stack }

    /// The context of the main actor, which saves by itself.
    @MainActor
    public var mainContext: ModelContext {
        let known = main.withLock { $0 }
        if let context = known.context { return context }
        let context = stack.mainContext
        main.withLock { $0 = MainContext(context: context) }
        return context
    }

    /// Deletes all models and the files of the stores, and makes new stores.
    ///
    /// Models that were fetched before belong to the stores that are gone. The history starts again.
    ///
    /// - Throws: An error if a file can't be deleted.
    public func erase() throws { try stack.erase() }

    /// Deletes all models.
    ///
    /// Errors are ignored; ``erase()`` throws them.
    @available(*, deprecated, renamed: "erase()")
    public func deleteAllData() { try? erase() }
}
