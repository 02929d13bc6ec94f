import Foundation

/// What a context's fetch asks of the stores, whatever its results are.
struct ContextSearch {
    /// What the stores answered.
    enum Answer {
        case rows([StoreAnswer<[RowSlab]>])
        case columns([StoreAnswer<[[PropertyValue]]>], [ResultColumn])
        case count(Int)
        /// The stores have no say, or not the last one: the context is to be asked.
        case context
    }

    fileprivate enum Kind {
        case rows, count, context
        case columns([ResultColumn])
    }

    fileprivate let kind: Kind
    fileprivate let search: StoreSearch?

    /// Asks the stores. May run on any thread.
    func answer() throws -> Answer {
        guard let search else { return .context }
        return switch kind {
        case .rows: .rows(try search.rows())
        case .columns(let columns): .columns(try search.columns(), columns)
        case .count: .count(try search.count())
        case .context: .context
        }
    }
}

extension NSManagedObjectContext {
    /// What a request asks of the stores.
    ///
    /// - Throws: An error that names what is wrong with the request.
    final func search(for request: NSFetchRequestBase) throws -> ContextSearch {
        let layout = try entity(of: request)
        if let error = request.predicate?.formatError ?? request.havingPredicate?.formatError { throw error }
        if parent != nil { return ContextSearch(kind: .context, search: nil) }
        switch request.resultType {
        case .dictionaryResultType:
            let (query, columns) = try request.columnQuery(for: layout)
            return ContextSearch(
                kind: .columns(columns), search: try search(query, in: stores(for: request, layout)))
        case .countResultType:
            if request.includesPendingChanges, try pendingOverlay(for: request, layout) != nil {
                return ContextSearch(kind: .context, search: nil)
            }
            return ContextSearch(kind: .count, search: try countSearch(request, layout))
        default: return ContextSearch(kind: .rows, search: try objectSearch(request, layout))
        }
    }

    /// The results that the stores' answer represents, unsaved changes included as they are now.
    final func results<T>(of request: NSFetchRequest<T>, _ answer: ContextSearch.Answer) throws -> [T] {
        switch answer {
        case .context: return try fetch(request)
        case .count(let count): return try cast([NSNumber(value: count)], request)
        case .columns(let answers, let columns):
            return try cast(dictionaries(answers, columns, try entity(of: request)), request)
        case .rows(let answers):
            let objects = try objects(answers, request, try entity(of: request), isBeside: true)
            if request.resultType == .managedObjectIDResultType { return try cast(objects.map(\.objectID), request) }
            return try cast(objects, request)
        }
    }
}
