/// Where models are kept, and how.
public struct ModelConfiguration: Identifiable, Hashable, Sendable, CustomDebugStringConvertible {
    /// The folder that apps of a group share. Here it is one of that name in the folder for applications' data.
    public struct GroupContainer: Hashable, Sendable {
        let identifier: String?
        /// The folder that isn't shared.
        public static var automatic: GroupContainer { GroupContainer(identifier: nil) }
        /// The folder that isn't shared.
        public static var none: GroupContainer { GroupContainer(identifier: nil) }
        /// The folder of a group, by its name.
        ///
        /// The folder is created with the store. Programs that use the same name and the same file share the models.
        ///
        /// - Parameter groupName: The name.
        /// - Returns: The group's folder.
        public static func identifier(_ groupName: String) -> GroupContainer { GroupContainer(identifier: groupName) }
    }

    /// Kept, without effect.
    public struct CloudKitDatabase: Hashable, Sendable {
        let name: String?
        /// The database of the program.
        public static var automatic: CloudKitDatabase { CloudKitDatabase(name: nil) }
        /// No database.
        public static var none: CloudKitDatabase { CloudKitDatabase(name: nil) }
        /// A private database, by its name.
        ///
        /// Nothing is synchronized: the name is kept for code that is shared with Apple's platforms.
        ///
        /// - Parameter privateDBName: The name.
        /// - Returns: The database.
        public static func `private`(_ privateDBName: String) -> CloudKitDatabase {
            CloudKitDatabase(name: privateDBName)
        }
    }

    /// The name.
    public let name: String
    /// The location of the store's file.
    public var url: URL
    /// The entities.
    public var schema: Schema?
    /// Whether the store can be changed.
    public let allowsSave: Bool
    /// Whether the store is gone with the container.
    public let isStoredInMemoryOnly: Bool
    /// The name of the shared folder.
    public let groupAppContainerIdentifier: String?
    /// The name of the database, which has no effect.
    public let cloudKitContainerIdentifier: String?
    /// Whether a new store may have values whose form in Apple's files is not known. An addition of this library.
    public var allowsUnverifiedEncodings = false
    /// Whether models say who reads them, so that views follow changes. An addition of this library.
    public var observesModels = true
    /// Whether a new model with a unique value that a row has already changes that row; otherwise saving it throws. An
    /// addition of this library.
    public var mergesDuplicates = true
    /// Whether the name was given.
    let isNamed: Bool

    /// The location of the store.
    public var id: URL { url }

    /// Creates a configuration for models of any class.
    ///
    /// The file is `default.store` in the application support folder. The container decides which classes it has.
    ///
    /// - Parameter isStoredInMemoryOnly: Whether the models are in no file, and are lost with the container.
    public init(isStoredInMemoryOnly: Bool = false) {
        self.init(nil, schema: nil, isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    /// Creates a configuration for models of some classes.
    ///
    /// Classes that they have relationships with are added. All of them have to be in the container's schema.
    ///
    /// - Parameters:
    ///   - types: The classes.
    ///   - isStoredInMemoryOnly: Whether the models are in no file, and are lost with the container.
    public init(for types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false) {
        self.init(nil, schema: Schema(types), isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    /// Creates a configuration with a file in the application support folder.
    ///
    /// Nothing is created before a container is made with it. That throws
    /// `SwiftDataError.configurationFileNameContainsInvalidCharacters` for a name with a slash, and
    /// `SwiftDataError.configurationFileNameTooLong` for one of more than 240 bytes. Several configurations of one
    /// container need different names and files.
    ///
    /// - Parameters:
    ///   - name: The name of the configuration, and of its file: `default` without one.
    ///   - schema: The entities in this store, or `nil` for all of the container's.
    ///   - isStoredInMemoryOnly: Whether the models are in no file, and are lost with the container.
    ///   - allowsSave: Whether the store can be changed.
    ///   - groupContainer: The folder in the application support folder that several programs share.
    ///   - cloudKitDatabase: Nothing is synchronized here, whatever the value.
    public init(
        _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true,
        groupContainer: GroupContainer = .automatic, cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        let file = (name ?? "default") + ".store"
        var folder =
            FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory
        if let group = groupContainer.identifier { folder = folder.appendingPathComponent(group, isDirectory: true) }
        self.init(
            name, schema,
            isStoredInMemoryOnly ? URL(fileURLWithPath: "/dev/null") : folder.appendingPathComponent(file),
            isStoredInMemoryOnly, allowsSave, groupContainer.identifier, cloudKitDatabase)
    }

    /// Creates a configuration with a file of your choice.
    ///
    /// The folder of the file is created with the store, unless `allowsSave` is `false`.
    ///
    /// ```swift
    /// let file = ModelConfiguration(url: URL(fileURLWithPath: "/srv/books/books.store"))
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the configuration.
    ///   - schema: The entities in this store, or `nil` for all of the container's.
    ///   - url: The file, or `/dev/null` for a store in memory.
    ///   - allowsSave: Whether the store can be changed.
    ///   - cloudKitDatabase: Nothing is synchronized here, whatever the value.
    public init(
        _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
        cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.init(name, schema, url, url.path == "/dev/null", allowsSave, nil, cloudKitDatabase)
    }

    private init(
        _ name: String?, _ schema: Schema?, _ url: URL, _ isStoredInMemoryOnly: Bool, _ allowsSave: Bool,
        _ group: String?, _ database: CloudKitDatabase
    ) {
        self.name = name ?? "default"
        isNamed = name != nil
        self.schema = schema
        self.url = url
        self.isStoredInMemoryOnly = isStoredInMemoryOnly
        self.allowsSave = allowsSave
        groupAppContainerIdentifier = group
        cloudKitContainerIdentifier = database.name
    }

    /// The name and the place, without a password.
    public var debugDescription: String {
        "ModelConfiguration(\(name), \(place)\(allowsSave ? "" : ", reading only"))"
    }

    /// - Throws: An error where no file can have the name.
    func check() throws {
        guard isNamed else { return }
        if name.contains("/") || name.contains("\0") {
            throw SwiftDataError(
                .configurationFileNameContainsInvalidCharacters, "No file can have the name '\(name)'.")
        }
        if name.utf8.count > 240 {
            throw SwiftDataError(.configurationFileNameTooLong, "The name of the configuration is too long: '\(name)'.")
        }
    }
}
