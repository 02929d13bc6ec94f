#if PostgreSQL
import Foundation
import OpenCoreData

/// Options of a store that ask for something that only files have.
enum IgnoredOptions {
    private static let ofFiles = [
        NSSQLiteAnalyzeOption, NSSQLiteManualVacuumOption, NSSQLitePragmasOption, NSValidateXMLStoreOption,
        OpenCoreDataGenerationLifetimeOption, OpenCoreDataLargestLogOption, OpenCoreDataRefusesWritesOption,
        OpenCoreDataWriterTimeoutOption,
    ]

    /// Those of them that ask for anything.
    static func names(in options: [AnyHashable: Any]?) -> [String] {
        ofFiles.filter { name in
            switch options?[name] {
            case nil, is NSNull: false
            case let settings as NSDictionary: settings.count > 0
            case let settings as [AnyHashable: Any]: !settings.isEmpty
            // What is switched off is what a server does anyway.
            case let value?: NSPersistentStore.flag(value) != false
            }
        }
    }

    /// Writes one line, if there are any.
    static func warn(about options: [AnyHashable: Any]?, store: String) {
        let names = names(in: options)
        guard !names.isEmpty else { return }
        DiagnosticLog.warn(
            "OpenCoreData",
            "These store options have no effect on the server store \(store): "
                + names.map { "'\($0)'" }.joined(separator: ", ") + ".")
    }
}
#endif
