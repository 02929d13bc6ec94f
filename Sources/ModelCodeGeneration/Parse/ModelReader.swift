import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Takes in the elements of a model's source, one after the other.
final class ModelReader: NSObject, XMLParserDelegate {
    private static let deepest = 64

    private(set) var document: ModelDocument
    private(set) var failure: Diagnostic?
    private(set) var hasModel = false
    /// The names of the elements that are open.
    private var open: [String] = []

    init(file: String) {
        document = ModelDocument(file: file)
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String] = [:]
    ) {
        guard failure == nil else { return }
        let element = ModelElement(file: document.file, name: name, line: parser.lineNumber, attributes: attributes)
        do throws(Diagnostic) {
            guard open.count < Self.deepest else { throw element.error("is nested too deeply") }
            try take(element)
        } catch {
            failure = error
            parser.abortParsing()
        }
        open.append(name)
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        if !open.isEmpty { open.removeLast() }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
        guard failure == nil else { return }
        let inside = open.last.map { " in <\($0)>" } ?? ""
        failure = Diagnostic(
            file: document.file, line: max(parser.lineNumber, 1), "the XML of the model is damaged\(inside)")
    }

    private func take(_ element: ModelElement) throws(Diagnostic) {
        switch (open.last, element.name) {
        case (nil, "model"): hasModel = true
        case (nil, _): throw element.error("isn't the root element of a model")
        case ("model", "entity"): document.entities.append(try element.entity())
        case ("model", "fetchRequest"): document.fetchRequests.append(try element.fetchRequest())
        case ("entity", "attribute"):
            let attribute = try element.attribute()
            changeEntity { $0.attributes.append(attribute) }
        case ("entity", "relationship"):
            let relationship = try element.relationship()
            changeEntity { $0.relationships.append(relationship) }
        case ("entity", "fetchedProperty"):
            let property = ModelFetchedProperty(name: try element.required("name"), line: element.line)
            changeEntity { $0.fetchedProperties.append(property) }
        case ("fetchedProperty", "fetchRequest"):
            let destination = element.attributes["entity"]
            changeEntity { entity in
                guard !entity.fetchedProperties.isEmpty else { return }
                entity.fetchedProperties[entity.fetchedProperties.count - 1].destination = destination
            }
        default: break
        }
    }

    private func changeEntity(_ change: (inout ModelEntity) -> Void) {
        guard !document.entities.isEmpty else { return }
        change(&document.entities[document.entities.count - 1])
    }
}
