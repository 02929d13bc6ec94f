import Foundation

/// Errors about the history.
enum HistoryError {
    /// A token that can't be used any more.
    static func expired(_ token: NSPersistentHistoryToken?, _ reason: String) -> CocoaError {
        let subject = token.map { "The persistent history token \($0.description)" } ?? "The persistent history token"
        return CoreDataError.make(NSPersistentHistoryTokenExpiredError, "\(subject) has expired. \(reason)")
    }
}
