import Foundation

/// Writes a property list as XML in the indentation that Apple's XML stores have.
struct XMLPropertyListWriter {
    private(set) var output = ""
    private var depth: Int
    /// How deep the list itself is nested; long data are indented by that.
    private var listDepth = 0

    init(depth: Int) { self.depth = depth }

    /// Writes a value on lines of its own.
    ///
    /// - Throws: `propertyListWriteInvalid` when no property list can have the value.
    mutating func write(_ value: Any) throws {
        switch value {
        case let string as String: line("<string>\(XMLText.escaped(string))</string>")
        case let data as Data: write(data)
        case let date as Date: line("<date>\(ISO8601DateFormatter().string(from: date))</date>")
        case let number as NSNumber where value is NSObject: write(number)
        case let flag as Bool: line(flag ? "<true/>" : "<false/>")
        case let number as any BinaryInteger: line("<integer>\(number)</integer>")
        case let number as Double: line("<real>\(number)</real>")
        case let array as [Any]: try nested("array") { try $0.writeElements(array) }
        case let dictionary as [String: Any]: try nested("dict") { try $0.writeEntries(dictionary) }
        case let set as Set<AnyHashable>: try write(set.map(\.base))
        default:
            throw CoreDataError.make(
                CocoaError.Code.propertyListWriteInvalid.rawValue,
                "The metadata has a value that a property list can't contain: \(type(of: value)).")
        }
    }

    private mutating func write(_ number: NSNumber) {
        if String(cString: number.objCType) == "c", number == 0 || number == 1 {
            line(number.boolValue ? "<true/>" : "<false/>")
        } else if let integer = number as? Int64 {
            line("<integer>\(integer)</integer>")
        } else {
            line("<real>\(number.doubleValue)</real>")
        }
    }

    private mutating func writeElements(_ array: [Any]) throws {
        for element in array { try write(element) }
    }

    private mutating func writeEntries(_ dictionary: [String: Any]) throws {
        for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
            line("<key>\(XMLText.escaped(key))</key>")
            try write(value)
        }
    }

    private mutating func write(_ data: Data) {
        let tabs = String(repeating: "\t", count: listDepth)
        let string = data.base64EncodedString()
        output += String(repeating: "    ", count: depth) + "<data>\n"
        var rest = string[...]
        while !rest.isEmpty {
            output += tabs + rest.prefix(68) + "\n"
            rest = rest.dropFirst(68)
        }
        output += tabs + "</data>\n"
    }

    private mutating func nested(_ name: String, _ body: (inout XMLPropertyListWriter) throws -> Void) throws {
        line("<\(name)>")
        depth += 1
        listDepth += 1
        try body(&self)
        depth -= 1
        listDepth -= 1
        line("</\(name)>")
    }

    private mutating func line(_ string: String) {
        output += String(repeating: "    ", count: depth) + string + "\n"
    }
}
