import CSQLite
import Foundation

extension StringOrdering {
    /// The name of the collation that sorts in this order; nil for the order of bytes, which is SQLite's own.
    package var collationName: String? {
        switch self {
        case .compare: nil
        case .caseInsensitive: "ocd_case_insensitive"
        case .localized: "ocd_localized"
        case .localizedCaseInsensitive: "ocd_localized_case_insensitive"
        case .localizedStandard: "ocd_localized_standard"
        }
    }
}

extension SQLiteConnection {
    /// Registers a collation for each order of strings that a sort descriptor can ask for.
    func registerCollations() throws {
        for (index, ordering) in StringOrdering.allCases.enumerated() {
            guard let name = ordering.collationName else { continue }
            // The context is the number of the order, plus one so that it is not nil.
            let code = sqlite3_create_collation_v2(
                handle, name, SQLITE_UTF8, UnsafeMutableRawPointer(bitPattern: index + 1),
                { context, leftCount, left, rightCount, right in
                    let ordering = StringOrdering.allCases[Int(bitPattern: context) - 1]
                    let order = ordering.compare(
                        UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
                        UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
                    return Int32(order.rawValue)
                }, nil)
            guard code == SQLITE_OK else { throw error(code) }
        }
    }
}
