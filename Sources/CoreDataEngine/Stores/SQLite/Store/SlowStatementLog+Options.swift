import Foundation

extension SlowStatementLog {
    /// - Parameter options: Those of a store.
    /// - Returns: `nil` where neither they nor the program's environment have a limit.
    package convenience init?(options: [AnyHashable: Any]?) {
        let given = (options?[OpenCoreDataSlowStatementOption] as? NSNumber)?.doubleValue
        guard let limit = given ?? Self.launchedLimit, limit > 0 else { return nil }
        self.init(limit: limit)
    }
}
