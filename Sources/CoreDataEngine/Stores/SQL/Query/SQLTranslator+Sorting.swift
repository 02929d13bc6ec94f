import Foundation

/// Sort descriptors to SQL.
extension SQLTranslator {
    /// A term of ORDER BY. Missing values come first in ascending order.
    func orderTerm(_ descriptor: NSSortDescriptor) throws -> SQLFragment {
        if let error = descriptor.formatError { throw error }
        guard !descriptor.hasCustomComparator else {
            throw untranslatable(
                "A store cannot sort by a comparator: \(descriptor). Sort the fetched objects, or name a selector such as "
                    + "localizedStandardCompare: in its place.")
        }
        let operand: SQLOperand
        switch descriptor.subject {
        case .object: operand = current
        case .key(let key): operand = try columnsByName[key] ?? resolve(keyPath: key, from: current)
        case .keyPath(let keyPath):
            throw untranslatable("A store cannot sort by the key path \(keyPath), whose name is not known.")
        case .invalid(let error): throw error
        }
        switch operand {
        case .object(let object): return dialect.order(object.key, ascending: descriptor.ascending)
        case .entity(let number): return dialect.order(number, ascending: descriptor.ascending)
        case .term(let term) where term.type == .opaque:
            throw untranslatable("A store cannot sort by \(descriptor): the values are archived or stored externally.")
        case .term(let term): return dialect.order(try collated(term, descriptor), ascending: descriptor.ascending)
        case .constant: return dialect.noOrder
        case .collection, .list, .choice:
            throw untranslatable("A store cannot sort by \(descriptor): it leads to a collection.")
        }
    }

    private func collated(_ term: SQLTerm, _ descriptor: NSSortDescriptor) throws -> SQLFragment {
        let selector = descriptor.selector.map { NSStringFromSelector($0) } ?? "compare:"
        // Kinds without a string are compared by value whatever the selector.
        guard selector != "compare:", term.type != .date, term.type != .data else { return term.sql }
        guard let sql = dialect.collated(try textForm(term).sql, selector: selector) else {
            throw untranslatable("A store cannot sort by the selector \(selector).")
        }
        return sql
    }
}
