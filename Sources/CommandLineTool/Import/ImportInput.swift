import Foundation

/// The file that an import reads, as often as it needs to.
final class ImportInput {
    private static let pieceSize = 1 << 16

    /// How messages name the input.
    let name: String
    /// Bytes of the input.
    let size: Int
    private let url: URL
    private let isTemporary: Bool

    /// Opens the file at `path`; standard input, `-`, is kept in a temporary file meanwhile.
    init(path: String) throws {
        if path == "-" {
            name = "standard input"
            url = FileManager.default.temporaryDirectory.appendingPathComponent(
                "opencoredata-\(UUID().uuidString).json")
            isTemporary = true
            try Self.copyStandardInput(to: url)
        } else {
            url = try StoreSession.existingFile(path)
            name = path
            isTemporary = false
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        size = (attributes[.size] as? NSNumber)?.intValue ?? 0
    }

    deinit {
        if isTemporary { try? FileManager.default.removeItem(at: url) }
    }

    /// A parser at the start of the input.
    func parser() throws -> JSONPullParser {
        guard let handle = FileHandle(forReadingAtPath: url.path) else {
            throw CommandFailure("The file \(name) cannot be read.")
        }
        return JSONPullParser(chunk: { try handle.read(upToCount: Self.pieceSize).map(Array.init) })
    }

    private static func copyStandardInput(to url: URL) throws {
        guard FileManager.default.createFile(atPath: url.path, contents: nil),
            let copy = FileHandle(forWritingAtPath: url.path)
        else {
            throw CommandFailure("The temporary file \(url.path) cannot be written.")
        }
        while let piece = try FileHandle.standardInput.read(upToCount: pieceSize), !piece.isEmpty {
            try copy.write(contentsOf: piece)
        }
        try copy.close()
    }
}
