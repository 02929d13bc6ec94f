import Foundation

/// The file that an import reads, as often as it needs to.
final class ImportInput {
    private static let pieceSize = 1 << 16

    /// How messages name the input.
    let name: String
    /// Bytes of the input.
    let size: Int
    private let descriptor: Int32

    /// Opens the file at `path`; standard input, `-`, is kept in a temporary file meanwhile.
    init(path: String) throws {
        if path == "-" {
            name = "standard input"
            descriptor = try Self.copyOfStandardInput()
        } else {
            name = path
            descriptor = open(try InputFile.url(path).path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw CommandFailure("The file \(path) cannot be read: \(SystemFailure.last()).")
            }
        }
        size = max(0, Int(lseek(descriptor, 0, SEEK_END)))
    }

    deinit { close(descriptor) }

    /// A parser at the start of the input; one at a time.
    func parser() throws -> JSONPullParser {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw failure(SystemFailure.last()) }
        return JSONPullParser(chunk: { [self] in
            do {
                return try SystemFile.readSome(descriptor, upTo: Self.pieceSize)
            } catch let error as SystemFailure {
                throw failure(error)
            }
        })
    }

    private func failure(_ failure: SystemFailure) -> CommandFailure {
        CommandFailure("The file \(name) cannot be read: \(failure).")
    }

    /// A file without a name, so that nothing of it is left however the command ends.
    private static func copyOfStandardInput() throws -> Int32 {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("opencoredata-\(UUID().uuidString).json").path
        let copy = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard copy >= 0 else {
            throw CommandFailure("The temporary file \(path) cannot be written: \(SystemFailure.last()).")
        }
        unlink(path)
        do {
            while true {
                let piece = try SystemFile.readSome(STDIN_FILENO, upTo: pieceSize)
                if piece.isEmpty { return copy }
                try Interruption.check()
                do throws(SystemFailure) {
                    try SystemFile.writeAll(piece, to: copy)
                } catch {
                    throw CommandFailure(
                        "Standard input cannot be kept in a temporary file in "
                            + "\(FileManager.default.temporaryDirectory.path): \(error).")
                }
            }
        } catch let error as SystemFailure {
            close(copy)
            throw CommandFailure("Standard input cannot be read: \(error).")
        } catch {
            close(copy)
            throw error
        }
    }
}
