#if CommandLineTool
    import ArgumentParser
    import OpenCoreData
    import StoreTools

    /// A key path to sort by, with `:desc` or `:asc` after it.
    struct SortOrder: ExpressibleByArgument {
        var keyPath: String
        var isAscending: Bool

        init?(argument: String) {
            let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard let keyPath = parts.first, !keyPath.isEmpty, parts.count <= 2 else { return nil }
            self.keyPath = keyPath
            switch parts.count == 2 ? parts[1] : "asc" {
            case "asc": isAscending = true
            case "desc": isAscending = false
            default: return nil
            }
        }

        /// The sort descriptor for objects of `entity`.
        ///
        /// - Throws: `ToolFailure` when the key path does not fit the entity.
        func descriptor(for entity: NSEntityDescription) throws -> NSSortDescriptor {
            _ = try Field(path: keyPath, entity: entity)
            return NSSortDescriptor(
                key: EnumerationPredicate(entity: entity).replacing(keyPath: keyPath), ascending: isAscending)
        }
    }
#endif
