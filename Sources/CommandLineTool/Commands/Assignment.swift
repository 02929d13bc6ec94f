#if CommandLineTool
    import ArgumentParser
    import Foundation
    import OpenCoreData
    import StoreTools

    /// `KEY=VALUE` of the command `set`.
    struct Assignment: ExpressibleByArgument {
        var key: String
        var value: String

        init?(argument: String) {
            guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
            key = String(argument[..<sign])
            value = String(argument[argument.index(after: sign)...])
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
                let names = StoreSession.listed(entity.propertiesByName.keys.sorted())
                throw ToolFailure("The entity \(entity.displayName) has no property named \(key); it has \(names).")
            }
        }

        private func destination(
            of relationship: NSRelationshipDescription, _ session: StoreSession, _ context: NSManagedObjectContext
        ) throws -> Any? {
            let names = value == "null" ? [] : value.split(separator: ",").map(String.init)
            let objects = try names.map { name in
                let object = try session.object(named: name, in: context)
                if let destination = relationship.destinationEntity, !object.entity.isKindOf(entity: destination) {
                    throw ToolFailure(
                        "\(name) is of the entity \(object.entity.displayName); "
                            + "\(key) leads to \(destination.displayName).")
                }
                return object
            }
            guard relationship.isToMany else {
                guard objects.count <= 1 else { throw ToolFailure("\(key) leads to one object, not to several.") }
                return objects.first
            }
            return relationship.isOrdered ? NSOrderedSet(array: objects) : Set(objects)
        }
    }
#endif
