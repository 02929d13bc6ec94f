#if Macros
import Foundation
import SwiftData
import TestSupport

private let address = ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL"]

/// Where a test's models are.
enum StoreKind: CaseIterable {
    case file, memory, server

    /// Those that there are: a database where the tests run with Scripts/with-postgres.
    static var here: [StoreKind] { address == nil ? [.file, .memory] : allCases }

    /// A configuration with a store that is empty.
    func configuration(_ folder: TemporaryFolder) throws -> ModelConfiguration {
        switch self {
        case .file: return ModelConfiguration(url: folder.file("models.store"))
        case .memory: return ModelConfiguration(isStoredInMemoryOnly: true)
        case .server:
            let schema = "sd_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
            guard let url = URL(string: "\(address ?? "")?schema=\(schema)") else { throw CocoaError(.fileNoSuchFile) }
            return ModelConfiguration(url: url)
        }
    }
}
#endif
