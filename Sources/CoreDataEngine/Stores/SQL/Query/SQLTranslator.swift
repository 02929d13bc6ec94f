import Foundation

/// Turns predicates, expressions and sort descriptors into SQL that gives what `PredicateEvaluator` gives.
///
/// One translator makes one statement: it hands out the aliases and owns the outer scope. Values are always bound.
package final class SQLTranslator {
    let store: StoreMapping
    let dialect: any SQLDialect
    /// Values of `$NAME`.
    let variables: [String: Any]
    /// The UUID of the store; objects of other stores match nothing.
    let storeIdentifier: String
    let aliases: SQLAliases
    let scope: SQLScope
    /// The row that the statement is about.
    let subject: SQLObject
    /// What `SELF` and key paths refer to at present.
    var current: SQLOperand
    /// What the iterator variables of subqueries represent at present.
    var iterators: [String: SQLOperand] = [:]
    /// Columns of a dictionary result by name, for a condition on groups.
    var columnsByName: [String: SQLOperand] = [:]
    /// The variables whose expressions are being looked at.
    var resolving: Set<String> = []
    /// Whether `sum:` and its like are about the rows of a group instead of the elements of a collection.
    var isGrouping = false
    /// Whether the values that expressions give are asked for: then no number is made of what is damaged. Conditions compare
    /// it as the database does, which an index may do for them.
    var isComputing = false

    init(
        entity: EntityMapping, store: StoreMapping, storeIdentifier: String, dialect: any SQLDialect,
        variables: [String: Any] = [:], aliases: SQLAliases = SQLAliases()
    ) {
        self.aliases = aliases
        self.store = store
        self.storeIdentifier = storeIdentifier
        self.dialect = dialect
        self.variables = variables
        let alias = aliases.next()
        scope = SQLScope(
            from: "\(name: dialect.table(entity.table))", alias: alias, aliases: aliases, dialect: dialect)
        subject = SQLObject(
            key: "\(name: alias).\(name: dialect.quoted(entity.system.key))", entity: entity, isNullable: false,
            scope: scope, rowAlias: alias)
        current = .object(subject)
    }

    /// A value as a term; nil for values that no column can hold.
    func constant(_ value: Any?) -> SQLTerm? {
        guard var term = SQLConstant.term(value) else { return nil }
        if case .decimal(let decimal) = PredicateValue(value) { term.constant = dialect.constant(decimal) }
        return placed(term)
    }

    /// A term of a known value, in the dialect's form.
    func placed(_ term: SQLTerm) -> SQLTerm {
        guard let constant = term.constant else { return term }
        var term = term
        term.sql = dialect.placeholder(constant, type: term.type)
        return term
    }

    /// The error for a part of a predicate that SQL cannot express.
    func untranslatable(_ sentence: String) -> CocoaError { PredicateError.evaluation(sentence) }

    func unknownKey(_ key: String, _ entity: EntityMapping) -> CocoaError {
        PredicateError.unknownKey(key, of: "the entity \(entity.layout.name)")
    }
}
