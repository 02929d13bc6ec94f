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

    /// Refuses what no object of an entity, or of one that inherits from it, can have.
    ///
    /// - Throws: `ToolFailure` for an unknown key, and for a value of another type.
    func check(for entity: NSEntityDescription) throws {
        guard let owner = ([entity] + entity.descendants).first(where: { has(key, $0) }) else {
            _ = try Field.element(at: key, of: entity)
            throw Field.unknown(key, of: entity)
        }
        _ = try attributeValue(of: owner)
    }

    private func has(_ key: String, _ entity: NSEntityDescription) -> Bool {
        let first = key.split(separator: ".", omittingEmptySubsequences: false).first.map(String.init) ?? key
        return entity.attributesByName[key] != nil || entity.relationshipsByName[key] != nil
            || first != key && entity.attributesByName[first] is NSCompositeAttributeDescription
    }

    /// The value of an attribute or an element; `nil` if the key isn't the name of one.
    private func attributeValue(of entity: NSEntityDescription) throws -> (value: Any?, isElement: Bool)? {
        if let attribute = entity.attributesByName[key] {
            guard !(attribute is NSDerivedAttributeDescription) else {
                throw ToolFailure("The attribute \(key) of \(entity.displayName) is derived and cannot be set.")
            }
            return (try CommandLineValue.value(value, of: attribute), false)
        }
        return try Field.element(at: key, of: entity).map {
            (try CommandLineValue.value(value, ofElement: $0), true)
        }
    }

    /// Sets the property of `object`.
    ///
    /// - Throws: `ToolFailure` for an unknown key, a value of another type, or an object that is not there.
    func apply(to object: NSManagedObject, in session: StoreSession, context: NSManagedObjectContext) throws {
        let entity = object.entity
        if let (value, isElement) = try attributeValue(of: entity) {
            if isElement { object.setValue(value, forKeyPath: key) } else { object.setValue(value, forKey: key) }
        } else if let relationship = entity.relationshipsByName[key] {
            object.setValue(try destination(of: relationship, session, context), forKey: key)
        } else {
            throw Field.unknown(key, of: entity)
        }
    }

    private func destination(
        of relationship: NSRelationshipDescription, _ session: StoreSession, _ context: NSManagedObjectContext
    ) throws -> Any? {
        let names =
            value == "null"
            ? [] : value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        return try session.destinations(of: relationship, named: names, in: context)
    }
}
#endif
