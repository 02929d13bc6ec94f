import Foundation
import OpenCoreData
import Testing

/// Builds Person <- Employee, and Department with an ordered to-many back.
func makeCompanyModel() -> NSManagedObjectModel {
    let name = NSAttributeDescription()
    name.name = "name"
    name.attributeType = .stringAttributeType
    let salary = NSAttributeDescription()
    salary.name = "salary"
    salary.type = .decimal
    let title = NSAttributeDescription()
    title.name = "title"
    title.type = .string

    let department = NSRelationshipDescription()
    department.name = "department"
    department.maxCount = 1
    let employees = NSRelationshipDescription()
    employees.name = "employees"
    employees.isOrdered = true
    employees.deleteRule = .cascadeDeleteRule

    let person = NSEntityDescription()
    person.name = "Person"
    person.isAbstract = true
    person.properties = [name]
    let employee = NSEntityDescription()
    employee.name = "Employee"
    employee.properties = [salary, department]
    person.subentities = [employee]
    let departmentEntity = NSEntityDescription()
    departmentEntity.name = "department"
    departmentEntity.properties = [title, employees]
    departmentEntity.uniquenessConstraints = [["title"]]
    let byTitle = NSFetchIndexElementDescription(property: title, collationType: .binary)
    departmentEntity.indexes = [NSFetchIndexDescription(name: "byTitle", elements: [byTitle])]

    department.destinationEntity = departmentEntity
    department.inverseRelationship = employees
    employees.destinationEntity = employee
    employees.inverseRelationship = department

    let model = NSManagedObjectModel()
    model.entities = [person, departmentEntity]
    model.setEntities([departmentEntity], forConfigurationName: "Local")
    model.versionIdentifiers = ["1.0"]
    return model
}

@Suite struct EntityDescriptionTests {
    @Test func subentitiesSeeInheritedProperties() throws {
        let model = makeCompanyModel()
        let person = try #require(model.entitiesByName["Person"])
        let employee = try #require(model.entitiesByName["Employee"])
        #expect(employee.properties.map(\.name) == ["name", "salary", "department"])
        #expect(employee.propertiesByName["name"] === person.propertiesByName["name"])
        #expect(employee.attributesByName.keys.sorted() == ["name", "salary"])
        #expect(employee.relationshipsByName.keys.sorted() == ["department"])
        #expect(employee.isKindOf(entity: person) && !person.isKindOf(entity: employee))
        #expect(employee.superentity === person)
        #expect(person.subentitiesByName["Employee"] === employee)
        #expect(employee.propertiesByName["name"]?.entity === person)
        #expect(employee.managedObjectModel === model)
    }

    @Test func aChangeOfASuperentityShowsInSubentities() throws {
        let model = makeCompanyModel()
        let person = try #require(model.entitiesByName["Person"])
        let employee = try #require(model.entitiesByName["Employee"])
        #expect(employee.propertiesByName["age"] == nil)
        let age = NSAttributeDescription()
        age.name = "age"
        person.properties = person.properties + [age]
        #expect(employee.propertiesByName["age"] === age)
        age.name = "years"
        #expect(employee.propertiesByName["years"] === age && employee.propertiesByName["age"] == nil)
    }

    @Test func inheritedPropertiesInTheListAreNotDeclaredAgain() throws {
        let model = makeCompanyModel()
        let employee = try #require(model.entitiesByName["Employee"])
        employee.properties = employee.properties
        #expect(employee.declaredProperties.map(\.name) == ["salary", "department"])
    }

