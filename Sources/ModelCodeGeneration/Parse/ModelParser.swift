package import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Reads the `contents` of an `.xcdatamodel` folder.
package enum ModelParser {
    /// The largest file that is read. The largest known model has a twentieth of it.
    private static let mostBytes = 64 << 20

    /// Reads a model's source.
    ///
    /// - Parameters:
    ///   - data: The content of the file.
    ///   - file: The file's path, for diagnostics.
    /// - Throws: a ``Diagnostic`` with file, line and element.
    package static func parse(_ data: Data, file: String) throws(Diagnostic) -> ModelDocument {
        try checkForm(data, file)
        let parser = XMLParser(data: data)
        parser.shouldResolveExternalEntities = false
        let reader = ModelReader(file: file)
        parser.delegate = reader
        let isComplete = parser.parse()
        if let failure = reader.failure { throw failure }
        guard isComplete else {
            throw Diagnostic(file: file, line: max(parser.lineNumber, 1), "the XML of the model is damaged")
        }
        guard reader.hasModel else { throw Diagnostic(file: file, line: nil, "there is no model in the file") }
        return reader.document
    }

    /// Refuses what no model has and an XML parser could stumble over.
    private static func checkForm(_ data: Data, _ file: String) throws(Diagnostic) {
        guard data.count <= mostBytes else {
            throw Diagnostic(file: file, line: nil, "the model has \(data.count) bytes, which is too many")
        }
        guard !data.isEmpty else { throw Diagnostic(file: file, line: nil, "the model is empty") }
        if data.starts(with: Array("bplist".utf8)) {
            throw Diagnostic(
                file: file, line: nil,
                "the model is in the binary form of Xcode 3; open it in a newer Xcode and save it")
        }
        guard !data.prefix(64).contains(0), String(data: data, encoding: .utf8) != nil else {
            throw Diagnostic(file: file, line: nil, "the model isn't valid UTF-8")
        }
        for declaration in ["<!DOCTYPE", "<!ENTITY"] where data.range(of: Data(declaration.utf8)) != nil {
            throw Diagnostic(file: file, line: nil, "'\(declaration)' isn't allowed in a model")
        }
    }
}
