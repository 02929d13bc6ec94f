import Foundation
import OpenCoreData

/// Errors as one sentence on one line.
package enum Sentence {
    /// The sentence for an error. One about an object begins with the name of the object; a new object has none.
    ///
    /// - Parameter name: What an object is called; nil for its own name.
    package static func string(of error: any Error, naming name: (AnyObject) -> String? = { _ in nil }) -> String {
        switch error {
        case let failure as ToolFailure: return finished(failure.description)
        case let failure as SystemFailure: return finished(failure.description.capitalizedFirst)
        case let syntax as JSONSyntaxError: return finished("The input is not valid JSON at \(syntax)")
        default: break
        }
        let userInfo = (error as? CocoaError)?.userInfo ?? (error as NSError).userInfo
        if let details = userInfo[NSDetailedErrorsKey] as? [any Error], !details.isEmpty {
            let sentences = details.prefix(3).map { clause(of: $0, naming: name) }.joined(separator: "; ")
            let rest = details.count > 3 ? "; and \(details.count - 3) more" : ""
            return finished("\(details.count) values are not valid: \(sentences)\(rest)")
        }
        if let conflicts = userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict],
            let sentence = sentence(of: conflicts)
        {
            return finished(sentence)
        }
        let sentence = (error as NSError).localizedDescription
        guard let object = userInfo[NSValidationObjectErrorKey] as? NSManagedObject,
            let ownName = name(object) ?? ownName(of: object)
        else { return finished(sentence) }
        return finished("\(ownName): \(sentence)")
    }

    /// Names the values that may be there once only, and the object that has them.
    private static func sentence(of conflicts: [NSConstraintConflict]) -> String? {
        guard let first = conflicts.first, let entity = first.conflictingObjects.first?.entity.displayName else {
            return nil
        }
        let values = first.constraint.map { key in
            "\(key) \(JSONText.string(of: DynamicJSON.json(first.constraintValues[key])))"
        }.joined(separator: " and ")
        let rest = conflicts.count > 1 ? "; and \(conflicts.count - 1) more values would be duplicates" : ""
        guard let object = first.databaseObject else {
            return "Several objects of \(entity) would have \(values)\(rest)"
        }
        return "Objects of \(entity) must differ in \(first.constraint.joined(separator: " and ")), and "
            + "\(ObjectName.short(object.objectID)) already has \(values)\(rest)"
    }

    /// The sentence without its end, to stand inside another.
    package static func clause(of error: any Error, naming name: (AnyObject) -> String? = { _ in nil }) -> String {
        withoutEnd(string(of: error, naming: name))
    }

    private static func ownName(of object: NSManagedObject) -> String? {
        object.objectID.isTemporaryID ? nil : ObjectName.short(object.objectID)
    }

    private static func finished(_ string: String) -> String {
        let line = TerminalText.line(string)
        return withoutEnd(line) + (line.hasSuffix("?") ? "?" : ".")
    }

    private static func withoutEnd(_ string: String) -> String {
        var string = string
        while let last = string.last, last == "." || last == "?" || last == " " { string.removeLast() }
        return string
    }
}
