#if PostgreSQL
import Foundation
import OpenCoreData
import TestSupport
import Testing

@testable import OpenCoreDataPostgreSQL

/// A server that a test may kill. Made by `Scripts/with-postgres`, and gone with the value.
final class OwnServer {
    let url: String
    /// The URLs of its replicas.
    let replicas: [String]
    private let socket: String
    private let port: String
    private let programs: String
    private let disk: SmallDisk?
    private let script = Process()
    private let input = Pipe()

    /// - Parameters:
    ///   - settings: Settings of the server, as `name=value`.
    ///   - disk: Where its data is.
    ///   - replicaCount: How many servers follow it.
    init(settings: [String] = [], disk: SmallDisk? = nil, replicas replicaCount: Int = 0) throws {
        self.disk = disk
        let root = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardizedFileURL
        script.executableURL = root.appendingPathComponent("Scripts/with-postgres")
        let variables = ["", "_SOCKET", "_PORT"] + (0..<replicaCount).map { "_REPLICA_\($0 + 1)" }
        script.arguments =
            settings.flatMap { ["--set", $0] } + ["--replicas", "\(replicaCount)", "sh", "-c"]
            + [variables.map { "echo $OPENCOREDATA_POSTGRESQL\($0);" }.joined() + "exec cat > /dev/null"]
        var environment = ProcessInfo.processInfo.environment
        if let disk { environment["TMPDIR"] = disk.url.path }
        script.environment = environment
        let output = Pipe()
        script.standardInput = input
        script.standardOutput = output
        try script.run()
        var text = ""
        while text.split(separator: "\n").count < variables.count || !text.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            text += String(decoding: data, as: UTF8.self)
        }
        let lines = text.split(separator: "\n").map(String.init)
        try #require(lines.count == variables.count, "there is no server: \(text)")
        (url, socket, port) = (lines[0], lines[1], lines[2])
        replicas = Array(lines.dropFirst(3))
        let program = try FileManager.default.destinationOfSymbolicLink(
            atPath: "/proc/\(try Self.process(socket))/exe")
        programs = URL(fileURLWithPath: program).deletingLastPathComponent().path
    }

    deinit {
        try? input.fileHandleForWriting.close()
        script.terminate()
        // Not for the process: Foundation notices its end only after that of all processes started since.
        for _ in 0..<1_000 where FileManager.default.fileExists(atPath: socket) { usleep(20_000) }
    }

    func url(schema: String) throws -> URL { try #require(URL(string: url + "?schema=\(schema)")) }

    func connect() throws -> PostgreSQLConnection { try PostgreSQLConnection(PostgreSQLAddress(url)) }

    private static func process(_ socket: String) throws -> Int32 {
        let text = try String(contentsOfFile: socket + "/data/postmaster.pid", encoding: .utf8)
        return try #require(Int32(text.split(separator: "\n").first ?? ""))
    }

    /// Kills the server itself, which nothing survives.
    func kill() throws { Foundation.kill(try Self.process(socket), SIGKILL) }

    /// The same, and starts it again.
    func killAndStart() throws {
        try kill()
        try start()
    }

    /// Kills one process of the server's, upon which it ends all connections and recovers.
    func killConnection() throws {
        let connection = try connect()
        defer { connection.close() }
        let found = try connection.execute(
            "SELECT pid::int8 FROM pg_stat_activity WHERE backend_type = 'client backend' "
                + "AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1")
        guard let process = try found.first?.integer(0) else { return }
        Foundation.kill(Int32(process), SIGKILL)
    }

    /// Starts the server unless it runs; its processes may still be going.
    func start() throws {
        let data = socket + "/data"
        let user = geteuid() == 0 ? "runuser -u postgres -- " : ""
        // Foundation's Process would wait for the server as well. Open files are not handed down to it.
        let command =
            "cd '\(socket)' && \(user)'\(programs)/pg_ctl' -D '\(data)' -o '-p \(port)' -l '\(data).log' -w -t 20 start "
            + "< /dev/null > /dev/null 2>&1"
        for _ in 0..<50 {
            if answers(within: 0.2) { return }
            for descriptor in 3..<1_024 as Range<Int32> { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
            _ = system(command)
        }
        try #require(answers(within: 120), "the server doesn't come back")
    }

    func answers(within seconds: Double) -> Bool {
        let end = ContinuousClock.now.advanced(by: .seconds(seconds))
        while true {
            if let connection = try? connect() {
                connection.close()
                return true
            }
            if ContinuousClock.now > end { return false }
            usleep(20_000)
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips tests that make and kill servers of their own, unless a number of kills is asked for.
    static var killsServers: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["OPENCOREDATA_POSTGRESQL_KILLS"] != nil,
            "OPENCOREDATA_POSTGRESQL_KILLS says how often servers are killed")
    }
}
#endif
