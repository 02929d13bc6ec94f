import CSQLite
import EngineShims

/// The engine's SQL functions of numbers, which take no text for a number: what is damaged ends the statement.
enum NumberFunction: String {
    case sum = "ocd_sum"
    case average = "ocd_average"
    case minimum = "ocd_minimum"
    case maximum = "ocd_maximum"
    /// Gives its argument.
    case number = "ocd_number"

    /// Gives its first argument, if that is an integer of as many bits as the second one says; the third one is what the
    /// message is otherwise.
    static let fitting = "ocd_fitting"

    /// The function over the rows of a group; `nil` where it is SQLite's own.
    ///
    /// SQLite finds the least and the greatest of a column with an index in the index, if it is asked for them by its own
    /// functions.
    init?(_ function: SQLTranslator.Aggregate, of term: SQLTerm) {
        guard term.type.isNumber || term.type == .date else { return nil }
        switch function {
        case .sum: self = .sum
        case .average: self = .average
        case .minimum where term.attribute?.isIndexed != true: self = .minimum
        case .maximum where term.attribute?.isIndexed != true: self = .maximum
        default: return nil
        }
    }

    /// The name of the function for what the column of a term can have.
    func name(for term: SQLTerm) -> String {
        switch term.attribute?.kind {
        case .integer16: rawValue + "_16"
        case .integer32: rawValue + "_32"
        case .integer64, .boolean: rawValue + "_64"
        default: rawValue
        }
    }
}

extension SQLiteConnection {
    func registerNumberFunctions() throws {
        let code = engine_register_number_functions(UnsafeMutableRawPointer(handle))
        guard code == SQLITE_OK else { throw error(code) }
    }
}

extension SlotLayout {
    /// Whether the store has an index that the attribute is part of.
    fileprivate var isIndexed: Bool {
        sequence(first: owner.entity, next: \.superentity).contains { entity in
            entity.indexes.contains { index in
                index.elements.contains { $0.propertyName == name }
            } || entity.uniquenessConstraints.contains { $0.contains { Self.name(ofConstraint: $0) == name } }
        }
    }

    private static func name(ofConstraint part: Any) -> String? {
        part as? String ?? (part as? NSPropertyDescription)?.name
    }
}
