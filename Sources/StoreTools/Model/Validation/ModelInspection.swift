import Foundation
import OpenCoreData

/// One version of a model, looked at by all rules.
package struct ModelInspection {
    /// What stands before each finding.
    package let file: String
    /// Whether it is the version that applications use.
    package let isCurrent: Bool
    package let findings: [ModelFinding]

    /// The versions of a model: the current one, the one that is requested, or all of them.
    package static func inspections(of reference: ModelReference, allVersions: Bool) throws -> [ModelInspection] {
        let folders = try reference.sourceFolders()
        guard !folders.isEmpty else { return [try inspection(ofModel: reference)] }
        let current = try currentVersion(of: reference, among: folders.map(\.name))
        if allVersions {
            return try folders.map { try inspection(ofSource: $0.url, isCurrent: $0.name == current) }
        }
        guard let wanted = reference.version ?? current else {
            throw ToolFailure("\(reference.path) has \(folders.count) versions, but doesn't say which one is current.")
        }
        if !folders.contains(where: { $0.name == wanted }) {
            // Says which versions there are.
            _ = try ModelReference(reference.path, version: wanted).source()
        }
        return try folders.filter { $0.name == wanted }
            .map { try inspection(ofSource: $0.url, isCurrent: $0.name == current) }
    }

    /// The version that applications use; `nil` if the folder has several and doesn't say which.
    private static func currentVersion(of reference: ModelReference, among names: [String]) throws -> String? {
        try ModelSourceBundle.currentVersionName(in: reference.url) ?? (names.count == 1 ? names[0] : nil)
    }

    private static func inspection(ofSource url: URL, isCurrent: Bool) throws -> ModelInspection {
        if !isCurrent, ModelSourceBundle.isBinary(url) {
            let message = "This version is in the binary form of old versions of Xcode, which isn't read: left out."
            return ModelInspection(
                file: url.lastPathComponent, isCurrent: false,
                findings: [ModelFinding(severity: .warning, rule: "binary", message: message)])
        }
        let document = try ModelSourceDocument(contentsOf: url)
        var findings = ModelRules(model: CheckedModel(document.root), isSource: true).findings()
        if !findings.contains(where: { $0.severity == .error }) {
            // What only shows when the model is made.
            do {
                findings += Self.findings(of: try document.model())
            } catch {
                findings.append(ModelFinding(severity: .error, rule: "model", message: Sentence.string(of: error)))
            }
        }
        return ModelInspection(file: path(of: url), isCurrent: isCurrent, findings: findings)
    }

    /// Where the XML is, relative to the current folder if it is below.
    private static func path(of url: URL) -> String {
        let file = url.lastPathComponent == "contents" ? url : url.appendingPathComponent("contents")
        let current = FileManager.default.currentDirectoryPath + "/"
        return file.path.hasPrefix(current) ? String(file.path.dropFirst(current.count)) : file.path
    }

    private static func findings(of model: NSManagedObjectModel) -> [ModelFinding] {
        model.problems().map { ModelFinding(severity: .error, rule: "model", message: $0) }
    }

    // MARK: Compiled models and stores

    private static func inspection(ofModel reference: ModelReference) throws -> ModelInspection {
        let url = try InputFile.url(reference.path, orFolder: true)
        if url.pathExtension == "xcdatamodel" || url.lastPathComponent == "contents" {
            return try inspection(ofSource: url, isCurrent: true)
        }
        let source = try reference.source()
        let root = try describe(source.model)
        var findings = ModelRules(model: CheckedModel(root), isSource: false).findings()
        if !findings.contains(where: { $0.severity == .error }) { findings += Self.findings(of: source.model) }
        return ModelInspection(file: reference.path, isCurrent: true, findings: findings)
    }

    /// The model as source; what source cannot express, and no rule looks at, is left out then.
    private static func describe(_ model: NSManagedObjectModel) throws -> SourceElement {
        if let document = try? ModelSourceDocument(model: model) { return document.root }
        guard let copy = model.copy() as? NSManagedObjectModel else { return SourceElement("model") }
        copy.versionIdentifiers = []
        copy.fetchRequestTemplates = [:]
        for entity in copy.entities {
            entity.userInfo = nil
            for property in entity.declaredProperties {
                property.userInfo = nil
                property.setValidationPredicates(nil, withValidationWarnings: nil)
                if let fetched = property as? NSFetchedPropertyDescription {
                    fetched.template = fetched.template.map { template in
                        var plain = FetchRequestTemplate(name: template.name, entityName: template.entityName)
                        plain.predicateString = template.predicateString ?? template.predicate?.predicateFormat
                        return plain
                    }
                }
                if let attribute = property as? NSAttributeDescription,
                    attribute.attributeType == .transformableAttributeType
                {
                    attribute.defaultValue = nil
                }
            }
        }
        return try ModelSourceDocument(model: copy).root
    }

    // MARK: Output

    /// A finding as compilers print it: `file:line: warning: Entity.property: sentence`.
    package func line(of finding: ModelFinding) -> String {
        let location = finding.line.map { "\(file):\($0)" } ?? file
        let subject = finding.subject.map { "\($0): " } ?? ""
        return "\(location): \(finding.severity.rawValue): \(subject)\(finding.message)"
    }

    package func json(of finding: ModelFinding) -> JSONValue {
        [
            "file": .string(file), "line": finding.line.map { JSONValue($0) } ?? .null,
            "severity": .string(finding.severity.rawValue), "rule": .string(finding.rule),
            "entity": JSONValue(finding.entity), "property": JSONValue(finding.property),
            "message": .string(finding.message),
        ]
    }
}
