import Dispatch
public import Foundation

/// A description of a store to add.
///
/// Use it from one thread at a time. A container copies its settings when it loads its stores.
open class NSPersistentStoreDescription: NSObject, NSCopying {
    private var settings: [String: NSObject] = [
        NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
        NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
    ]

    /// Describes a SQLite store.
    ///
    /// The store is added with an automatic migration and an inferred mapping model, unless
    /// ``shouldMigrateStoreAutomatically`` or ``shouldInferMappingModelAutomatically`` is set to `false`. Set ``type``
    /// for a store of another type.
    ///
    /// - Parameter url: Where it is, or shall be.
    public init(url: URL) {
        self.url = url
        super.init()
    }

    /// Describes a store without a location of its own: at `/dev/null`, where a SQLite store behaves like a file and is gone
    /// with its coordinator.
    ///
    /// Use it in tests, or for data that needn't outlive the program. Set ``url`` to have the store in a file after
    /// all.
    public override init() {
        url = ScratchStores.url
        super.init()
    }

    /// The type of the store.
    open var type: String = NSSQLiteStoreType
    /// The model configuration whose entities the store keeps; `nil` for all.
    open var configuration: String?
    /// Where the store is.
    open var url: URL?
    /// Whether the store is added in the background.
    open var shouldAddStoreAsynchronously = false

    /// All options, those behind the other properties included.
    open var options: [String: NSObject] { settings }

    /// Whether saving to the store is refused.
    open var isReadOnly: Bool {
        get { flag(NSReadOnlyPersistentStoreOption, default: false) }
        set { setOption(NSNumber(value: newValue), forKey: NSReadOnlyPersistentStoreOption) }
    }

    /// How long to wait for another process that has locked the file, in seconds.
    open var timeout: TimeInterval {
        get { (settings[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { setOption(NSNumber(value: newValue), forKey: NSPersistentStoreTimeoutOption) }
    }

    /// Whether a store of another version of the model is migrated.
    open var shouldMigrateStoreAutomatically: Bool {
        get { flag(NSMigratePersistentStoresAutomaticallyOption, default: false) }
        set { setOption(NSNumber(value: newValue), forKey: NSMigratePersistentStoresAutomaticallyOption) }
    }

    /// Whether a migration may work out by itself how to get from one version to the other.
    open var shouldInferMappingModelAutomatically: Bool {
        get { flag(NSInferMappingModelAutomaticallyOption, default: false) }
        set { setOption(NSNumber(value: newValue), forKey: NSInferMappingModelAutomaticallyOption) }
    }

    /// The pragmas of a SQLite store.
    open var sqlitePragmas: [String: NSObject] {
        guard let pragmas = settings[NSSQLitePragmasOption] as? NSDictionary else { return [:] }
        return pragmas.reduce(into: [:]) { result, entry in
            if let key = entry.key as? String { result[key] = entry.value as? NSObject }
        }
    }

    /// Sets an option.
    ///
    /// The options apply when the store is added; a change afterwards has no effect on an open store. The properties,
    /// such as ``isReadOnly``, set options as well.
    ///
    /// - Parameters:
    ///   - option: The value; `nil` to take the option away.
    ///   - key: One of the store options.
    open func setOption(_ option: NSObject?, forKey key: String) {
        settings[key] = option
    }

    /// Sets a pragma of a SQLite store.
    ///
    /// A pragma that is set again replaces the former value. Without any pragma, the option `NSSQLitePragmasOption` is
    /// removed.
    ///
    /// - Parameters:
    ///   - value: The value; `nil` to take the pragma away.
    ///   - name: The pragma.
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        var pragmas = sqlitePragmas
        pragmas[name] = value
        let dictionary = NSMutableDictionary()
        for (key, value) in pragmas { dictionary.setObject(value, forKey: NSString(string: key)) }
        settings[NSSQLitePragmasOption] = pragmas.isEmpty ? nil : dictionary
    }

    /// The options in the form in which a store takes them.
    var storeOptions: [AnyHashable: Any] {
        settings.reduce(into: [:]) { result, entry in result[AnyHashable(entry.key)] = entry.value }
    }

    /// Runs what adds the store: at once, or in the background when the description says so.
    ///
    /// - Parameters:
    ///   - block: Called once, on the same thread as `adding`, with the error if there was one.
    ///   - adding: Adds the store.
    package final func load(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void,
        adding: @escaping @Sendable (NSPersistentStoreDescription) throws -> Void
    ) {
        guard shouldAddStoreAsynchronously else { return block(self, Self.error { try adding(self) }) }
        // Two boxes: the optimizer of Swift 6.3.1 fails on one with both.
        let description = SendableBox(self)
        let completion = SendableBox(block)
        DispatchQueue.global(qos: .userInitiated).async {
            completion.value(description.value, Self.error { try adding(description.value) })
        }
    }

    private static func error(of work: () throws -> Void) -> (any Error)? {
        do {
            try work()
            return nil
        } catch {
            return error
        }
    }

    private func flag(_ key: String, default value: Bool) -> Bool {
        NSPersistentStore.flag(settings[key]) ?? value
    }

    /// Returns a description with the same settings.
    ///
    /// The copy shares nothing with the original, so either can be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreDescription()
        copy.settings = settings
        copy.type = type
        copy.configuration = configuration
        copy.url = url
        copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentStoreDescription else { return false }
        return type == other.type && configuration == other.configuration && url == other.url
            && shouldAddStoreAsynchronously == other.shouldAddStoreAsynchronously && settings == other.settings
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(type)
        hasher.combine(configuration)
        hasher.combine(url)
        return hasher.finalize()
    }

    open override var description: String {
        "<NSPersistentStoreDescription type: \(type) url: \(url?.withoutSecrets.absoluteString ?? "(none)")>"
    }
}
