#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

/// `KEY=VALUE` of the commands `set` and `insert`.
struct Assignment: ExpressibleByArgument {
    var key: String
    var value: String

    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
        key = String(argument[..<sign])
        value = String(argument[argument.index(after: sign)...])
    }

    /// Refuses to set one property twice.
    static func check(_ assignments: [Assignment]) throws {
        var keys: Set<String> = []
        for assignment in assignments where !keys.insert(assignment.key).inserted {
            throw ValidationError("\(assignment.key) is set twice.")
        }
    }

    /// Sets the property of `object`.
    ///
    /// - Throws: `ToolFailure` for an unknown key, a value of another type, or an object that is not there.
    func apply(to object: NSManagedObject, in session: StoreSession, context: NSManagedObjectContext) throws {
        let entity = object.entity
        if let attribute = entity.attributesByName[key] {
            guard !(attribute is NSDerivedAttributeDescription) else {
                throw ToolFailure("The attribute \(key) of \(entity.displayName) is derived and cannot be set.")
            }
            object.setValue(try CommandLineValue.value(value, of: attribute), forKey: key)
        } else if let element = try Field.element(at: key, of: entity) {
            object.setValue(try CommandLineValue.value(value, ofElement: element), forKeyPath: key)
        } else if let relationship = entity.relationshipsByName[key] {
            object.setValue(try destination(of: relationship, session, context), forKey: key)
        } else {
            throw Field.unknown(key, of: entity)
        }
    }

    private func destination(
        of relationship: NSRelationshipDescription, _ session: StoreSession, _ context: NSManagedObjectContext
    ) throws -> Any? {
        let names = value == "null" ? [] : value.split(separator: ",").map(String.init)
        return try session.destinations(of: relationship, named: names, in: context)
    }
}
#endif
