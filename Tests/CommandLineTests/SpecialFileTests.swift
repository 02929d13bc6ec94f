import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Pipes, sockets, devices and folders where files should be: one sentence at once, and never a wait.
@Suite(.enabled(if: CommandRunner.isBuilt, "the command is not built"))
struct SpecialFileTests {
    private let folder: TemporaryFolder
    private let store: String

    init() throws {
        folder = try TemporaryFolder()
        store = try SampleStore.make(in: folder).path
    }

    enum Special: String, CaseIterable {
        case pipe = "a pipe"
        case localSocket = "a socket"
        case zero = "a device"
        case folder = "a folder"
        case linkToPipe = "a pipe "
        case deadLink = "a link to a file that does not exist"

        func path(in folder: TemporaryFolder) throws -> String {
            let url = folder.file("special")
            switch self {
            case .pipe: #expect(mkfifo(url.path, 0o600) == 0)
            case .zero: return "/dev/zero"
            case .folder: try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            case .deadLink:
                try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: "/nowhere/at/all")
            case .linkToPipe:
                #expect(mkfifo(folder.file("pipe").path, 0o600) == 0)
                try FileManager.default.createSymbolicLink(at: url, withDestinationURL: folder.file("pipe"))
            case .localSocket: try Self.makeSocket(at: url.path)
            }
            return url.path
        }

        private static func makeSocket(at path: String) throws {
            #if canImport(Darwin)
            let kind = SOCK_STREAM
            #else
            let kind = Int32(SOCK_STREAM.rawValue)
            #endif
            let descriptor = socket(AF_UNIX, kind, 0)
            defer { close(descriptor) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.utf8)
            try #require(bytes.count < MemoryLayout.size(ofValue: address.sun_path))
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let result = withUnsafePointer(to: address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            #expect(result == 0)
        }
    }

    private func refusal(_ arguments: [String]) throws -> String {
        let running = try CommandRunner.start(arguments)
        let result = try CommandRunner.finish(running, within: 20)
        #expect(!result.wasKilled, "\(arguments) hangs")
        #expect(result.status == (arguments[0] == "model" && arguments[1] == "diff" ? 2 : 1), "\(arguments)")
        #expect(result.output.isEmpty)
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        return result.errors
    }

    @Test(arguments: Special.allCases) func isRefusedInASentence(_ special: Special) throws {
        let path = try special.path(in: folder)
        let expected = "\(path) is \(special.rawValue.trimmingCharacters(in: .whitespaces))"
        for arguments in [
            ["info", path], ["list", path, "Person"], ["count", path, "Person"], ["check", path],
            ["export", path, "-o", "-"], ["set", path, "Person/p1", "name=x"], ["delete", path, "Person/p1"],
            ["import", path, "--model", store, "/dev/null"], ["import", store, path],
            ["migrate", path, "--to", store], ["model", "extract", path, "-o", folder.file("M.mom").path],
        ] {
            #expect(try refusal(arguments).contains(expected), "\(arguments)")
        }
        if special != .folder { #expect(try refusal(["model", "port", path]).contains(expected)) }
        // Where a model may be a folder.
        for arguments in [
            ["schema", path], ["info", store, "--model", path], ["migrate", store, "--to", path],
            ["model", "diagram", path, "-o", "-"], ["model", "validate", path], ["model", "compile", path],
            ["model", "diff", path, store], ["model", "diff", store, path],
        ] {
            let errors = try refusal(arguments)
            #expect(special == .folder || errors.contains(expected), "\(arguments): \(errors)")
        }
        #expect(
            try FileManager.default.attributesOfItem(atPath: "/dev/zero")[.type] as? FileAttributeType != .typeRegular)
    }

    @Test func aModelMayBeALink() throws {
        let (model, link) = (folder.file("M.mom"), folder.file("Link.mom"))
        #expect(try CommandRunner.run("model", "extract", store, "-o", model.path).status == 0)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: model)
        let result = try CommandRunner.run("count", store, "Person", "--model", link.path)
        #expect(result.output == "3\n", "\(result.errors)")
    }
}
