import Foundation
import SwiftData

public nonisolated struct LoanRecord: Codable, Sendable {
    public var isbn: String
    public var borrower: String
    public var reminders: [String]

    public init(isbn: String, borrower: String, reminders: [String] = []) {
        self.isbn = isbn
        self.borrower = borrower
        self.reminders = reminders
    }
}

// What an actor of its own changes is isolated to none, also where the module is to the main actor by default.

@Model
public nonisolated final class Loan {
    @Attribute(.unique) public var isbn: String
    public var borrower: String
    public var isOver = false
    @Relationship(deleteRule: .cascade, inverse: \Reminder.loan) public var reminders: [Reminder] = []

    public init(isbn: String, borrower: String) {
        self.isbn = isbn
        self.borrower = borrower
    }
}

@Model
public nonisolated final class Reminder {
    public var text: String
    public var loan: Loan?

    public init(_ text: String) { self.text = text }
}

/// Takes over what a server sent, beside the main context.
@ModelActor
public actor Importer {
    public func add(_ records: [LoanRecord]) throws -> [PersistentIdentifier] {
        var added: [Loan] = []
        for record in records {
            let loan = Loan(isbn: record.isbn, borrower: record.borrower)
            modelContext.insert(loan)
            for text in record.reminders { loan.reminders.append(Reminder(text)) }
            added.append(loan)
        }
        try modelContext.save()
        return added.map(\.persistentModelID)
    }

    public func borrower(of id: PersistentIdentifier) -> String? {
        self[id, as: Loan.self]?.borrower
    }

    public func removeAll(of borrower: String) throws {
        try modelContext.delete(model: Loan.self, where: #Predicate { $0.borrower == borrower })
        try modelContext.save()
    }
}
