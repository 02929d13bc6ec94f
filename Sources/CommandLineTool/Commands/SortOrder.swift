#if CommandLineTool
import ArgumentParser
import OpenCoreData
import StoreTools

/// A key path to sort by, with `:desc` or `:asc` after it.
struct SortOrder: Sendable {
    var keyPath: String
    var isAscending: Bool

    /// Reads what a user typed.
    ///
    /// - Throws: `ValidationError` that says how to write what other tools write in other ways.
    @Sendable static func parse(_ argument: String) throws -> SortOrder {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let keyPath = parts.first, isKeyPath(keyPath), parts.count <= 2 else { throw refusal(argument) }
        switch parts.count == 2 ? parts[1].lowercased() : "asc" {
        case "asc": return SortOrder(keyPath: keyPath, isAscending: true)
        case "desc": return SortOrder(keyPath: keyPath, isAscending: false)
        default: throw refusal(argument)
        }
    }

    /// Reads a column of computed values, whose name may have a colon in it, as in `avg:price:desc`.
    @Sendable static func parseColumn(_ argument: String) throws -> SortOrder {
        for (end, isAscending) in [(":desc", false), (":asc", true)] where argument.lowercased().hasSuffix(end) {
            let column = String(argument.dropLast(end.count))
            if isKeyPath(column) { return SortOrder(keyPath: column, isAscending: isAscending) }
        }
        guard isKeyPath(argument) else { throw refusal(argument) }
        return SortOrder(keyPath: argument, isAscending: true)
    }

    private static func isKeyPath(_ string: String) -> Bool {
        !string.isEmpty && !string.hasPrefix("-") && !string.hasPrefix("+")
            && !string.contains { $0 == "," || $0.isWhitespace }
    }

    private static func refusal(_ argument: String) -> ValidationError {
        let keys = argument.split(separator: ",").compactMap { suggestion(String($0)) }
        guard !keys.isEmpty else {
            return ValidationError("write a key path, and :desc after it for descending order.")
        }
        let options = keys.map { "--sort \($0)" }.joined(separator: " ")
        return ValidationError("did you mean \(options)?")
    }

    /// How a key is written here that is written as `-title`, `title DESC` or `title:descending`.
    private static func suggestion(_ string: String) -> String? {
        let words = string.split { $0.isWhitespace || $0 == ":" }.map(String.init)
        guard let first = words.first else { return nil }
        let keyPath = first.drop { $0 == "-" || $0 == "+" }
        guard !keyPath.isEmpty else { return nil }
        let isDescending = first.hasPrefix("-") || words.dropFirst().contains { $0.lowercased().hasPrefix("d") }
        return keyPath + (isDescending ? ":desc" : "")
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
