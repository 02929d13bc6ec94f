import Foundation

/// Comparisons of two operands by the rules of `ValueComparison`: nothing equals nothing and nothing else, nothing is
/// neither less nor greater than anything, and values of kinds that do not compare are unequal and have no order.
extension SQLTranslator {
    func compare(_ left: SQLOperand, _ right: SQLOperand, _ comparison: Comparison) throws -> SQLCondition {
        if case .constant(let value) = left, case .constant(let other) = right {
            return .known(try constantComparison(value, other, comparison))
        }
        if case .choice(let condition, let first, let second) = left {
            return .choice(condition, try compare(first, right, comparison), try compare(second, right, comparison))
        }
        if case .choice(let condition, let first, let second) = right {
            return .choice(condition, try compare(left, first, comparison), try compare(left, second, comparison))
        }
        if let condition = existence(left, right, comparison) { return condition }
        switch comparison.type {
        case .equalTo: return try equality(left, right, comparison)
        case .notEqualTo: return try equality(left, right, comparison).negated
        case .lessThan: return try ordering(left, "<", right, comparison)
        case .lessThanOrEqualTo: return try ordering(left, "<=", right, comparison)
        case .greaterThan: return try ordering(left, ">", right, comparison)
        case .greaterThanOrEqualTo: return try ordering(left, ">=", right, comparison)
        case .between: return try between(left, right, comparison)
        case .in: return try membership(left, in: right, comparison)
        case .contains: return try containment(left, right, comparison)
        case .beginsWith: return try textTest(.beginsWith, left, right, comparison)
        case .endsWith: return try textTest(.endsWith, left, right, comparison)
        case .like: return try textTest(.like, left, right, comparison)
        case .matches: return try textTest(.matches, left, right, comparison)
        case .customSelector:
            throw unsupported(comparison, "a store cannot call a method to compare")
        }
    }

    func unsupported(_ comparison: Comparison, _ reason: String) -> CocoaError {
        untranslatable("A store cannot evaluate \"\(comparison.predicate.predicateFormat)\": \(reason).")
    }

