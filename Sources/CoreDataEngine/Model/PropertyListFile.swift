package import Foundation

/// Reads property lists of either form, safely: depth is limited, and no entity of an XML file expands. Foundation's own
/// reader stops the program at some damaged binary lists off Apple's systems.
package enum PropertyListFile {
    private static let deepest = 64

    /// Returns the content: dictionaries, arrays, strings, numbers, dates and data.
    ///
    /// - Throws: a `CocoaError` that says what is damaged.
    package static func read(_ data: Data) throws -> Any {
        if data.starts(with: Data("bplist".utf8)) {
            let list = try BinaryPropertyList(data)
            // Each element of each container, unless containers are shared, and then some.
            var budget = list.objects.reduce(10_000) { $0 + 8 + $1.elementCount * 2 }
            return try value(list, list.top, depth: 0, budget: &budget)
        }
        let root = try SourceXMLParser.parse(data)
        guard root.name == "plist", let content = root.children.first else {
            throw ModelError.corrupt("The XML is not a property list.")
        }
        return try value(content)
    }

    /// Returns the content, which must be a dictionary.
    package static func readDictionary(_ data: Data) throws -> [String: Any] {
        guard let dictionary = try read(data) as? [String: Any] else {
            throw ModelError.corrupt("The property list is not a dictionary.")
        }
        return dictionary
    }

    private static func value(_ list: BinaryPropertyList, _ index: Int, depth: Int, budget: inout Int) throws -> Any {
        budget -= 1
        guard depth < deepest, budget > 0 else {
            throw ModelError.corrupt("The property list is nested too deeply or too large.")
        }
        switch list.objects[index] {
        case .null: return NSNull()
        case .bool, .integer, .wide, .single, .real: return list.objects[index].number ?? NSNull()
        case .date(let value): return Date(timeIntervalSinceReferenceDate: value)
        case .data(let value): return value
        case .string(let value): return value
        case .uid(let value): return NSNumber(value: value)
        case .array(let elements):
            var result: [Any] = []
            for element in elements { result.append(try value(list, element, depth: depth + 1, budget: &budget)) }
            return result
        case .dictionary(let keys, let values):
            var result: [String: Any] = [:]
            for (key, index) in zip(keys, values) {
                guard case .string(let name) = list.objects[key] else {
                    throw ModelError.corrupt("The property list has a key that is not a string.")
                }
                result[name] = try value(list, index, depth: depth + 1, budget: &budget)
            }
            return result
        }
    }

    /// The content of an element inside of `plist`. The depth is limited by the parser.
    static func value(_ element: SourceElement) throws -> Any {
        let string = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch element.name {
        case "string": return element.text
        case "true": return NSNumber(value: true)
        case "false": return NSNumber(value: false)
        case "array": return try element.children.map { try value($0) }
        case "dict": return try dictionary(element)
        case "integer":
            guard let number = Int64(string) else { throw damaged(element) }
            return NSNumber(value: number)
        case "real":
            guard let number = Double(string) else { throw damaged(element) }
            return NSNumber(value: number)
        case "data":
            guard let data = Data(base64Encoded: element.text, options: .ignoreUnknownCharacters) else {
                throw damaged(element)
            }
            return data
        case "date":
            guard let date = ISO8601DateFormatter().date(from: string) else { throw damaged(element) }
            return date
        default: throw damaged(element)
        }
    }

    private static func dictionary(_ element: SourceElement) throws -> [String: Any] {
        var result: [String: Any] = [:]
        var key: String?
        for child in element.children {
            if let name = key {
                result[name] = try value(child)
                key = nil
            } else if child.name == "key" {
                key = child.text
            } else {
                throw damaged(child)
            }
        }
        return result
    }

    private static func damaged(_ element: SourceElement) -> CocoaError {
        ModelError.corrupt("The property list is damaged in line \(element.line): <\(element.name)>.")
    }
}