    @Test func defaultsAreApples() {
        let entity = NSEntityDescription()
        #expect(entity.managedObjectClassName == "NSManagedObject")
        for name in [
            "NSManagedObject", "CoreData.NSManagedObject", "OpenCoreData.NSManagedObject", ".NSManagedObject",
            NSStringFromClass(NSManagedObject.self), String(reflecting: NSManagedObject.self),
        ] {
            entity.managedObjectClassName = name
            #expect(entity.managedObjectClassName == "NSManagedObject", "\(name)")
        }
        #expect(!entity.isAbstract && entity.uniquenessConstraints.isEmpty)
        let attribute = NSAttributeDescription()
        #expect(attribute.isOptional && !attribute.isTransient && attribute.attributeType == .undefinedAttributeType)
        attribute.type = .string
        #expect(attribute.attributeValueClassName == "NSString")
        attribute.type = .integer64
        #expect(attribute.attributeValueClassName == "NSNumber")
        attribute.name = "number"
        #expect(attribute.renamingIdentifier == "number")
        let relationship = NSRelationshipDescription()
        #expect(relationship.minCount == 0 && relationship.maxCount == 0 && relationship.isToMany)
        #expect(relationship.deleteRule == .nullifyDeleteRule)
        relationship.maxCount = 1
        #expect(!relationship.isToMany)
    }

    @Test func storeOrderIsDepthFirstWithoutRegardToCase() {
        let model = makeCompanyModel()
        #expect(model.entitiesInStoreOrder.compactMap(\.name) == ["department", "Person", "Employee"])
    }

    @Test func aModelKeepsItsEntitiesAndTheirLinksAlive() throws {
        let model = makeCompanyModel()
        let employee = try #require(model.entitiesByName["Employee"])
        let department = try #require(employee.relationshipsByName["department"])
        #expect(department.destinationEntity === model.entitiesByName["department"])
        #expect(department.inverseRelationship?.inverseRelationship === department)
        #expect(
            model.entitiesByName["department"]?.relationships(forDestination: employee).map(\.name) == ["employees"])
    }

    @Test func aModelThatIsNotUsedAnyMoreGoesAway() {
        weak var model: NSManagedObjectModel?
        weak var entity: NSEntityDescription?
        do {
            let temporary = makeCompanyModel()
            _ = temporary.entitiesByName["Employee"]?.relationshipsByName
            model = temporary
            entity = temporary.entitiesByName["Employee"]
        }
        #expect(model == nil && entity == nil)
    }

    @Test func aCopyIsDeepAndLinkedWithinItself() throws {
        let model = makeCompanyModel()
        model.freeze()
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(!copy.isFrozen)
        let employee = try #require(copy.entitiesByName["Employee"])
        #expect(employee !== model.entitiesByName["Employee"])
        #expect(employee.superentity === copy.entitiesByName["Person"])
        let department = try #require(employee.relationshipsByName["department"])
        #expect(department.destinationEntity === copy.entitiesByName["department"])
        #expect(department.inverseRelationship === copy.entitiesByName["department"]?.relationshipsByName["employees"])
        #expect(copy.entities(forConfigurationName: "Local")?.first === copy.entitiesByName["department"])
        #expect(copy.versionIdentifiers == ["1.0"])
        let index = try #require(copy.entitiesByName["department"]?.indexes.first)
        #expect(index.elements.first?.property === copy.entitiesByName["department"]?.propertiesByName["title"])
        employee.name = "Worker"
        #expect(copy.entitiesByName["Worker"] === employee && model.entitiesByName["Worker"] == nil)
    }

    @Test func aCopiedEntityFindsItsPlaceInAnotherModel() throws {
        let model = makeCompanyModel()
        let other = NSManagedObjectModel()
        other.entities = model.entities.compactMap { $0.copy() as? NSEntityDescription }
        let employee = try #require(other.entitiesByName["Employee"])
        #expect(employee.superentity === other.entitiesByName["Person"])
        #expect(employee.relationshipsByName["department"]?.destinationEntity === other.entitiesByName["department"])
    }

    @Test func theRuntimeIsSetOnce() {
        let entity = NSEntityDescription()
        let first = NSObject()
        let wasUnset = entity.runtime == nil
        let stored = entity.setRuntime(first) as? NSObject
        let storedAgain = entity.setRuntime(NSObject()) as? NSObject
        #expect(wasUnset)
        #expect(stored === first)
        #expect(storedAgain === first)
        #expect(entity.runtime as? NSObject === first)
    }
}
