extension DatabaseError: LocalizedError, CustomStringConvertible {
    /// The sentence that `localizedDescription` returns.
    public var errorDescription: String? { description }

    /// A description in one line.
    public var description: String {
        switch self {
        case .modelNotFound(let name, let searched, let candidates, let cause):
            Self.missingModel(name, searched, candidates, cause)
        case .unknownEntity(let className, let known):
            "The model has no entity of the class \(className). It has: \(Self.list(known))."
        case .ambiguousEntity(let className, let entities):
            "The class \(className) belongs to several entities: \(Self.list(entities))."
        case .invalidLayout(let layout, let reason):
            "The layout (\(layout)) isn't possible: \(reason)"
        case .duplicateStore(let store, let reason):
            "The store \(store) can't be added: \(reason)"
        case .storeFailed(let store, _, let cause):
            "\(store.isEmpty ? "A store" : "The store \(store)") failed: \(Self.sentence(cause))"
        case .incompatibleStore(let url, let cause):
            "The store \(url?.displayName ?? "in memory") doesn't match the model: \(Self.sentence(cause))"
        case .notFound(let entity, let condition):
            condition.map { "There is no \(entity) with \($0)." } ?? "There is no \(entity)."
        case .invalidQuery(let entity, let reason):
            "The query for \(entity) can't be executed: \(reason)"
        case .validation(let failures):
            "Not valid: \(failures.map(\.description).joined(separator: "; "))"
        case .conflict(let conflicts):
            "In conflict with the store: \(conflicts.map(\.description).joined(separator: "; "))"
        case .readOnly(let reason): reason
        case .undecodable(let entity, let property, let value, let type):
            "The value \(value) of \(entity).\(property) can't be read as \(type)."
        case .foreignObject(let entity, let reason):
            "The object of the entity \(entity) can't be used here: \(reason)"
        case .closed(let name):
            "The database \(name) is closed, or was erased since this was made."
        }
    }

    private static func missingModel(
        _ name: String?, _ searched: [URL], _ candidates: [String], _ cause: (any Error)?
    ) -> String {
        let paths = searched.map(\.path).joined(separator: ", ")
        if let cause { return "The model \(name ?? "") can't be read (\(paths)): \(sentence(cause))" }
        let there = candidates.isEmpty ? "There is no other." : "There are: \(list(candidates))."
        guard let name else { return "No model name was given, so exactly one model must be in: \(paths). \(there)" }
        return "There is no model '\(name)' in: \(paths). \(there)"
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
    }

    /// What an error says of itself, without the type around it.
    package static func sentence(_ error: any Error) -> String {
        if let error = error as? CocoaError, let string = error.userInfo[NSLocalizedDescriptionKey] as? String {
            return string
        }
        if let error = error as? any LocalizedError, let string = error.errorDescription { return string }
        return String(describing: error)
    }
}
