import Foundation

/// Writes a model's source in the layout that Apple's model editor gives it.
enum SourceXMLPrinter {
    static func data(of root: SourceElement) -> Data {
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
        append(root, depth: 0, to: &xml)
        return Data(xml.utf8)
    }

    private static func append(_ element: SourceElement, depth: Int, to xml: inout String) {
        xml += String(repeating: "    ", count: depth) + "<\(element.name)"
        for (key, value) in element.attributes { xml += " \(key)=\"\(escaped(value))\"" }
        guard !element.children.isEmpty else {
            xml += "/>"
            return
        }
        xml += ">\n"
        for child in element.children {
            append(child, depth: depth + 1, to: &xml)
            xml += "\n"
        }
        xml += String(repeating: "    ", count: depth) + "</\(element.name)>"
    }

    private static func escaped(_ value: String) -> String {
        XMLText.escaped(value, inAttribute: true) { scalar in
            ["\n", "\r", "\t"].contains(scalar) ? "&#\(scalar.value);" : nil
        }
    }
}
