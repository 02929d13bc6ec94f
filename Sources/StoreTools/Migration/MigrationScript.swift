package import OpenCoreData

/// What the migration of a store on a server runs, as SQL with comments, for people who review it.
package struct MigrationScript {
    private let statements: [RemoteMigrationStatement]

    package init(_ statements: [RemoteMigrationStatement]) {
        self.statements = statements
    }

    package var lines: [String] {
        var lines: [String] = []
        var phase: RemoteMigrationStatement.Phase?
        for statement in statements {
            if statement.phase != phase {
                lines += ending(phase) + beginning(statement.phase)
                phase = statement.phase
            }
            lines.append(statement.sql + ";")
            let locks = statement.locks.isEmpty ? "none" : statement.locks.joined(separator: ", ")
            let rows = statement.rows == 0 ? "none" : statement.rows == 1 ? "1" : "about \(statement.rows)"
            lines.append("--   locks: \(locks); rows written: \(rows)" + (statement.note.map { "; \($0)" } ?? ""))
        }
        return lines + ending(phase)
    }

    private func beginning(_ phase: RemoteMigrationStatement.Phase) -> [String] {
        switch phase {
        case .preparing: ["-- Before, each statement in a transaction of its own, while programs save:"]
        case .migrating: ["-- In one transaction, which is tried again when the locks aren't free soon:", "BEGIN;"]
        case .completing: ["-- Afterwards, each statement in a transaction of its own, while programs save:"]
        }
    }

    private func ending(_ phase: RemoteMigrationStatement.Phase?) -> [String] {
        phase == .migrating ? ["COMMIT;", ""] : phase == nil ? [] : [""]
    }
}
