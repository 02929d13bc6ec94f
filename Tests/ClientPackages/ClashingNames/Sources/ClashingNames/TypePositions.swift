import CoreData
import Foundation

/// The five classes as types of stored properties, parameters, results, elements and generic arguments.
struct Search {
    var predicate: NSPredicate?
    var compound: NSCompoundPredicate?
    var comparison: NSComparisonPredicate?
    var expression: NSExpression?
    var order: [NSSortDescriptor] = []

    func narrowed(by other: NSPredicate) -> NSCompoundPredicate {
        NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, other].compactMap { $0 })
    }

    func parts(of comparison: NSComparisonPredicate) -> (left: NSExpression, right: NSExpression) {
        (comparison.leftExpression, comparison.rightExpression)
    }

    var byName: [String: NSSortDescriptor] {
        Dictionary(uniqueKeysWithValues: order.compactMap { order in order.key.map { ($0, order) } })
    }
}

typealias Operator = NSComparisonPredicate.Operator
typealias Filters = Set<NSPredicate>
