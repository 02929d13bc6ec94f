import OpenCoreData

/// The model that the checks use: a person with everything that a relationship can be, and a record of all types.
enum ContractModel {
    /// A new copy.
    static func make() -> NSManagedObjectModel {
        let person = entity("Person")
        let student = entity("Student")
        let animal = entity("Animal")
        let club = entity("Club")
        let task = entity("Task")
        let passport = entity("Passport")
        let country = entity("Country")
        let code = entity("Code")
        person.properties = [
            attribute("name", .stringAttributeType), attribute("age", .integer32AttributeType),
            relationship("animals", to: animal, isToMany: true, rule: .cascadeDeleteRule),
            relationship("clubs", to: club, isToMany: true), relationship("friends", to: person, isToMany: true),
            relationship("tasks", to: task, isToMany: true, isOrdered: true), relationship("passport", to: passport),
            relationship("country", to: country),
        ]
        student.properties = [attribute("school", .stringAttributeType)]
        person.subentities = [student]
        animal.properties = [attribute("name", .stringAttributeType), relationship("owner", to: person)]
        club.properties = [
            attribute("name", .stringAttributeType), relationship("members", to: person, isToMany: true),
        ]
        task.properties = [attribute("name", .stringAttributeType), relationship("person", to: person)]
        passport.properties = [attribute("number", .stringAttributeType), relationship("holder", to: person)]
        country.properties = [
            attribute("name", .stringAttributeType),
            relationship("citizens", to: person, isToMany: true, rule: .denyDeleteRule),
        ]
        code.properties = [attribute("code", .stringAttributeType)]
        code.uniquenessConstraints = [["code"]]
        pair(person, "animals", animal, "owner")
        pair(person, "clubs", club, "members")
        pair(person, "friends", person, "friends")
        pair(person, "tasks", task, "person")
        pair(person, "passport", passport, "holder")
        pair(person, "country", country, "citizens")
        let model = NSManagedObjectModel()
        model.entities = [person, student, animal, club, task, passport, country, code, record()]
        return model
    }

    /// An entity with an attribute of each type.
    private static func record() -> NSEntityDescription {
        let record = entity("Record")
        record.properties = [
            attribute("key", .stringAttributeType), attribute("text", .stringAttributeType),
            attribute("small", .integer16AttributeType), attribute("medium", .integer32AttributeType),
            attribute("large", .integer64AttributeType), attribute("flag", .booleanAttributeType),
            attribute("single", .floatAttributeType), attribute("double", .doubleAttributeType),
            attribute("amount", .decimalAttributeType), attribute("moment", .dateAttributeType),
            attribute("bytes", .binaryDataAttributeType), attribute("token", .UUIDAttributeType),
            attribute("place", .URIAttributeType), attribute("payload", .transformableAttributeType),
        ]
        return record
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = "NSManagedObject"
        return entity
    }

    private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }

    private static func relationship(
        _ name: String, to destination: NSEntityDescription, isToMany: Bool = false, isOrdered: Bool = false,
        rule: NSDeleteRule = .nullifyDeleteRule
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = isToMany ? 0 : 1
        relationship.isOrdered = isOrdered
        relationship.deleteRule = rule
        relationship.isOptional = true
        return relationship
    }

    private static func pair(_ one: NSEntityDescription, _ first: String, _ two: NSEntityDescription, _ second: String)
    {
        one.relationshipsByName[first]?.inverseRelationship = two.relationshipsByName[second]
        two.relationshipsByName[second]?.inverseRelationship = one.relationshipsByName[first]
    }
}
