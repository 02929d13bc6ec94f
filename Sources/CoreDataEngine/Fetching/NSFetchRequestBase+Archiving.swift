import Foundation

/// The keys of a request in an archive.
private enum ArchiveKey {
    static let entityName = "entityName"
    static let predicate = "predicateFormat"
    static let having = "havingFormat"
    static let limit = "fetchLimit"
    static let offset = "fetchOffset"
    static let batchSize = "fetchBatchSize"
    static let resultType = "resultType"
    static let flags = "flags"
    static let sortKeys = "sortKeys"
    static let sortDirections = "sortDirections"
    static let sortSelectors = "sortSelectors"
    static let columns = "propertiesToFetch"
    static let groupBy = "propertiesToGroupBy"
    static let prefetching = "prefetchingKeyPaths"
}

/// The boolean settings as bits of one number.
private struct RequestFlags: OptionSet {
    let rawValue: Int
    static let subentities = RequestFlags(rawValue: 1)
    static let propertyValues = RequestFlags(rawValue: 2)
    static let pendingChanges = RequestFlags(rawValue: 4)
    static let faults = RequestFlags(rawValue: 8)
    static let refresh = RequestFlags(rawValue: 16)
    static let distinct = RequestFlags(rawValue: 32)
}

extension NSFetchRequestBase {
    func encodeSettings(with coder: NSCoder) {
        coder.encode(entityName as NSString?, forKey: ArchiveKey.entityName)
        coder.encode(predicate?.predicateFormat as NSString?, forKey: ArchiveKey.predicate)
        coder.encode(havingPredicate?.predicateFormat as NSString?, forKey: ArchiveKey.having)
        coder.encode(fetchLimit, forKey: ArchiveKey.limit)
        coder.encode(fetchOffset, forKey: ArchiveKey.offset)
        coder.encode(fetchBatchSize, forKey: ArchiveKey.batchSize)
        coder.encode(Int(resultType.rawValue), forKey: ArchiveKey.resultType)
        coder.encode(flags.rawValue, forKey: ArchiveKey.flags)
        encode(names(of: propertiesToFetch), with: coder, forKey: ArchiveKey.columns)
        encode(names(of: propertiesToGroupBy), with: coder, forKey: ArchiveKey.groupBy)
        encode(relationshipKeyPathsForPrefetching, with: coder, forKey: ArchiveKey.prefetching)
        let sorts = sortDescriptors
        encode(sorts?.map { $0.key ?? "" }, with: coder, forKey: ArchiveKey.sortKeys)
        encode(sorts?.map { $0.ascending ? "1" : "0" }, with: coder, forKey: ArchiveKey.sortDirections)
        encode(
            sorts?.map { $0.selector.map(NSStringFromSelector) ?? "" }, with: coder, forKey: ArchiveKey.sortSelectors)
    }

    func decode(from coder: NSCoder) {
        if let name = text(coder, ArchiveKey.entityName) { setEntityName(name) }
        predicate = text(coder, ArchiveKey.predicate).map { NSPredicate(format: $0, argumentArray: []) }
        havingPredicate = text(coder, ArchiveKey.having).map { NSPredicate(format: $0, argumentArray: []) }
        fetchLimit = coder.decodeInteger(forKey: ArchiveKey.limit)
        fetchOffset = coder.decodeInteger(forKey: ArchiveKey.offset)
        fetchBatchSize = coder.decodeInteger(forKey: ArchiveKey.batchSize)
        resultType = NSFetchRequestResultType(rawValue: UInt(max(0, coder.decodeInteger(forKey: ArchiveKey.resultType))))
        flags = RequestFlags(rawValue: coder.decodeInteger(forKey: ArchiveKey.flags))
        propertiesToFetch = texts(coder, ArchiveKey.columns)
        propertiesToGroupBy = texts(coder, ArchiveKey.groupBy)
        relationshipKeyPathsForPrefetching = texts(coder, ArchiveKey.prefetching)
        sortDescriptors = decodeSortDescriptors(from: coder)
    }

    private func decodeSortDescriptors(from coder: NSCoder) -> [NSSortDescriptor]? {
        guard let keys = texts(coder, ArchiveKey.sortKeys), let directions = texts(coder, ArchiveKey.sortDirections),
            let selectors = texts(coder, ArchiveKey.sortSelectors), keys.count == directions.count,
            keys.count == selectors.count
        else { return nil }
        return keys.indices.map { index in
            NSSortDescriptor(
                key: keys[index].isEmpty ? nil : keys[index], ascending: directions[index] == "1",
                selector: selectors[index].isEmpty ? nil : NSSelectorFromString(selectors[index]))
        }
    }

    private var flags: RequestFlags {
        get {
            var flags: RequestFlags = []
            if includesSubentities { flags.insert(.subentities) }
            if includesPropertyValues { flags.insert(.propertyValues) }
            if includesPendingChanges { flags.insert(.pendingChanges) }
            if returnsObjectsAsFaults { flags.insert(.faults) }
            if shouldRefreshRefetchedObjects { flags.insert(.refresh) }
            if returnsDistinctResults { flags.insert(.distinct) }
            return flags
        }
        set {
            includesSubentities = newValue.contains(.subentities)
            includesPropertyValues = newValue.contains(.propertyValues)
            includesPendingChanges = newValue.contains(.pendingChanges)
            returnsObjectsAsFaults = newValue.contains(.faults)
            shouldRefreshRefetchedObjects = newValue.contains(.refresh)
            returnsDistinctResults = newValue.contains(.distinct)
        }
    }

    /// Columns by name; computed columns have no archived form and are left out.
    private func names(of properties: [Any]?) -> [String]? {
        properties?.compactMap { property in
            if property is NSExpressionDescription { return nil }
            return (property as? NSPropertyDescription)?.name ?? property as? String
        }
    }

    private func encode(_ texts: [String]?, with coder: NSCoder, forKey key: String) {
        guard let texts else { return }
        coder.encode(NSArray(array: texts.map { NSString(string: $0) }), forKey: key)
    }

    private func text(_ coder: NSCoder, _ key: String) -> String? {
        (coder.decodeObject(of: NSString.self, forKey: key)).map { String(describing: $0) }
    }

    private func texts(_ coder: NSCoder, _ key: String) -> [String]? {
        coder.decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? [String]
    }
}
