#if PostgreSQL
import Foundation
import OpenCoreData
import OpenCoreDataKit
import OpenCoreDataPostgreSQL
import TestSupport

/// Writes a row of its own and reads it again from replicas, as the machine that wrote it, and as another one that was
/// handed the position.
///
/// Says `checked COUNT STALE` at the end, and `! …` for what must not be.
struct RereadingWork: Sendable {
    let prefix: String
    private let here: Database
    private let there: Database

    init(_ url: URL, replicas: [URL], prefix: String) async throws {
        self.prefix = prefix
        var options = PostgreSQLOptions()
        options.replicas = replicas
        // The feed is another way to learn of changes, and isn't what is tried here.
        let configuration = Database.Configuration(
            name: "Library", model: .value(LibraryModel.make()),
            stores: [.postgreSQL(url, watched: false, options: options)])
        here = try await Database.open(configuration)
        there = try await Database.open(configuration)
    }

    /// - Parameters:
    ///   - writes: How often the row is written.
    ///   - reads: How often each of the two machines reads it then.
    func run(writes: Int, reads: Int) async throws {
        var (checks, stale) = (0, 0)
        try await here.write { [prefix] context in
            let author = Author(context: context)
            (author.name, author.country) = ("", prefix)
        }
        for number in 0..<writes {
            let name = "\(prefix)-\(number)"
            try await here.write { [prefix] context in
                guard let author = try context.fetch(Self.request(prefix)).first else { return }
                author.name = name
            }
            guard let position = try await here.position() else {
                Line.write("! \(prefix): there is no position")
                return
            }
            try await there.follow(position)
            for machine in [here, there] {
                for _ in 0..<reads {
                    let found = try await machine.read { [prefix] context in
                        try context.fetch(Self.request(prefix)).map(\.name)
                    }
                    checks += 1
                    guard found != [name] else { continue }
                    stale += 1
                    Line.write("! \(prefix): \(found) was read after \(name)")
                }
            }
        }
        try await here.close()
        try await there.close()
        Line.write("checked \(checks) \(stale)")
    }

    private static func request(_ prefix: String) -> NSFetchRequest<Author> {
        let request = NSFetchRequest<Author>(entityName: "Author")
        request.predicate = NSPredicate(format: "country == %@", prefix)
        return request
    }
}
#endif
