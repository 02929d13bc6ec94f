import Foundation
import ModelCodeGeneration
import OpenCoreData
import StoreTools
import Testing

/// The source of classes with `@Model` for a model.
struct ModelClassesTests {
    private func attribute(
        _ name: String, _ type: NSAttributeType, optional: Bool = false, initial: Any? = nil
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = optional
        attribute.defaultValue = initial
        return attribute
    }

    private func composite(
        _ name: String, _ elements: [NSAttributeDescription], _ info: [String: Any]? = nil
    ) -> NSCompositeAttributeDescription {
        let composite = NSCompositeAttributeDescription()
        composite.name = name
        composite.elements = elements
        composite.userInfo = info
        composite.isOptional = false
        return composite
    }

    private func relationship(
        _ name: String, _ destination: NSEntityDescription, isToMany: Bool, rule: NSDeleteRule = .nullifyDeleteRule
    ) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = isToMany ? 0 : 1
        relationship.deleteRule = rule
        relationship.isOptional = !isToMany
        return relationship
    }

    private func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        return entity
    }

    private func model(_ entities: NSEntityDescription...) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    @Test func propertiesHaveTypesInitialValuesAndMarks() throws {
        let (trip, stop) = (entity("Trip"), entity("Stop"))
        let renamed = attribute("class", .stringAttributeType)
        renamed.renamingIdentifier = "kind"
        let picture = attribute("picture", .binaryDataAttributeType, optional: true)
        picture.allowsExternalBinaryDataStorage = true
        let tags = attribute("tags", .transformableAttributeType)
        tags.attributeValueClassName = "Array<String>"
        tags.valueTransformerName = "NSSecureUnarchiveFromData"
        let stops = relationship("stops", stop, isToMany: true, rule: .cascadeDeleteRule)
        let owner = relationship("trip", trip, isToMany: false)
        stops.inverseRelationship = owner
        owner.inverseRelationship = stops
        trip.properties = [
            attribute("name", .stringAttributeType), renamed, attribute("days", .integer64AttributeType, initial: 3),
            attribute("isOver", .booleanAttributeType, initial: false),
            attribute("cost", .decimalAttributeType, optional: true), picture, tags,
            composite(
                "mood", [attribute("mood", .stringAttributeType, optional: true)], ["EnumType": true]),
            composite(
                "season",
                ["spring", "in"].map { attribute($0, .stringAttributeType, optional: true) },
                ["EnumType": true, "enum": ["spring", "in"]]),
            composite("place", [attribute("city", .stringAttributeType, optional: true)]), stops,
        ]
        trip.uniquenessConstraints = [["name"], ["name", "days"]]
        stop.properties = [owner]
        let classes = try ModelClasses(model(trip, stop), values: EnumerationValues())
        let source = try #require(classes.files.first { $0.name == "Trip.swift" }?.content)
        for line in [
            "import SwiftData", "enum Mood: String, Codable {", "    case unknown = \"\"", "    case spring",
            "    case `in`",
            "struct Place: Codable {", "    var city: String?", "final class Trip {",
            "    #Unique<Trip>([\\.name, \\.days])", "    @Attribute(.unique) var name: String",
            "    @Attribute(originalName: \"kind\") var `class`: String", "    var days: Int = 3",
            "    var isOver: Bool = false", "    var cost: Decimal?",
            "    @Attribute(.externalStorage) var picture: Data?",
            "    var tags: [String] = []", "    var mood: Mood", "    var season: Season",
            "    @Relationship(deleteRule: .cascade, inverse: \\Stop.trip) var stops: [Stop] = []",
            "    init(name: String, `class`: String, mood: Mood, season: Season, place: Place) {",
            "        self.class = `class`",
        ] {
            #expect(source.contains(line + "\n"), "no line \(line) in:\n\(source)")
        }
        let other = try #require(classes.files.first { $0.name == "Stop.swift" }?.content)
        #expect(other.contains("    var trip: Trip?\n") && !other.contains("inverse"))
        #expect(classes.leftOut == [])
    }

    @Test func subclassesCallTheInitializerOfTheirSuperclass() throws {
        let (animal, dog) = (entity("Animal"), entity("Dog"))
        animal.properties = [attribute("name", .stringAttributeType)]
        dog.properties = [attribute("isGood", .booleanAttributeType)]
        animal.subentities = [dog]
        let source = try ModelClasses(model(animal, dog), values: EnumerationValues(), access: "public").source
        #expect(source.contains("@Model\npublic class Animal {\n    public var name: String\n"))
        #expect(source.contains("@Model\npublic final class Dog: Animal {\n    public var isGood: Bool\n"))
        #expect(source.contains("    public init(name: String, isGood: Bool) {\n        super.init(name: name)\n"))
        #expect(source.components(separatedBy: "import SwiftData").count == 2)
    }

    @Test func whatAClassCanNotSayIsNamed() throws {
        let (shelf, book) = (entity("Shelf"), entity("Book"))
        shelf.isAbstract = true
        let books = relationship("books", book, isToMany: true)
        books.isOrdered = true
        let derived = NSDerivedAttributeDescription()
        derived.name = "count"
        derived.attributeType = .integer64AttributeType
        derived.derivationExpression = NSExpression(forKeyPath: "books.@count")
        shelf.properties = [books, derived]
        let classes = try ModelClasses(model(shelf, book), values: EnumerationValues())
        #expect(classes.leftOut.count == 3)
        for name in ["Shelf is abstract", "Shelf.books is ordered", "Shelf.count is derived"] {
            #expect(classes.leftOut.contains { $0.hasPrefix(name) }, "\(classes.leftOut)")
        }
        // Without the mark, the classes would join it with a relationship back.
        #expect(classes.source.contains("    @Relationship var books: [Book] = []\n"))
    }

    @Test func namesOfSwiftStayWhatTheyAre() throws {
        let date = entity("Date")
        date.properties = [attribute("day", .dateAttributeType), attribute("text", .stringAttributeType)]
        let source = try ModelClasses(model(date), values: EnumerationValues()).source
        #expect(source.contains("final class Date {\n    var day: Foundation.Date\n    var text: String\n"))
        #expect(throws: (any Error).self) {
            try ModelClasses(model(entity("No name")), values: EnumerationValues())
        }
    }
}
