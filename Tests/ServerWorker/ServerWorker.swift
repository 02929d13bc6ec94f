#if PostgreSQL
import Dispatch
import Foundation
import OpenCoreData
import OpenCoreDataPostgreSQL
import TestSupport

/// A program that shares a store on a server with others: what the tests kill, and what follows the others.
///
///     ServerWorker save URL PREFIX THREADS BYTES
///     ServerWorker follow URL PREFIX FILE
///     ServerWorker reread URL PREFIX WRITES READS REPLICA…
///     ServerWorker increment URL PREFIX COUNT
///     ServerWorker jobs URL PREFIX 0
@main
struct ServerWorker {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count >= 5, let url = URL(string: arguments[2]) else {
            print(
                "usage: ServerWorker save URL PREFIX THREADS BYTES | follow URL PREFIX FILE | "
                    + "reread URL PREFIX WRITES READS REPLICA… | increment URL PREFIX COUNT | jobs URL PREFIX 0")
            exit(64)
        }
        do {
            switch arguments[1] {
            case "save":
                let work = SavingWork(
                    coordinator: try coordinator(url, isFollowing: false), prefix: arguments[3],
                    coverBytes: arguments.count > 5 ? Int(arguments[5]) ?? 0 : 0)
                work.run(threads: Int(arguments[4]) ?? 1)
            case "follow":
                let work = try FollowingWork(
                    coordinator: coordinator(url, isFollowing: true), prefix: arguments[3],
                    file: URL(fileURLWithPath: arguments[4]))
                try work.run()
            case "reread": reread(url, arguments)
            case "increment": increment(url, arguments)
            case "jobs": jobs(url, arguments)
            default: exit(64)
            }
        } catch {
            Line.write("! \(arguments[3]): \(error)")
            exit(1)
        }
    }

    /// Ends the process.
    private static func reread(_ url: URL, _ arguments: [String]) -> Never {
        guard arguments.count > 6, let writes = Int(arguments[4]), let reads = Int(arguments[5]) else { exit(64) }
        let prefix = arguments[3]
        let replicas = arguments.dropFirst(6).compactMap(URL.init(string:))
        Task {
            do {
                let work = try await RereadingWork(url, replicas: replicas, prefix: prefix)
                try await work.run(writes: writes, reads: reads)
                exit(0)
            } catch {
                Line.write("! \(prefix): \(error)")
                exit(1)
            }
        }
        dispatchMain()
    }

    /// Ends the process.
    private static func increment(_ url: URL, _ arguments: [String]) -> Never {
        Task {
            do {
                let work = IncrementingWork(try await IncrementingWork.open(url))
                Line.write("added \(await work.run(Int(arguments[4]) ?? 0))")
                exit(0)
            } catch {
                Line.write("! \(arguments[3]): \(error)")
                exit(1)
            }
        }
        dispatchMain()
    }

    /// Ends the process.
    private static func jobs(_ url: URL, _ arguments: [String]) -> Never {
        Task {
            do {
                Line.write("empty \(try await JobWork(url).run())")
                exit(0)
            } catch {
                Line.write("! \(arguments[3]): \(error)")
                exit(1)
            }
        }
        dispatchMain()
    }

    private static func coordinator(_ url: URL, isFollowing: Bool) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        PostgreSQLStore.register()
        var options: [AnyHashable: Any] = [
            NSPersistentHistoryTrackingKey: true, NSPersistentStoreConnectionPoolMaxSizeKey: 2,
        ]
        if isFollowing { options[NSPersistentStoreRemoteChangeNotificationPostOptionKey] = true }
        var attempts = 0
        while true {
            do {
                try coordinator.addPersistentStore(
                    ofType: PostgreSQLStore.type, configurationName: nil, at: url, options: options)
                return coordinator
            } catch let error as CocoaError {
                // The server may be starting again.
                let cause = error.userInfo[NSUnderlyingErrorKey] as? PostgreSQLError
                attempts += 1
                guard cause?.isTransient == true, attempts < 200 else { throw error }
                usleep(50_000)
            }
        }
    }
}

/// A line for the test. One call of the system writes it, so that a killed program leaves no half of one.
enum Line {
    static func write(_ string: String) {
        let bytes = Array((string.replacing("\n", with: " ") + "\n").utf8)
        _ = bytes.withUnsafeBytes { Foundation.write(1, $0.baseAddress, $0.count) }
    }
}
#else
@main
struct ServerWorker {
    static func main() { print("ServerWorker: needs the trait PostgreSQL") }
}
#endif
