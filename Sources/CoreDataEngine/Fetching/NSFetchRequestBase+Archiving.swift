import Foundation

/// The keys of a request's settings in an archive.
private enum ArchiveKey {
    /// The archive's only entry: a property list with the keys below.
    static let settings = "NSFetchRequestSettings"
    static let entityName = "entityName"
    static let predicate = "predicateFormat"
    static let having = "havingFormat"
    static let limit = "fetchLimit"
    static let offset = "fetchOffset"
    static let batchSize = "fetchBatchSize"
    static let resultType = "resultType"
    static let flags = "flags"
    static let sorting = "sortDescriptors"
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
        var settings: [String: Any] = [
            ArchiveKey.limit: fetchLimit, ArchiveKey.offset: fetchOffset, ArchiveKey.batchSize: fetchBatchSize,
            ArchiveKey.resultType: Int(resultType.rawValue), ArchiveKey.flags: flags.rawValue,
        ]
        settings[ArchiveKey.entityName] = entityName
        settings[ArchiveKey.predicate] = predicate?.predicateFormat
        settings[ArchiveKey.having] = havingPredicate?.predicateFormat
        settings[ArchiveKey.columns] = names(of: propertiesToFetch)
        settings[ArchiveKey.groupBy] = names(of: propertiesToGroupBy)
        settings[ArchiveKey.prefetching] = relationshipKeyPathsForPrefetching
        settings[ArchiveKey.sorting] = sortDescriptors?.map { descriptor in
            [descriptor.key ?? "", descriptor.ascending ? "1" : "0", descriptor.selector?.description ?? ""]
        }
        // Numbers and strings always make a property list.
        guard let data = try? PropertyListSerialization.data(fromPropertyList: settings, format: .binary, options: 0)
        else { return }
        coder.encode(data as NSData, forKey: ArchiveKey.settings)
    }

    /// Takes the settings of an archive over.
    ///
    /// - Returns: Whether there were any.
    func decode(from coder: NSCoder) -> Bool {
        guard coder.containsValue(forKey: ArchiveKey.settings),
            let data = coder.decodeObject(of: NSData.self, forKey: ArchiveKey.settings),
            let settings = try? PropertyListFile.readDictionary(data as Data)
        else { return false }
        if let name = settings[ArchiveKey.entityName] as? String { setEntityName(name) }
        predicate = Self.predicate(settings[ArchiveKey.predicate])
        havingPredicate = Self.predicate(settings[ArchiveKey.having])
        fetchLimit = settings[ArchiveKey.limit] as? Int ?? 0
        fetchOffset = settings[ArchiveKey.offset] as? Int ?? 0
        fetchBatchSize = settings[ArchiveKey.batchSize] as? Int ?? 0
        resultType = NSFetchRequestResultType(rawValue: UInt(max(0, settings[ArchiveKey.resultType] as? Int ?? 0)))
        flags = RequestFlags(rawValue: settings[ArchiveKey.flags] as? Int ?? 0)
        propertiesToFetch = settings[ArchiveKey.columns] as? [String]
        propertiesToGroupBy = settings[ArchiveKey.groupBy] as? [String]
        relationshipKeyPathsForPrefetching = settings[ArchiveKey.prefetching] as? [String]
        sortDescriptors = (settings[ArchiveKey.sorting] as? [[String]])?.compactMap { Self.sortDescriptor($0) }
        return true
    }

    private static func predicate(_ format: Any?) -> NSPredicate? {
        (format as? String).map { NSPredicate(format: $0, argumentArray: []) }
    }

    private static func sortDescriptor(_ parts: [String]) -> NSSortDescriptor? {
        guard parts.count == 3 else { return nil }
        return NSSortDescriptor(
            key: parts[0].isEmpty ? nil : parts[0], ascending: parts[1] == "1",
            selector: parts[2].isEmpty ? nil : NSSelectorFromString(parts[2]))
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
}
