/// How the contexts of a database are wired: where each reads and saves, and who takes over whose saves.
///
/// There are five presets; other combinations are written out. Blocks of `read`, `write` and `importing`, and drafts of a database,
/// are on the stores in all of them; a layout says where the main context is, and what `context.draft()` of it goes through. Impossible ones are refused when the database is opened.
public struct Layout: Sendable, Hashable {
    /// What a context sits on.
    public enum Base: Sendable, Hashable {
        /// The main context.
        case main
        /// The writer, a background context that is always there.
        case writer
        /// The stores themselves.
        case store
    }

    /// Who takes over what others save.
    public enum Merging: Sendable, Hashable {
        /// No context.
        case none
        /// The main context takes over what its base saves.
        case intoMain
        /// Main context and writer take over each other's saves.
        case both
    }

    /// What contexts do about conflicts with the stores.
    public struct Policies: Sendable, Hashable {
        /// Of the writer, where there is one.
        public var writer: NSMergePolicyType
        /// Of the main context.
        public var main: NSMergePolicyType
        /// Of drafts and other background contexts, which count where these sit on the stores.
        public var drafts: NSMergePolicyType

        /// Sets the policies. Writer and drafts win by property; edits of the main context give way.
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

    /// Whether there is a background context for the database's life, directly on the stores.
    public var hasWriter: Bool
    /// What the main context sits on.
    public var mainOn: Base
    /// What drafts, and the contexts of `write`, sit on.
    public var draftsOn: Base
    /// Who takes over what others save.
    public var merging: Merging
    /// What contexts do about conflicts.
    public var policies: Policies

    /// Makes a layout of one's own.
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
    /// Drafts save into the main context, which saves into the writer, which saves to the stores. The main context
    /// knows of everything at once, and the file is written in the background. Given up: what the main context saves wins over
    /// what others have saved, and a save that fails in the writer waits there for the next one.
    public static let nested = Layout(hasWriter: true, mainOn: .writer, draftsOn: .main)
    /// Drafts save into the writer; the main context, on the writer too, is notified afterwards. The main queue has no
    /// part in a draft's save. Given up: as in ``nested``.
    public static let merging = Layout(hasWriter: true, mainOn: .writer, draftsOn: .writer, merging: .intoMain)
    /// Main context and writer side by side on the stores; each takes over what the other saves. Drafts save into the
    /// writer. Given up: edits of the main context give way, without an error, to what others have saved.
    public static let siblings = Layout(hasWriter: true, mainOn: .store, draftsOn: .writer, merging: .both)
    /// The main context and drafts are on the stores, and nothing is merged: the application refreshes what it shows.
    /// The main context shows what it read last, and its edits give way, without an error, to what others have saved.
    public static let manual = Layout(hasWriter: false, mainOn: .store, draftsOn: .store)

    /// Refuses what can't be built.
    ///
    /// - Throws: ``DatabaseError/invalidLayout(_:reason:)``.
    package func validate() throws {
        func refuse(_ reason: String) throws { throw DatabaseError.invalidLayout(self, reason: reason) }
        if mainOn == .main { try refuse("The main context can't sit on itself.") }
        if mainOn == .writer, !hasWriter { try refuse("The main context sits on a writer, and there is none.") }
        if draftsOn == .writer, !hasWriter { try refuse("Drafts sit on a writer, and there is none.") }
        if merging == .both, !hasWriter { try refuse("Merging both ways takes a writer, and there is none.") }
        if merging == .both, mainOn != .store {
            try refuse("Main context and writer can't take over each other's saves where one saves into the other.")
        }
    }
}

extension Layout: CustomStringConvertible {
    /// What it is, in one line.
    public var description: String {
        "\(hasWriter ? "writer" : "no writer"), main on \(mainOn), drafts on \(draftsOn), merging \(merging)"
    }
}
