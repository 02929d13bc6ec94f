import CoreData
import Foundation

extension NSPredicate {
    var isCompound: Bool { self is NSCompoundPredicate }
    var asComparison: NSComparisonPredicate? { self as? NSComparisonPredicate }
}

extension NSExpression {
    static func path(_ path: String) -> NSExpression { NSExpression(forKeyPath: path) }
}

extension NSSortDescriptor {
    static var byTitle: NSSortDescriptor { NSSortDescriptor(key: "title", ascending: true) }
}

extension NSCompoundPredicate {
    var count: Int { subpredicates.count }
}

extension NSComparisonPredicate {
    var isEquality: Bool { predicateOperatorType == .equalTo }
}
