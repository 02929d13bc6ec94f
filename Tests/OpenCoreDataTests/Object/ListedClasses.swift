import Foundation
import OpenCoreData
import TestSupport

/// A class as code generation makes it: its properties are listed inside of it.
class Tome: NSManagedObject {
    final class _ModelProperties: ManagedPropertyList {
        override class var properties: [ResolvedProperty] {
            [
                Tome.titleProperty, Tome.pagesProperty, Tome.ratingProperty, Tome.publishedProperty,
                Tome.stampProperty, Tome.tokenProperty, Tome.linkProperty, Tome.dataProperty, Tome.ownerProperty,
                Tome.readersProperty,
            ]
        }
    }

    static let titleProperty = ManagedProperty<String?>("title")
    static let pagesProperty = ManagedProperty<Int64>("pages")
    static let ratingProperty = ManagedProperty<Double>("rating")
    static let publishedProperty = ManagedProperty<Date?>("published")
    static let stampProperty = ManagedProperty<TimeInterval>("stamp")
    static let tokenProperty = ManagedProperty<UUID>("token")
    static let linkProperty = ManagedProperty<URL>("link")
    static let dataProperty = ManagedProperty<Data>("data")
    static let ownerProperty = ManagedProperty<Reader?>("owner")
    static let readersProperty = ManagedProperty<Set<Reader>>("readers")

    var title: String? {
        get { self[Tome.titleProperty] }
        set { self[Tome.titleProperty] = newValue }
    }
    var pages: Int64 {
        get { self[Tome.pagesProperty] }
        set { self[Tome.pagesProperty] = newValue }
    }
    var rating: Double {
        get { self[Tome.ratingProperty] }
        set { self[Tome.ratingProperty] = newValue }
    }
    var published: Date? {
        get { self[Tome.publishedProperty] }
        set { self[Tome.publishedProperty] = newValue }
    }
    var stamp: TimeInterval {
        get { self[Tome.stampProperty] }
        set { self[Tome.stampProperty] = newValue }
    }
    var token: UUID {
        get { self[Tome.tokenProperty] }
        set { self[Tome.tokenProperty] = newValue }
    }
    var link: URL {
        get { self[Tome.linkProperty] }
        set { self[Tome.linkProperty] = newValue }
    }
    var data: Data {
        get { self[Tome.dataProperty] }
        set { self[Tome.dataProperty] = newValue }
    }
    /// As the accessor of `@NSManaged var owner: Reader` is made.
    var owner: Reader {
        get { self[Tome.ownerProperty] ?? _standIn(for: Tome.ownerProperty) }
        set { self[Tome.ownerProperty] = newValue }
    }
    var readers: Set<Reader> {
        get { self[Tome.readersProperty] }
        set { self[Tome.readersProperty] = newValue }
    }
}

/// A subclass that lists a property of its own, with the list that `@NSManaged` members get.
final class Folio: Tome {
    final class _ManagedProperties: ManagedPropertyList {
        override class var properties: [ResolvedProperty] { [Folio.heightProperty] }
    }

    static let heightProperty = ManagedProperty<Float>("height")

    var height: Float { self[Folio.heightProperty] }
}

final class Reader: NSManagedObject {
    static let nameProperty = ManagedProperty<String>("name")

    var name: String {
        get { self[Reader.nameProperty] }
        set { self[Reader.nameProperty] = newValue }
    }
}

final class Stranger: NSManagedObject {}

/// The model of tomes, and what can be wrong with it.
struct TomeModel {
    /// Other types for some attributes.
    var types: [String: NSAttributeType] = [:]
    /// Attributes and relationships that are left out.
    var missing: Set<String> = []
    var ownerIsToMany = false
    var readersIsToMany = true
    var readerClass: NSManagedObject.Type = Reader.self
    var tomeClass: String? = NSStringFromClass(Tome.self)
    /// Whether there is a second entity of the class Tome, without the attribute `title`.
    var hasPamphlet = false

    private static let fitting: [(String, NSAttributeType)] = [
        ("title", .stringAttributeType), ("pages", .integer32AttributeType), ("rating", .doubleAttributeType),
        ("published", .dateAttributeType), ("stamp", .dateAttributeType), ("token", .UUIDAttributeType),
        ("link", .URIAttributeType), ("data", .binaryDataAttributeType),
    ]

    func make() -> NSManagedObjectModel {
        let (tome, folio, reader) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
        (tome.name, folio.name, reader.name) = ("Tome", "Folio", "Reader")
        tome.managedObjectClassName = tomeClass
        folio.managedObjectClassName = tomeClass == nil ? nil : NSStringFromClass(Folio.self)
        reader.managedObjectClassName = NSStringFromClass(readerClass)
        tome.properties = attributes(besides: []) + relationships(to: reader)
        if !missing.contains("height") {
            folio.properties = [LibraryModel.attribute("height", types["height"] ?? .floatAttributeType)]
        }
        tome.subentities = [folio]
        reader.properties = [LibraryModel.attribute("name", types["name"] ?? .stringAttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [tome, folio, reader]
        if hasPamphlet {
            let pamphlet = NSEntityDescription()
            pamphlet.name = "Pamphlet"
            pamphlet.managedObjectClassName = tomeClass
            pamphlet.properties = attributes(besides: ["title"]) + relationships(to: reader)
            model.entities.append(pamphlet)
        }
        return model
    }

    private func attributes(besides left: Set<String>) -> [NSPropertyDescription] {
        Self.fitting.filter { !missing.contains($0.0) && !left.contains($0.0) }
            .map { LibraryModel.attribute($0.0, types[$0.0] ?? $0.1) }
    }

    private func relationships(to reader: NSEntityDescription) -> [NSPropertyDescription] {
        [
            LibraryModel.relationship("owner", to: reader, toMany: ownerIsToMany, rule: .nullifyDeleteRule),
            LibraryModel.relationship("readers", to: reader, toMany: readersIsToMany, rule: .nullifyDeleteRule),
        ].filter { !missing.contains($0.name) }
    }
}
