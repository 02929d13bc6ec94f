/// Errors of the engine in the kit's words.
extension DatabaseError {
    /// What a failed fetch or batch becomes: a mistake in the query, or a store that failed. Errors of the kit stay.
    static func ofQuery(_ error: any Error, entity: String, predicate: NSPredicate?) -> DatabaseError {
        if let error = error as? DatabaseError { return error }
        if let error = error as? UnacceptableValue { return .invalidQuery(entity: entity, reason: error.sentence) }
        let cocoa = error as? CocoaError
        let isMistake = cocoa.map { $0.code == .coreData || $0.code == .formatting || $0.isValidationError } ?? false
        guard isMistake || cocoa == nil else {
            let path = cocoa?.userInfo[NSFilePathErrorKey] as? String
            return .storeFailed(
                store: path ?? "of \(entity)", url: path.map { URL(fileURLWithPath: $0) }, cause: error)
        }
        let condition = predicate.map { " The condition is: \($0.predicateFormat)" } ?? ""
        return .invalidQuery(entity: entity, reason: sentence(error) + condition)
    }

    /// Runs a piece of work of the engine, with its errors in the kit's words.
    static func translating<Result>(
        _ layout: EntityLayout, _ predicate: NSPredicate?, _ work: () throws -> Result
    ) throws -> Result {
        do {
            return try work()
        } catch {
            throw ofQuery(error, entity: layout.name, predicate: predicate)
        }
    }
}
