package import Foundation

/// Errors about the history.
package enum HistoryError {
    /// A token that can't be used any longer.
    package static func expired(_ token: NSPersistentHistoryToken?, _ reason: String) -> CocoaError {
        let subject = token.map { "The persistent history token \($0.description)" } ?? "The persistent history token"
        return CoreDataError.make(NSPersistentHistoryTokenExpiredError, "\(subject) has expired. \(reason)")
    }
}
