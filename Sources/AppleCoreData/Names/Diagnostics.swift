#if canImport(ObjectiveC)
package import CoreData

/// Where diagnostics go: the system's log.
package enum DiagnosticLog {
    /// Logs a problem that isn't reported anywhere else and that doesn't stop the work.
    package static func warn(_ label: String, _ sentence: String) { NSLog("%@", "\(label): \(sentence)") }

    /// Logs a failure that isn't reported anywhere else.
    package static func fail(_ label: String, _ sentence: String) { NSLog("%@", "\(label): \(sentence)") }
}

/// Values that a property could not give as its type promises.
package enum UnreadableValues {
    /// Logs one.
    package static func record(_ property: String, of entity: String, type: Any.Type, _ reason: String) {
        DiagnosticLog.warn(
            "OpenCoreData.Values", "The property '\(property)' of \(entity) can't be read as \(type): \(reason)")
    }
}

// Apple's framework stops the program where the engine keeps an error.
extension NSPredicate {
    package var formatError: (any Error)? { nil }
    // Apple's framework has no full text search.
    package var searchesText: Bool { false }
}

extension NSExpression {
    package var formatError: (any Error)? { nil }
}

/// Rows of lists, for the kit's own use: UIKit and AppKit each have members of their own, and other systems none.
extension IndexPath {
    package var section: Int { self[0] }
    package var row: Int { self[1] }
    package init(row: Int, section: Int) { self.init(indexes: [section, row]) }
}
#endif
