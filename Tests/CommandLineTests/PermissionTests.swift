import Foundation
import TestSupport
import Testing

/// What the command says and leaves alone where the user may not read or write. As the administrator may do everything,
/// the command then runs as another user.
@Suite(
    .enabled(if: CommandRunner.isBuilt, "the command is not built"),
    .enabled(if: UnprivilegedUser.isAvailable, "no way to run the command as a user without rights"))
struct PermissionTests {
    /// A folder that others may look into, with a store in it.
    private func storeInOpenFolder() throws -> (folder: TemporaryFolder, store: URL) {
        let folder = try TemporaryFolder()
        try setMode(0o755, of: folder.url)
        return (folder, try SampleStore.make(in: folder))
    }

    private func setMode(_ mode: Int, of url: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    /// Runs the command as a user who owns nothing here. The program is copied, as its own folder may be closed to others.
    private func run(_ arguments: String..., in folder: TemporaryFolder) throws -> CommandRunner.Result {
        guard getuid() == 0 else { return try CommandRunner.run(arguments) }
        let program = FileManager.default.temporaryDirectory.appendingPathComponent("opencoredata-\(UUID().uuidString)")
        // Another process copies: a child that another test starts just then would have the file open for writing,
        // and it couldn't be run.
        let copied = try CommandRunner.run(
            program: URL(fileURLWithPath: "/bin/cp"), [CommandRunner.executable.path, program.path])
        try #require(copied.status == 0)
        defer { try? FileManager.default.removeItem(at: program) }
        try setMode(0o755, of: program)
        return try CommandRunner.run(
            program: URL(fileURLWithPath: UnprivilegedUser.setpriv),
            ["--reuid=65534", "--regid=65534", "--clear-groups", program.path] + arguments)
    }

    @Test func aStoreThatMayNotBeReadIsAnErrorThatSaysSo() throws {
        let (folder, store) = try storeInOpenFolder()
        try setMode(0o000, of: store)
        defer { try? setMode(0o644, of: store) }
        for subcommand in ["info", "schema", "check"] {
            let result = try run(subcommand, store.path, in: folder)
            #expect(result.status == 1)
            #expect(result.errors == "opencoredata: The file \(store.path) cannot be read: permission denied.\n")
        }
    }

    @Test func aReadOnlyStoreIsReadAndRefusesChanges() throws {
        let (folder, store) = try storeInOpenFolder()
        try setMode(0o444, of: store)
        try setMode(0o555, of: folder.url)
        defer { try? setMode(0o755, of: folder.url) }
        let before = try Data(contentsOf: store)
        let list = try run("list", store.path, "Badge", "--format", "json", in: folder)
        #expect(list.status == 0, "\(list.errors)")
        let badge = try #require((try list.json() as? [[String: Any]])?.first?["objectID"] as? String)
        for arguments in [["set", store.path, badge, "code=B"], ["delete", store.path, badge]] {
            let result = try run(
                arguments[0], arguments[1], arguments[2], arguments.count > 3 ? arguments[3] : badge, in: folder)
            #expect(result.status == 1)
            #expect(result.errors.contains(store.lastPathComponent))
            #expect(result.errors.contains("read-only"))
        }
        #expect(try Data(contentsOf: store) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [store.lastPathComponent])
    }

    @Test func anExportIntoAClosedFolderIsAnErrorThatNamesTheFile() throws {
        let (folder, store) = try storeInOpenFolder()
        let output = folder.file("out.json")
        let result = try run("export", store.path, "--output", output.path, in: folder)
        #expect(result.status == 1)
        #expect(result.errors.contains(output.path))
        #expect(!FileManager.default.fileExists(atPath: output.path))
    }
}

/// Whether a command can be run as someone who is not the administrator.
private enum UnprivilegedUser {
    static let setpriv = "/usr/bin/setpriv"
    static let isAvailable = getuid() != 0 || FileManager.default.isExecutableFile(atPath: setpriv)
}
