import Foundation

/// Reads the XML of model sources and property lists.
///
/// It knows what these files use: elements, attributes, text, comments and a document type without content. Entities
/// of a document type are not accepted, so nothing expands, and depth and number of elements are limited.
struct SourceXMLParser {
    private static let deepest = 100
    /// The most elements that a model or property list may have.
    static let mostElements = 2_000_000
    private static let mostAttributes = 200

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var elementCount = 0
    private var mostElements = Self.mostElements

    /// Returns the root element.
    ///
    /// - Throws: a `CocoaError` that names the line.
    static func parse(_ data: Data, mostElements: Int = Self.mostElements) throws -> SourceElement {
        var parser = try SourceXMLParser(data)
        parser.mostElements = mostElements
        return try parser.document()
    }

    private init(_ data: Data) throws {
        var bytes = [UInt8](data)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
            throw ModelError.unsupported("The XML is in UTF-16; only UTF-8 is read.")
        }
        self.bytes = bytes
    }

    // MARK: Document

    private mutating func document() throws -> SourceElement {
        try skipMisc()
        guard peek() == UInt8(ascii: "<"), let root = try parseTree() else { throw failure("there is no XML element") }
        try skipMisc()
        guard position == bytes.count else { throw failure("there is something behind the last element") }
        return root
    }

    /// Spaces, comments, processing instructions and the document type.
    private mutating func skipMisc() throws {
        while true {
            skipSpaces()
            if starts(with: "<?") {
                try skip(through: "?>")
            } else if starts(with: "<!--") {
                try skip(through: "-->")
            } else if starts(with: "<!DOCTYPE") {
                try skipDocumentType()
            } else {
                return
            }
        }
    }

    private mutating func skipDocumentType() throws {
        while let byte = peek() {
            if byte == UInt8(ascii: "[") { throw failure("declarations of entities are not accepted") }
            advance()
            if byte == UInt8(ascii: ">") { return }
        }
        throw failure("the document type does not end")
    }

    /// Elements are collected on a list of open ones instead of by recursion.
    private mutating func parseTree() throws -> SourceElement? {
        var open: [SourceElement] = []
        var texts: [[UInt8]] = []
        while true {
            if starts(with: "</") {
                let name = try endTag()
                guard var element = open.popLast(), element.name == name else {
                    throw failure("</\(name)> ends nothing")
                }
                element.text = String(decoding: texts.removeLast(), as: UTF8.self)
                if open.isEmpty { return element }
                open[open.count - 1].children.append(element)
            } else if starts(with: "<!--") {
                try skip(through: "-->")
            } else if starts(with: "<?") {
                try skip(through: "?>")
            } else if starts(with: "<![CDATA[") {
                let start = position + 9
                try skip(through: "]]>")
                guard !texts.isEmpty else { throw failure("there is text outside of an element") }
                texts[texts.count - 1] += bytes[start..<position - 3]
            } else if peek() == UInt8(ascii: "<") {
                let (element, isEmpty) = try startTag()
                if isEmpty {
                    guard !open.isEmpty else { return element }
                    open[open.count - 1].children.append(element)
                } else {
                    guard open.count < Self.deepest else { throw failure("elements are nested too deeply") }
                    open.append(element)
                    texts.append([])
                }
            } else if peek() != nil, !texts.isEmpty {
                try texts[texts.count - 1] += text(until: UInt8(ascii: "<"))
            } else {
                throw failure("the element '\(open.last?.name ?? "")' does not end")
            }
        }
    }

    // MARK: Tags

    private mutating func startTag() throws -> (SourceElement, isEmpty: Bool) {
        elementCount += 1
        guard elementCount <= mostElements else { throw failure("there are too many elements") }
        advance()
        var element = SourceElement(try name())
        element.line = line
        while true {
            skipSpaces()
            guard let byte = peek() else { throw failure("the tag <\(element.name)> does not end") }
            if byte == UInt8(ascii: ">") {
                advance()
                return (element, false)
            }
            if starts(with: "/>") {
                position += 2
                return (element, true)
            }
            let key = try name()
            skipSpaces()
            guard peek() == UInt8(ascii: "=") else { throw failure("the attribute '\(key)' has no value") }
            advance()
            skipSpaces()
            guard let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                throw failure("the value of the attribute '\(key)' is not in quotes")
            }
            advance()
            let value = String(decoding: try text(until: quote), as: UTF8.self)
            guard peek() == quote else { throw failure("the value of the attribute '\(key)' does not end") }
            advance()
            guard element.attributes.count < Self.mostAttributes else { throw failure("there are too many attributes") }
            guard element.attributes.updateValue(value, forKey: key) == nil else {
                throw failure("the attribute '\(key)' occurs twice")
            }
        }
    }

    private mutating func endTag() throws -> String {
        position += 2
        let name = try name()
        skipSpaces()
        guard peek() == UInt8(ascii: ">") else { throw failure("the tag </\(name)> does not end") }
        advance()
        return name
    }

    private mutating func name() throws -> String {
        let start = position
        while let byte = peek(), Self.isNameByte(byte) { position += 1 }
        guard position > start else { throw failure("a name is missing") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: ":"), 0x80...0xFF:
            true
        default: false
        }
    }

    // MARK: Text

    private mutating func text(until end: UInt8) throws -> [UInt8] {
        var result: [UInt8] = []
        while let byte = peek(), byte != end {
            if byte == UInt8(ascii: "&") {
                result += try reference()
            } else if byte == UInt8(ascii: "<") {
                throw failure("a '<' stands in a text")
            } else {
                result.append(byte)
                advance()
            }
        }
        return result
    }

    private mutating func reference() throws -> [UInt8] {
        let start = position + 1
        guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
            throw failure("a reference does not end")
        }
        let name = String(decoding: bytes[start..<end], as: UTF8.self)
        position = end + 1
        switch name {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default:
            let digits = name.dropFirst(name.hasPrefix("#x") ? 2 : 1)
            guard name.hasPrefix("#"), let code = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10),
                let scalar = Unicode.Scalar(code)
            else { throw failure("the reference '&\(name);' is not known") }
            return Array(String(Character(scalar)).utf8)
        }
    }

    // MARK: Bytes

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func advance() {
        if bytes[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    private func starts(with word: StaticString) -> Bool {
        guard bytes.count - position >= word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { buffer in buffer.indices.allSatisfy { bytes[position + $0] == buffer[$0] } }
    }

    private mutating func skipSpaces() {
        while let byte = peek(), byte == 0x20 || (0x09...0x0D).contains(byte) { advance() }
    }

    private mutating func skip(through end: StaticString) throws {
        while position < bytes.count {
            if starts(with: end) {
                position += end.utf8CodeUnitCount
                return
            }
            advance()
        }
        throw failure("'\(end)' is missing")
    }

    private func failure(_ what: String) -> CocoaError {
        ModelError.corrupt("The XML is damaged in line \(line): \(what).")
    }
}
