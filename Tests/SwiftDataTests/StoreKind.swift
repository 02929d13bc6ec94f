#if Macros
import Foundation
import SwiftData
import TestSupport

private let address = ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL"]

/// Where a test's models are.
enum StoreKind: CaseIterable {
    case file, memory, server

    /// Those that there are: a database where the tests run with Scripts/with-postgres.
    static var here: [StoreKind] {
        if TestStack.isOnServer { return [.file] }
        return address == nil ? [.file, .memory] : allCases
    }

    /// A configuration with a store that is empty.
    func configuration(_ folder: TemporaryFolder) throws -> ModelConfiguration {
        switch self {
        case .file: return ModelConfiguration(url: folder.store("models.store"))
        case .memory: return ModelConfiguration(isStoredInMemoryOnly: true)
        case .server:
            let schema = "sd_" + UUID().uuidString.lowercased().replacingOccurrences(of: "-", with: "")
            guard let url = URL(string: "\(address ?? "")?schema=\(schema)") else { throw CocoaError(.fileNoSuchFile) }
            return ModelConfiguration(url: url)
        }
    }
}

extension TemporaryFolder {
    /// Where a store is: a file of the folder, or a schema of a database if `OPENCOREDATA_TEST_STORE` is the URL of one.
    func store(_ name: String) -> URL {
        let file = file(name)
        guard let location = TestStack.serverLocation(insteadOf: file) else { return file }
        let suffix = name.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return URL(string: "\(location.url.absoluteString)_\(suffix)") ?? file
    }
}
#endif