    /// Comparison of two values that are both known.
    private func constantComparison(_ left: Any?, _ right: Any?, _ comparison: Comparison) throws -> Bool {
        let predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forConstantValue: left),
            rightExpression: NSExpression(forConstantValue: right),
            modifier: .direct, type: comparison.type, options: comparison.options)
        return try predicate.matches(nil, variables: variables)
    }

    /// Whether there are elements, for a comparison of their number that asks for no more than that.
    private func existence(_ left: SQLOperand, _ right: SQLOperand, _ comparison: Comparison) -> SQLCondition? {
        guard case .term(let term) = left, let existence = term.existence, case .constant(let value?) = right,
            case .integer(let number)? = SQLConstant.bound(value)?.value
        else { return nil }
        let exists = SQLCondition(existence, isNullable: false)
        switch (comparison.type, number) {
        case (.greaterThan, 0), (.greaterThanOrEqualTo, 1), (.notEqualTo, 0): return exists
        case (.equalTo, 0), (.lessThanOrEqualTo, 0), (.lessThan, 1): return exists.negated
        default: return nil
        }
    }

    // MARK: Equality

    private func equality(
        _ left: SQLOperand, _ right: SQLOperand, _ comparison: Comparison
    ) throws -> SQLCondition {
        switch (left, right) {
        case (.collection(let collection), .constant(nil)), (.constant(nil), .collection(let collection)):
            return collection.isMissing.map { SQLCondition($0, isNullable: false) } ?? .known(false)
        case (.collection, _), (_, .collection):
            throw unsupported(comparison, "a to-many relationship needs ANY, ALL, NONE, IN, CONTAINS or a function")
        case (.list, _), (_, .list): throw unsupported(comparison, "a list can only be searched with IN")
        case (.constant(let value?), _) where SQLConstant.elements(of: value) != nil,
            (_, .constant(let value?)) where SQLConstant.elements(of: value) != nil:
            throw unsupported(comparison, "a list can only be searched with IN")
        case (let operand, .constant(nil)), (.constant(nil), let operand): return try isMissing(operand)
        case (.object(let object), .constant(let value?)), (.constant(let value?), .object(let object)):
            return identity(object, value)
        case (.object(let object), .object(let other)): return identity(object, other)
        case (.entity(let number), .constant(let value?)), (.constant(let value?), .entity(let number)):
            return entityEquality(number, value)
        case (.entity(let number), .entity(let other)): return SQLCondition("\(number) = \(other)", isNullable: true)
        case (.object, _), (_, .object), (.entity, _), (_, .entity):
            return .all([try isMissing(left), try isMissing(right)])
        case (.term, .term), (.term, .constant), (.constant, .term):
            guard let (first, second) = try comparable(left, right, comparison) else {
                return .all([try isMissing(left), try isMissing(right)])
            }
            if first.isNotANumber || second.isNotANumber { return .known(false) }
            if first.type == .text || first.type == .uri, comparison.options.contains(.localeSensitive) {
                let order = try dialect.localizedOrder(first.sql, second.sql)
                let same = SQLCondition("\(order) = 0", isNullable: first.isNullable || second.isNullable)
                return .any([same, .all([try isMissing(left), try isMissing(right)])])
            }
            if first.losesValues || second.losesValues {
                let same = SQLCondition("\(first.sql) = \(second.sql)", isNullable: true)
                return .any([same, .all([try isMissing(left), try isMissing(right)])])
            }
            if let sql = dialect.comparison(first, "=", second) {
                let same = SQLCondition(sql, isNullable: first.isNullable || second.isNullable)
                guard first.isNullable, second.isNullable else { return same }
                return .any([same, .all([try isMissing(left), try isMissing(right)])])
            }
            guard first.isNullable, second.isNullable else {
                return SQLCondition("\(first.sql) = \(second.sql)", isNullable: first.isNullable || second.isNullable)
            }
            return SQLCondition(dialect.isSame(first.sql, second.sql), isNullable: false)
        case (.constant, .constant), (.choice, _), (_, .choice): return .known(false)
        }
    }

    /// Whether an operand has no value.
    func isMissing(_ operand: SQLOperand) throws -> SQLCondition {
        switch operand {
        case .term(let term):
            term.isNullable ? SQLCondition("\(term.sql) IS NULL", isNullable: false) : .known(false)
        case .object(let object):
            object.isNullable ? SQLCondition("\(object.key) IS NULL", isNullable: false) : .known(false)
        case .entity(let number): SQLCondition("\(number) IS NULL", isNullable: false)
        case .constant(let value): .known(value == nil)
        case .collection, .list: .known(false)
        case .choice(let condition, let first, let second):
            .choice(condition, try isMissing(first), try isMissing(second))
        }
    }

    // MARK: Values made comparable

    /// Two values as SQL compares them; nil when values of their kinds never compare.
    func comparable(
        _ left: SQLOperand, _ right: SQLOperand, _ comparison: Comparison
    ) throws -> (SQLTerm, SQLTerm)? {
        guard let first = try plainTerm(left, comparison), let second = try plainTerm(right, comparison) else {
            return nil
        }
        switch (first.type, second.type) {
        case (.opaque, _), (_, .opaque):
            throw unsupported(
                comparison, "the contents of a transformable or externally stored attribute cannot be searched")
        case (.text, .text), (.text, .uri), (.uri, .text), (.uri, .uri):
            return (try folded(first, comparison), try folded(second, comparison))
        case (.text, let type) where type.isNumber:
            return (try folded(first, comparison), try folded(try textForm(second), comparison))
        case (let type, .text) where type.isNumber:
            return (try folded(try textForm(first), comparison), try folded(second, comparison))
        case (.uuid, .text): return (first, try dialect.uuid(ofText: second))
        case (.text, .uuid): return (try dialect.uuid(ofText: first), second)
        case (.boolean, let type) where type != .boolean && type.isNumber:
            if let known = second.constant.flatMap(dialect.boolean) { return (first, known) }
            return (number(first), second)
        case (let type, .boolean) where type != .boolean && type.isNumber:
            if let known = first.constant.flatMap(dialect.boolean) { return (known, second) }
            return (first, number(second))
        case (.date, let type) where type.isNumber: return (number(first), number(second))
        case (let type, .date) where type.isNumber: return (number(first), number(second))
        default: return first.type.isComparable(with: second.type) ? (first, second) : nil
        }
    }

    /// A value as a term; nil for a constant that no column can hold.
    private func plainTerm(_ operand: SQLOperand, _ comparison: Comparison) throws -> SQLTerm? {
        switch operand {
        case .term(let term): return term
        case .constant(let value): return constant(value)
        case .entity, .object, .collection, .list, .choice: return nil
        }
    }

    /// A number's term; a boolean or a date as one.
    func number(_ term: SQLTerm) -> SQLTerm {
        var term = term
        switch (term.type, term.constant) {
        case (.boolean, nil): term.sql = dialect.number(ofBoolean: term.sql)
        case (.date, nil): term.sql = dialect.number(ofDate: term.sql)
        case (.date, let value?): term.sql = dialect.placeholder(value, type: .double)
        default: break
        }
        return term
    }

    /// A string as the options compare it.
    func folded(_ term: SQLTerm, _ comparison: Comparison) throws -> SQLTerm {
        guard StringFolding.isNeeded(comparison.options) else { return term }
        if case .text(let string)? = term.constant {
            return placed(SQLTerm(constant: .text(StringFolding.folded(string, comparison.options)), type: .text))
        }
        return SQLTerm(
            sql: try dialect.foldedText(term.sql, options: comparison.options), type: .text, isNullable: term.isNullable
        )
    }

    /// A number or other value as the string that it is to a string operator.
    func textForm(_ term: SQLTerm) throws -> SQLTerm {
        switch term.type {
        case .text, .uri: return term
        default:
            if let constant = term.constant, let string = SQLConstant.string(of: constant, type: term.type) {
                return placed(SQLTerm(constant: .text(string), type: .text))
            }
            return SQLTerm(
                sql: try dialect.textForm(term), type: .text, isNullable: term.isNullable)
        }
    }

    // MARK: Objects

    private func identity(_ object: SQLObject, _ value: Any) -> SQLCondition {
        guard let reference = reference(of: value, in: object.entity) else { return .known(false) }
        return SQLCondition("\(object.key) = \(value: .integer(reference))", isNullable: object.isNullable)
    }

    private func identity(_ left: SQLObject, _ right: SQLObject) -> SQLCondition {
        guard left.entity.layout.root === right.entity.layout.root else {
            return .all([
                left.isNullable ? SQLCondition("\(left.key) IS NULL", isNullable: false) : .known(false),
                right.isNullable ? SQLCondition("\(right.key) IS NULL", isNullable: false) : .known(false),
            ])
        }
        guard left.isNullable, right.isNullable else {
            return SQLCondition("\(left.key) = \(right.key)", isNullable: left.isNullable || right.isNullable)
        }
        return SQLCondition(dialect.isSame(left.key, right.key), isNullable: false)
    }

    /// The primary key of an object or identifier of this store; nil for one that no row of the entity's tree can be.
    func reference(of value: Any, in entity: EntityMapping) -> Int64? {
        let id = (value as? NSManagedObjectID) ?? (value as? NSManagedObject)?.objectID
        guard let id, !id.isTemporaryID, id.storeIdentifier == storeIdentifier,
            id.layout.root.name == entity.layout.root.name
        else { return nil }
        return id.reference
    }

    private func entityEquality(_ number: SQLFragment, _ value: Any) -> SQLCondition {
        guard let description = value as? NSEntityDescription,
            let entity = store.entities.lazy.compactMap({ $0 }).first(where: { $0.layout.name == description.name })
        else { return .known(false) }
        return SQLCondition("\(number) = \(value: .integer(entity.number))", isNullable: true)
    }

    // MARK: Order

    func ordering(
        _ left: SQLOperand, _ sign: SQLFragment, _ right: SQLOperand, _ comparison: Comparison
    ) throws -> SQLCondition {
        switch (left, right) {
        case (.collection, _), (_, .collection), (.list, _), (_, .list):
            throw unsupported(comparison, "collections have no order")
        case (.constant(let value?), _) where SQLConstant.elements(of: value) != nil,
            (_, .constant(let value?)) where SQLConstant.elements(of: value) != nil:
            throw unsupported(comparison, "collections have no order")
        case (.constant(nil), _), (_, .constant(nil)): return .known(false)
        default: break
        }
        guard let (first, second) = try comparable(left, right, comparison), !first.isNotANumber,
            !second.isNotANumber
        else { return .known(false) }
        if first.type == .text || first.type == .uri, comparison.options.contains(.localeSensitive) {
            return SQLCondition(
                "\(try dialect.localizedOrder(first.sql, second.sql)) \(sign) 0",
                isNullable: first.isNullable || second.isNullable)
        }
        return SQLCondition(
            dialect.comparison(first, sign, second) ?? "\(first.sql) \(sign) \(second.sql)",
            isNullable: first.isNullable || second.isNullable)
    }

    private func between(
        _ left: SQLOperand, _ right: SQLOperand, _ comparison: Comparison
    ) throws -> SQLCondition {
        let bounds: [SQLOperand]
        switch right {
        case .list(let elements): bounds = elements
        case .constant(let value?) where CollectionElements.isUnordered(value): bounds = []
        case .constant(let value): bounds = (SQLConstant.elements(of: value) ?? []).map { .constant($0) }
        default: bounds = []
        }
        guard bounds.count == 2 else { throw unsupported(comparison, "BETWEEN needs two values on its right side") }
        return .all([
            try compare(left, bounds[0], comparison.with(.greaterThanOrEqualTo)),
            try compare(left, bounds[1], comparison.with(.lessThanOrEqualTo)),
        ])
    }
}
