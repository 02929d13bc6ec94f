extension SourcePort {
    /// Modules that bring the types.
    private static let bringing: Set<String> = [
        "CoreData", "OpenCoreData", "OpenCoreDataKit", "OpenCoreDataMacros", "CoreDataMonk", "THRCoreData",
        "CoreDataCandy", "BNRCoreDataStack", "CoreDataStack", "Sticky",
    ]
    /// What the names of Core Data's types, constants and notifications begin with.
    private static let prefixes = [
        "NSAsynchronousFetch", "NSAtomicStore", "NSAttributeDescription", "NSAttributeType", "NSBatch",
        "NSCompositeAttribute", "NSCustomMigration", "NSDeleteRule", "NSDerivedAttribute", "NSEntityDescription",
        "NSEntityM", "NSExpressionDescription", "NSFetch", "NSIncrementalStore", "NSLightweightMigration", "NSManaged",
        "NSMapping", "NSMerge", "NSMigration", "NSPersistent", "NSPropertyDescription", "NSPropertyMapping",
        "NSQueryGeneration", "NSRelationshipDescription", "NSSaveChanges", "NSSnapshotEvent", "NSStagedMigration",
    ]
    /// What Foundation declares on Apple's platforms, and the engine elsewhere, and constants of Core Data.
    private static let names: Set<String> = [
        "NSComparisonPredicate", "NSCompoundPredicate", "NSExpression", "NSPredicate", "NSSelectorFromString",
        "NSStringFromSelector",
        "NSSortDescriptor", "NSSecureUnarchiveFromDataTransformer", "NSValueTransformerName", "UndoManager",
        "ValueTransformer", "NSStringFromClass", "autoreleasepool", "NSSQLiteStoreType", "NSInMemoryStoreType",
        "NSBinaryStoreType", "NSXMLStoreType", "NSConstraintConflict", "NSDiffableDataSourceSnapshot",
        "NSDiffableDataSourceSnapshotReference", "NSErrorMergePolicy", "NSOverwriteMergePolicy",
        "NSRollbackMergePolicy",
        "NSInferMappingModelAutomaticallyOption", "NSReadOnlyPersistentStoreOption", "NSInsertedObjectsKey",
        "NSUpdatedObjectsKey", "NSDeletedObjectsKey", "NSRefreshedObjectsKey", "NSInvalidatedObjectsKey",
        "NSInvalidatedAllObjectsKey", "NSDetailedErrorsKey", "NSValidationKeyErrorKey", "NSStoreUUIDKey",
        "NSStoreTypeKey", "NSStoreModelVersionHashesKey",
    ]
    private static let declaring = ["class", "struct", "enum", "protocol", "typealias", "actor", "func", "case"]

    /// The import of Core Data for a file that uses its types without it. Outside Apple's platforms, no other module brings
    /// them.
    static func importEdits(_ source: PortableSource) -> [SourceEdit] {
        let imports = source.tokens.indices.compactMap { index in
            importedModule(source, index).map { (index: index, module: $0) }
        }
        guard !imports.contains(where: { bringing.contains($0.module) }), usesCoreData(source) else { return [] }
        let newline = source.scalars.contains("\r") ? "\r\n" : "\n"
        let plain = imports.filter { source.branches[$0.index] == 0 }
        let (position, text) =
            if let next = plain.first(where: { $0.module > "CoreData" }) {
                (source.startOfLine(source.tokens[next.index].range.lowerBound), "import CoreData\(newline)")
            } else if let last = plain.last {
                (source.endOfLine(source.tokens[last.index].range.upperBound), "\(newline)import CoreData")
            } else if !imports.isEmpty, let condition = source.allTokens.first(where: \.isDirective) {
                (source.startOfLine(condition.range.lowerBound), "import CoreData\(newline)")
            } else {
                (source.endOfHead, "import CoreData\(newline)\(newline)")
            }
        return [SourceEdit(range: position..<position, text: text)]
    }

    /// The module of an import that begins with a token.
    private static func importedModule(_ source: PortableSource, _ index: Int) -> String? {
        guard source.tokens[index].isWord("import"), let next = source.token(index + 1)?.name else { return nil }
        let kinds = ["class", "struct", "enum", "protocol", "typealias", "func", "var", "let"]
        return kinds.contains(next) ? source.token(index + 2)?.name : next
    }

    private static func usesCoreData(_ source: PortableSource) -> Bool {
        source.tokens.indices.contains { index in
            guard source.tokens[index].name.map(isCoreData) == true else {
                return source.tokens[index].interpolations.contains {
                    usesCoreData(PortableSource(source.text($0)))
                }
            }
            return !declaring.contains { source.token(index - 1)?.isWord($0) == true }
        }
    }

    private static func isCoreData(_ name: String) -> Bool {
        names.contains(name) || name.hasPrefix("NS") && prefixes.contains(where: name.hasPrefix)
    }
}

extension PortableSource {
    fileprivate func startOfLine(_ position: Int) -> Int {
        scalars[..<position].lastIndex(of: "\n").map { $0 + 1 } ?? 0
    }

    /// The position of the line's end, in front of what ends it.
    fileprivate func endOfLine(_ position: Int) -> Int {
        let end = scalars[position...].firstIndex(of: "\n") ?? scalars.count
        return end > position && scalars[end - 1] == "\r" ? end - 1 : end
    }

    /// The position behind the comment that a file begins with, and behind the empty line after it.
    fileprivate var endOfHead: Int {
        let lines = text(0..<scalars.count).split(separator: "\n", omittingEmptySubsequences: false)
        var position = 0
        for line in lines where position < scalars.count {
            let isComment = line.hasPrefix("//") && !line.hasPrefix("///") || line.hasPrefix("#!")
            let isBlank = line.allSatisfy(\.isWhitespace)
            guard isComment || isBlank && position > 0 else { break }
            position += line.unicodeScalars.count + 1
            if isBlank { break }
        }
        return min(position, scalars.count)
    }
}
