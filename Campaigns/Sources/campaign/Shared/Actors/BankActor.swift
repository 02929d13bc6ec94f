import CampaignCore
import Foundation

/// A process that does the bank's work.
enum BankActor {
    static let name = "bank"

    /// Starts the process.
    ///
    /// - Parameter environment: What is added to this process's environment.
    static func start(
        _ work: BankWork, _ program: URL, environment: [String: String] = [:], output: URL? = nil, errors: URL? = nil
    ) throws -> ChildProcess {
        try ChildProcess(
            program, try arguments(work), environment: ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 },
            output: output, errors: errors)
    }

    /// Starts the process by a server.
    static func start(_ work: BankWork, _ server: ForkServer, errors: URL) throws -> ChildProcess {
        try server.start(Array(try arguments(work).dropFirst()), errors: errors)
    }

    private static func arguments(_ work: BankWork) throws -> [String] {
        ["actor", name, String(decoding: try JSONEncoder().encode(work), as: UTF8.self)]
    }

    /// Does the work in this process.
    static func run(_ arguments: [String]) throws {
        let work = try JSONDecoder().decode(BankWork.self, from: Data((arguments.last ?? "").utf8))
        try work.run()
    }
}
