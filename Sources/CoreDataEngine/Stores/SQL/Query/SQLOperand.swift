/// What an expression is once it is translated.
package enum SQLOperand {
    /// A value known before the statement runs.
    case constant(Any?)
    /// A value that SQL computes.
    case term(SQLTerm)
    /// The row itself, or the destination of a to-one.
    case object(SQLObject)
    /// The elements of a to-many, or values of them.
    case collection(SQLCollection)
    /// Several expressions, `{a, b}`.
    case list([SQLOperand])
    /// The entity of an object: its number.
    case entity(SQLFragment)
    /// One of two values of different kinds, as a condition decides.
    indirect case choice(SQLCondition, SQLOperand, SQLOperand)
}

/// How the engine's values are represented in SQL.
package enum SQLValueType: Sendable {
    case integer, boolean, double, decimal, date, text, uri, uuid, data
    /// Archived or kept in a file: only its presence can be asked for.
    case opaque

    /// Whether values are numbers to the evaluator.
    package var isNumber: Bool {
        switch self {
        case .integer, .boolean, .double, .decimal: true
        default: false
        }
    }

    /// Whether values of the two types can be equal as they are. A date counts as its seconds.
    package func isComparable(with other: SQLValueType) -> Bool {
        self == other || ((isNumber || self == .date) && (other.isNumber || other == .date))
    }
}

/// A value in SQL, with its type.
package struct SQLTerm {
    package var sql: SQLFragment
    package var type: SQLValueType
    package var isNullable = true
    /// Whether the value is that of a column and nothing else.
    package var isColumn = false
    /// The attribute whose column it is, alone.
    package var attribute: SlotLayout?
    /// The value when it is known.
    package var constant: SQLValue?
    /// For a number of elements: whether there are any.
    package var existence: SQLFragment?
    /// Whether the text can give NULL although there is a value: one that cannot be converted.
    package var losesValues = false

    package init(sql: SQLFragment, type: SQLValueType, isNullable: Bool = true, isColumn: Bool = false) {
        self.sql = sql
        self.type = type
        self.isNullable = isNullable
        self.isColumn = isColumn
    }

    package init(constant: SQLValue, type: SQLValueType) {
        sql = .value(constant)
        self.type = type
        isNullable = false
        self.constant = constant
    }

    /// Whether the value is an integer in some rows and none in others, which arithmetic distinguishes.
    package var mayBeInteger = false

    /// Whether the value is known to be no number: it equals nothing and has no order. SQLite would take it for NULL.
    package var isNotANumber: Bool {
        constant?.isNaN == true
    }
}

/// An object in SQL: a primary key, and a table to find its row in.
package struct SQLObject {
    /// The primary key, NULL for no object.
    package var key: SQLFragment
    package var entity: EntityMapping
    package var isNullable: Bool
    /// The scope in which the row can be joined.
    package var scope: SQLScope
    /// The alias of the row when it is in the scope already.
    package var rowAlias: String?

    /// The alias of the object's row.
    package var alias: String { rowAlias ?? scope.alias(ofRow: key, of: entity) }

    /// The object that was found by its key, of the entity with a number if that inherits from this one.
    package func found(_ reference: Int64, entityNumber: Int64?, in mapping: StoreMapping) -> ObjectReference {
        let found = entityNumber.flatMap { mapping.entity(number: $0)?.layout }
        let entity = found.map { $0.isKind(of: self.entity.layout) } == true ? found : nil
        let index = (entity ?? self.entity.layout).index
        return ObjectReference(reference: reference, entityIndex: Int32(truncatingIfNeeded: index))
    }
}

/// A subselect over the elements of a to-many.
package struct SQLCollection {
    package var scope: SQLScope
    /// What an element is: an object, or a value of it.
    package var element: Element
    /// A condition that is true if the collection doesn't exist because an object on the way to it is missing; `nil` if
    /// that isn't possible.
    package var isMissing: SQLFragment?

    package enum Element {
        case object(SQLObject)
        case term(SQLTerm)

        package var operand: SQLOperand {
            switch self {
            case .object(let object): .object(object)
            case .term(let term): .term(term)
            }
        }
    }
}

extension SlotKind {
    /// The kind of a value that SQL computes.
    package init(computed type: SQLValueType) {
        switch type {
        case .integer: self = .integer64
        case .boolean: self = .boolean
        case .double: self = .undefined
        case .decimal: self = .decimal
        case .date: self = .date
        case .text: self = .string
        case .uri: self = .uri
        case .uuid: self = .uuid
        case .data, .opaque: self = .data
        }
    }
}
