/// The parents of a database's contexts, and which contexts merge each other's saves.
///
/// There are five presets, and you can combine the parts yourself. In all of them, blocks of `read`, `write` and
/// `importing` and the database's drafts are directly on the stores. A layout says where the main context is, and which
/// contexts its `draft()` goes through. Impossible combinations are refused when the database is opened.
public struct Layout: Sendable, Hashable {
    /// The parent of a context.
    public enum Base: Sendable, Hashable {
        /// The main context.
        case main
        /// The writer, a background context that lives as long as the database.
        case writer
        /// No parent: the context is directly on the stores.
        case store
    }

    /// The contexts that merge the saves of others.
    public enum Merging: Sendable, Hashable {
        /// No context.
        case none
        /// The main context merges what its parent, or another context on the stores, saves.
        case intoMain
        /// The main context and the writer merge each other's saves.
        case both
    }

    /// The merge policies of the contexts.
    public struct Policies: Sendable, Hashable {
        /// The policy of the writer, if the layout has one.
        public var writer: NSMergePolicyType
        /// The policy of the main context.
        public var main: NSMergePolicyType
        /// The policy of drafts and other background contexts, if they are directly on the stores.
        public var drafts: NSMergePolicyType

        /// Creates policies. By default, writer and drafts win property by property, and edits of the main context give
        /// way.
        ///
        /// A policy is used only where its context saves directly to the stores. Blocks of
        /// ``Database/write(conflicts:locking:_:)`` have their own rules; see ``WriteConflicts``.
        ///
        /// - Parameters:
        ///   - writer: The policy of the writer.
        ///   - main: The policy of the main context.
        ///   - drafts: The policy of drafts and other background contexts.
        public init(
            writer: NSMergePolicyType = .mergeByPropertyObjectTrumpMergePolicyType,
            main: NSMergePolicyType = .rollbackMergePolicyType,
            drafts: NSMergePolicyType = .mergeByPropertyObjectTrumpMergePolicyType
        ) {
            self.writer = writer
            self.main = main
            self.drafts = drafts
        }
    }

    /// Whether there is a writer: a background context directly on the stores that lives as long as the database.
    public var hasWriter: Bool
    /// The parent of the main context.
    public var mainOn: Base
    /// The parent of layout drafts.
    public var draftsOn: Base
    /// The contexts that merge the saves of others.
    public var merging: Merging
    /// The merge policies of the contexts.
    public var policies: Policies
    /// Whether `save()` refuses edits of objects that others have deleted. Contexts of the libraries whose seeds let them
    /// go don't.
    package var refusesLostEdits = true

    /// Creates a layout. Impossible combinations are refused when a database is opened with it.
    ///
    /// Change a preset instead, if only a part differs:
    ///
    /// ```swift
    /// var layout = Layout.standard
    /// layout.policies.main = .mergeByPropertyObjectTrumpMergePolicyType
    /// ```
    ///
    /// Opening a database with an impossible combination, such as a main context on a writer that doesn't exist, throws
    /// ``DatabaseError/invalidLayout(_:reason:)``.
    ///
    /// - Parameters:
    ///   - hasWriter: Whether there is a writer.
    ///   - mainOn: The parent of the main context.
    ///   - draftsOn: The parent of layout drafts.
    ///   - merging: Which contexts merge the saves of others.
    ///   - policies: The merge policies of the contexts.
    public init(
        hasWriter: Bool, mainOn: Base, draftsOn: Base, merging: Merging = .none, policies: Policies = Policies()
    ) {
        self.hasWriter = hasWriter
        self.mainOn = mainOn
        self.draftsOn = draftsOn
        self.merging = merging
        self.policies = policies
    }

    /// The main context is on the stores and merges what others save. A row that it has edited and another context has
    /// changed is a conflict. The default.
    public static let standard = Layout(
        hasWriter: false, mainOn: .store, draftsOn: .store, merging: .intoMain,
        policies: Policies(
            writer: .errorMergePolicyType, main: .errorMergePolicyType, drafts: .errorMergePolicyType))
    /// Drafts save into the main context, which saves into the writer, which saves to the stores. The main context has
    /// all changes at once, and the file is written in the background. In exchange, what the main context saves wins
    /// over what others have saved, and a save that fails in the writer waits there for the next one.
    public static let nested = Layout(hasWriter: true, mainOn: .writer, draftsOn: .main)
    /// Drafts save into the writer, and the main context, whose parent is the writer as well, merges their changes
    /// afterwards. The main queue isn't involved in a draft's save. The rest is as in ``nested``.
    public static let merging = Layout(hasWriter: true, mainOn: .writer, draftsOn: .writer, merging: .intoMain)
    /// The main context and the writer are both on the stores and merge each other's saves. Drafts save into the
    /// writer. In exchange, edits of the main context give way, without an error, to what others have saved.
    public static let siblings = Layout(hasWriter: true, mainOn: .store, draftsOn: .writer, merging: .both)
    /// The main context and drafts are on the stores, and nothing is merged: the application refreshes what it shows.
    /// The main context shows what it read last, and its edits give way, without an error, to what others have saved.
    public static let manual = Layout(hasWriter: false, mainOn: .store, draftsOn: .store)

    /// Refuses what can't be built.
    ///
    /// - Throws: ``DatabaseError/invalidLayout(_:reason:)``.
    package func validate() throws {
        func refuse(_ reason: String) throws { throw DatabaseError.invalidLayout(self, reason: reason) }
        if mainOn == .main { try refuse("The main context can't be its own parent.") }
        if mainOn == .writer, !hasWriter {
            try refuse("The writer is the parent of the main context, but the layout has no writer.")
        }
        if draftsOn == .writer, !hasWriter {
            try refuse("The writer is the parent of drafts, but the layout has no writer.")
        }
        if merging == .both, !hasWriter {
            try refuse("Merging both ways needs a writer, but the layout has no writer.")
        }
        if merging == .both, mainOn != .store {
            try refuse("The main context and the writer can't merge each other's saves if one saves into the other.")
        }
    }
}

extension Layout: CustomStringConvertible {
    /// A description in one line.
    public var description: String {
        "\(hasWriter ? "writer" : "no writer"), main on \(mainOn), drafts on \(draftsOn), merging \(merging)"
    }
}
