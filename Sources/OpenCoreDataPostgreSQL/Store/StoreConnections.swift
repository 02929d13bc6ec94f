#if PostgreSQL
    import Foundation
    import OpenCoreData
    import Synchronization

    /// The connections of one store. A thread that has one and asks for one gets the same.
    // @unchecked Sendable because what can change is behind `condition`'s lock; a connection is used by the thread that has it.
    final class StoreConnections: @unchecked Sendable {
        let address: PostgreSQLAddress
        private let options: PostgreSQLOptions
        private let most: Int
        private let recorder: (@Sendable (String) -> Void)?
        private let condition = NSCondition()
        private var idle: [PostgreSQLConnection] = []
        private var count = 0
        private var isClosed = false
        private var held: [ThreadID: PostgreSQLConnection] = [:]

        private struct ThreadID: Hashable {
            let thread: pthread_t
            static var current: ThreadID { ThreadID(thread: pthread_self()) }
        }

        init(
            _ address: PostgreSQLAddress, options: PostgreSQLOptions, most: Int, recorder: (@Sendable (String) -> Void)?
        ) {
            self.address = address
            self.options = options
            self.most = max(1, most)
            self.recorder = recorder
        }

        /// Runs a block with a connection.
        ///
        /// - Parameter isWriting: Whether the block writes, which is done in the present state also where an older one is read.
        func with<Result>(isWriting: Bool = false, _ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
            if !isWriting, let pinned = PinnedGeneration.current, pinned.belongs(to: self) {
                return try body(pinned.connection)
            }
            let thread = ThreadID.current
            condition.lock()
            let own = held[thread]
            condition.unlock()
            if let own { return try body(own) }
            let connection = try take(thread)
            defer { giveBack(connection, thread) }
            return try interruptibly(connection) { try body(connection) }
        }

        /// Runs a block with a connection that is in no transaction: the thread's own, or one more.
        func outsideTransaction<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
            try with(isWriting: true) { connection in
                guard connection.transactionState != .none else {
                    return try body(connection)
                }
                let other = try make()
                defer { other.close() }
                return try body(other)
            }
        }

        /// Runs a block that reads in one snapshot.
        func snapshot<Result>(_ body: (PostgreSQLConnection) throws -> Result) throws -> Result {
            try with { connection in
                guard connection.transactionState == .none else { return try body(connection) }
                try connection.pipeline([.beginRepeatableRead])
                // A batch that the block carries out ends the transaction itself.
                defer { connection.rollback() }
                return try body(connection)
            }
        }

        /// A connection that belongs to the caller.
        func make() throws -> PostgreSQLConnection {
            let connection = try PostgreSQLConnection(address, options: options)
            if let recorder {
                connection.observer = { statements in for statement in statements { recorder(statement.sql) } }
            }
            return connection
        }

        func close() {
            condition.lock()
            isClosed = true
            let connections = idle
            idle = []
            condition.broadcast()
            condition.unlock()
            for connection in connections { connection.close() }
        }

        private func interruptibly<Result>(
            _ connection: PostgreSQLConnection, _ body: () throws -> Result
        ) throws -> Result {
            guard let read = CancellableRead.current else { return try body() }
            let isFirst = read.begin(with: connection.cancellation)
            defer { if isFirst { read.end(with: connection.cancellation) } }
            return try body()
        }

        private func take(_ thread: ThreadID) throws -> PostgreSQLConnection {
            condition.lock()
            while true {
                guard !isClosed else {
                    condition.unlock()
                    throw PostgreSQLError(.misuse, "The store was removed and is closed.", place: address.displayName)
                }
                if let connection = idle.popLast() {
                    if connection.isBroken {
                        count -= 1
                        continue
                    }
                    held[thread] = connection
                    condition.unlock()
                    return connection
                }
                if count < most {
                    count += 1
                    break
                }
                condition.wait()
            }
            condition.unlock()
            do {
                let connection = try make()
                condition.withLock { held[thread] = connection }
                return connection
            } catch {
                condition.withLock {
                    count -= 1
                    condition.signal()
                }
                throw error
            }
        }

        private func giveBack(_ connection: PostgreSQLConnection, _ thread: ThreadID) {
            connection.rollback()
            let isOver = condition.withLock {
                held[thread] = nil
                let isOver = isClosed || connection.isBroken
                if isOver { count -= 1 } else { idle.append(connection) }
                condition.signal()
                return isOver
            }
            if isOver { connection.close() }
        }
    }
#endif
