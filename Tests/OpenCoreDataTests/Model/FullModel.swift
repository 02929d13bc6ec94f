import Foundation
import OpenCoreData

/// A model that uses everything that a model can say.
func makeFullModel() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    let item = makeItemEntity()
    let book = NSEntityDescription()
    book.name = "Book"
    book.properties = [makeDerivedCount(), makeFetchedProperty(), makeComposite()]
    let shelf = NSEntityDescription()
    shelf.name = "Shelf"
    shelf.managedObjectClassName = "ShelfObject"
    shelf.renamingIdentifier = "Case"
    shelf.versionHashModifier = "2"
    item.subentities = [book]

    let items = NSRelationshipDescription()
    items.name = "items"
    items.isOrdered = true
    items.minCount = 1
    items.maxCount = 10
    items.deleteRule = .denyDeleteRule
    let toShelf = NSRelationshipDescription()
    toShelf.name = "shelf"
    toShelf.maxCount = 1
    toShelf.isOptional = false
    items.destinationEntity = item
    items.inverseRelationship = toShelf
    toShelf.destinationEntity = shelf
    toShelf.inverseRelationship = items
    shelf.properties = [items]
    item.properties += [toShelf]
    model.entities = [item, shelf]
    addIndexes(to: item)

    model.setEntities([item, book], forConfigurationName: "Things")
    model.setEntities([shelf], forConfigurationName: "Furniture")
    model.versionIdentifiers = ["v7"]
    var template = FetchRequestTemplate(name: "cheap", entityName: "Item")
    template.predicateString = "price < 10 AND title BEGINSWITH[cd] \"a\""
    template.fetchLimit = 5
    template.includesSubentities = false
    template.returnsDistinctResults = true
    model.fetchRequestTemplates = ["cheap": template]
    return model
}

private func makeItemEntity() -> NSEntityDescription {
    let item = NSEntityDescription()
    item.name = "Item"
    item.isAbstract = true
    item.userInfo = ["note": "a < b & \"c\"", "empty": ""]
    let values: [(String, NSAttributeType, Any?)] = [
        ("small", .integer16AttributeType, NSNumber(value: 7)),
        ("medium", .integer32AttributeType, NSNumber(value: -7)),
        ("large", .integer64AttributeType, NSNumber(value: Int64.max)),
        ("price", .decimalAttributeType, Decimal(string: "-123456789012345678901234.5678")),
        ("weight", .doubleAttributeType, NSNumber(value: 0.1)),
        ("size", .floatAttributeType, NSNumber(value: Float(2.5))),
        ("title", .stringAttributeType, "Ünïcode \u{1F4DA}\n<&>"),
        ("isNew", .booleanAttributeType, NSNumber(value: true)),
        ("made", .dateAttributeType, Date(timeIntervalSinceReferenceDate: 12345.5)),
        ("image", .binaryDataAttributeType, nil),
        ("key", .UUIDAttributeType, UUID(uuidString: "0F0E0D0C-0B0A-0908-0706-050403020100")),
        ("link", .URIAttributeType, URL(string: "https://example.org/a?b=c")),
        ("extra", .transformableAttributeType, nil),
        ("scratch", .undefinedAttributeType, nil),
    ]
    item.properties = values.map { name, type, value in
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.defaultValue = value
        attribute.isOptional = name != "title"
        attribute.isTransient = name == "scratch"
        attribute.allowsExternalBinaryDataStorage = name == "image"
        attribute.preservesValueInHistoryOnDeletion = name == "key"
        attribute.allowsCloudEncryption = name == "link"
        attribute.isIndexedBySpotlight = name == "title"
        return attribute
    }
    let title = item.attributesByName["title"]
    title?.renamingIdentifier = "name"
    title?.versionHashModifier = "x"
    title?.userInfo = ["label": "Title"]
    let length = NSComparisonPredicate(
        leftExpression: NSExpression(forKeyPath: "length"), rightExpression: NSExpression(forConstantValue: 3),
        type: .greaterThanOrEqualTo)
    let pattern = NSComparisonPredicate(
        leftExpression: NSExpression(expressionType: .evaluatedObject),
        rightExpression: NSExpression(forConstantValue: "[A-Z].*"), type: .matches)
    title?.setValidation(predicates: [length, pattern], warnings: [NSNumber(value: 1670), NSNumber(value: 1680)])
    item.attributesByName["extra"]?.valueTransformerName = "NSSecureUnarchiveFromData"
    item.attributesByName["extra"]?.attributeValueClassName = "Extra"
    item.uniquenessConstraints = [["key"], ["title", "small"]]
    return item
}

private func makeDerivedCount() -> NSDerivedAttributeDescription {
    let derived = NSDerivedAttributeDescription()
    derived.name = "upperTitle"
    derived.type = .string
    derived.derivationExpression = NSExpression(format: "uppercase:(title)")
    return derived
}

private func makeFetchedProperty() -> NSFetchedPropertyDescription {
    let fetched = NSFetchedPropertyDescription()
    fetched.name = "similar"
    var template = FetchRequestTemplate(name: "fetchedPropertyFetchRequest", entityName: "Item")
    template.predicate = NSPredicate(format: "small == $FETCH_SOURCE.small AND medium IN {1, 2, 3}")
    fetched.template = template
    return fetched
}

private func makeComposite() -> NSCompositeAttributeDescription {
    let composite = NSCompositeAttributeDescription()
    composite.name = "place"
    composite.compositeName = "Place"
    composite.elements = ["latitude", "longitude"].map { name in
        let element = NSAttributeDescription()
        element.name = name
        element.type = .double
        element.defaultValue = NSNumber(value: 1.5)
        return element
    }
    return composite
}

private func addIndexes(to item: NSEntityDescription) {
    let byTitle = NSFetchIndexElementDescription(propertyName: "title", collationType: .binary)
    byTitle.isAscending = false
    let bySmall = NSFetchIndexElementDescription(propertyName: "small", collationType: .binary)
    let titles = NSFetchIndexDescription(name: "byTitle", elements: [byTitle, bySmall])
    titles.partialIndexPredicate = NSPredicate(format: "isNew == YES")
    let areas = NSFetchIndexDescription(
        name: "byArea",
        elements: ["weight", "size"].map { NSFetchIndexElementDescription(propertyName: $0, collationType: .rTree) })
    let lowercase = NSExpressionDescription()
    lowercase.name = "expression0"
    lowercase.expression = NSExpression(format: "lowercase:(title)")
    lowercase.expressionResultType = .stringAttributeType
    let computed = NSFetchIndexDescription(
        name: "byLowercase", elements: [NSFetchIndexElementDescription(property: lowercase, collationType: .binary)])
    item.indexes = [titles, areas, computed]
}
