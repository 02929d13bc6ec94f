import Foundation
import OpenCoreData

/// The file that an import reads, as often as it needs to.
package final class ImportInput {
    private static let pieceSize = 1 << 16
    /// The key of the model in an export.
    static let modelKey = "modelArchive"
    /// The key of the version hashes of the store that was exported; follows the model.
    static let hashesKey = "versionHashes"

    /// How messages name the input.
    package let name: String
    /// Bytes of the input.
    package let size: Int
    private let descriptor: Int32
    private let checkpoint: () throws -> Void

    /// Opens the file at `path`. Standard input, `-`, is kept in a temporary file.
    ///
    /// - Parameter checkpoint: Called while input is read or waited for; an error of it ends the reading.
    package init(path: String, checkpoint: @escaping () throws -> Void = {}) throws {
        self.checkpoint = checkpoint
        if path == "-" {
            name = "standard input"
            descriptor = try Self.copyOfStandardInput(checkpoint)
        } else {
            name = path
            descriptor = open(try InputFile.url(path).path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw ToolFailure("The file \(path) cannot be read: \(SystemFailure.last()).")
            }
        }
        size = max(0, Int(lseek(descriptor, 0, SEEK_END)))
    }

    deinit { close(descriptor) }

    /// A parser at the start of the input; one at a time.
    package func parser() throws -> JSONPullParser { JSONPullParser(chunk: try chunks()) }

    /// A reader of comma-separated values at the start of the input; one at a time.
    func csvReader() throws -> CSVReader { CSVReader(chunk: try chunks()) }

    private func chunks() throws -> () throws -> [UInt8]? {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw failure(SystemFailure.last()) }
        return { [self] in
            do {
                return try SystemFile.readSome(descriptor, upTo: Self.pieceSize, checkpoint: checkpoint)
            } catch let error as SystemFailure {
                throw failure(error)
            }
        }
    }

    /// The model that an export contains; `nil` if it contains no model.
    ///
    /// - Throws: `ToolFailure` if the model can't be read.
    func containedModel() throws -> NSManagedObjectModel? {
        var parser = try parser()
        guard let event = try? parser.next(), event == .beginObject else { return nil }
        while case .key(let key)? = try? parser.next() {
            // The model comes first, so an input without one doesn't have to be read to its end.
            guard key == Self.modelKey || key == "model" else { return nil }
            guard key == Self.modelKey else {
                try? parser.skipValue()
                continue
            }
            guard case .string(let string)? = try? parser.readValue(), let data = Data(base64Encoded: string),
                let model = try? NSManagedObjectModel.decode(modelCache: data)
            else { throw ToolFailure("The model in \(name) cannot be read; name the model with --model.") }
            model.setKnownVersionHashes(Self.hashes(after: &parser))
            return model
        }
        return nil
    }

    /// The version hashes that follow a model; none in an export of an older version.
    private static func hashes(after parser: inout JSONPullParser) -> [String: Data] {
        guard case .key(hashesKey)? = try? parser.next(), case .object(let members)? = try? parser.readValue() else {
            return [:]
        }
        var hashes: [String: Data] = [:]
        for member in members {
            if case .string(let string) = member.value { hashes[member.key] = Data(base64Encoded: string) }
        }
        return hashes
    }

    private func failure(_ failure: SystemFailure) -> ToolFailure {
        ToolFailure("The file \(name) cannot be read: \(failure).")
    }

    /// A file without a name, so that nothing of it is left however the command ends.
    private static func copyOfStandardInput(_ checkpoint: () throws -> Void) throws -> Int32 {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("opencoredata-\(UUID().uuidString).json").path
        let copy = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard copy >= 0 else {
            throw ToolFailure("The temporary file \(path) cannot be written: \(SystemFailure.last()).")
        }
        unlink(path)
        do {
            while true {
                let piece = try SystemFile.readSome(STDIN_FILENO, upTo: pieceSize, checkpoint: checkpoint)
                if piece.isEmpty { return copy }
                try checkpoint()
                do throws(SystemFailure) {
                    try SystemFile.writeAll(piece, to: copy)
                } catch {
                    throw ToolFailure(
                        "Standard input cannot be kept in a temporary file in "
                            + "\(FileManager.default.temporaryDirectory.path): \(error).")
                }
            }
        } catch let error as SystemFailure {
            close(copy)
            throw ToolFailure("Standard input cannot be read: \(error).")
        } catch {
            close(copy)
            throw error
        }
    }
}
