import CoreData
import Foundation

/// A player, that counts what is said of its team's list, as observers of it would.
final class Team: NSManagedObject {
    static let announced = Counter()

    override func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
        if key == "players" { Self.announced.add(indexes.count) }
        super.willChange(changeKind, valuesAt: indexes, forKey: key)
    }

    var players: NSOrderedSet? {
        get { value(forKey: "players") as? NSOrderedSet }
        set { setValue(newValue, forKey: "players") }
    }

    var names: [String] {
        players?.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String } ?? []
    }
}

/// A model in code: teams with their players in order, of whom there have to be one to three, each with rules for its values.
enum League {
    static let model: NSManagedObjectModel = {
        func attribute(
            _ name: String, _ type: NSAttributeType, isOptional: Bool = true, _ rules: [(String, String)] = []
        ) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = isOptional
            attribute.setValidationPredicates(
                rules.map { NSPredicate(format: $0.0) }, withValidationWarnings: rules.map(\.1))
            return attribute
        }
        let team = NSEntityDescription()
        team.name = "Team"
        team.managedObjectClassName = NSStringFromClass(Team.self)
        let player = NSEntityDescription()
        player.name = "Player"
        let players = NSRelationshipDescription()
        players.name = "players"
        players.destinationEntity = player
        players.isOrdered = true
        players.isOptional = false
        players.minCount = 1
        players.maxCount = 3
        players.deleteRule = .cascadeDeleteRule
        let owner = NSRelationshipDescription()
        owner.name = "team"
        owner.destinationEntity = team
        owner.maxCount = 1
        owner.isOptional = false
        players.inverseRelationship = owner
        owner.inverseRelationship = players
        team.properties = [attribute("title", .stringAttributeType, isOptional: false), players]
        player.properties = [
            attribute(
                "name", .stringAttributeType, isOptional: false,
                [
                    ("length >= 2", "The name is too short."),
                    ("SELF MATCHES '[A-Z].*'", "The name begins with a capital."),
                ]),
            attribute(
                "number", .integer16AttributeType,
                [("SELF >= 1", "Numbers begin with 1."), ("SELF < 100", "No more than 99.")]),
            attribute("born", .dateAttributeType), owner,
        ]
        let model = NSManagedObjectModel()
        model.entities = [team, player]
        return model
    }()

    @MainActor
    static func context() throws -> NSManagedObjectContext {
        let container = NSPersistentContainer(name: "League", managedObjectModel: model)
        let url = try Library.folder().appendingPathComponent("League.sqlite")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: Error?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container.viewContext
    }

    static func player(_ name: String, _ context: NSManagedObjectContext) -> NSManagedObject {
        let player = NSEntityDescription.insertNewObject(forEntityName: "Player", into: context)
        player.setValue(name, forKey: "name")
        return player
    }

    static func team(_ names: [String], _ context: NSManagedObjectContext) -> Team {
        let team = NSEntityDescription.insertNewObject(forEntityName: "Team", into: context) as! Team
        team.setValue("Team", forKey: "title")
        team.players = NSOrderedSet(array: names.map { player($0, context) })
        return team
    }
}

/// What a save says is wrong.
private func failures(_ context: NSManagedObjectContext) -> [String] {
    do {
        try context.save()
        return []
    } catch let error as NSError {
        let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
        return errors.map { "\($0.code) \($0.userInfo[NSValidationKeyErrorKey] as? String ?? "")" }.sorted()
    }
}

let ordering: [Idiom] = [
    Idiom("mutableOrderedSetValue, as rows of a table are moved") {
        let context = try League.context()
        let team = League.team(["Ann", "Bob", "Cid"], context)
        try context.save()
        let players = team.mutableOrderedSetValue(forKey: "players")
        players.moveObjects(at: IndexSet(integer: 2), to: 0)
        try check(team.names == ["Cid", "Ann", "Bob"] && team.hasChanges)
        players.exchangeObject(at: 0, withObjectAt: 2)
        players.replaceObject(at: 1, with: League.player("Dan", context))
        try check(team.names == ["Bob", "Dan", "Cid"])
        players.sort(using: [NSSortDescriptor(key: "name", ascending: false)])
        try check(players.count == 3 && players.index(of: team.players!.lastObject!) == 2)
        try check(failures(context) == ["1570 team"], "\(failures(context))")
        context.registeredObjects.filter { $0.value(forKey: "name") as? String == "Ann" }.forEach(context.delete)
        try context.save()
        context.refreshAllObjects()
        try check(team.names == ["Dan", "Cid", "Bob"])
    },
    Idiom("a change at indexes is announced, as observers of a list need it") {
        let context = try League.context()
        let team = League.team(["Ann"], context)
        try context.save()
        let before = Team.announced.value
        let bob = League.player("Bob", context)
        let indexes = IndexSet(integer: 0)
        team.willChange(.insertion, valuesAt: indexes, forKey: "players")
        (team.primitiveValue(forKey: "players") as? NSMutableOrderedSet)?.insert(bob, at: 0)
        team.didChange(.insertion, valuesAt: indexes, forKey: "players")
        try check(team.names == ["Bob", "Ann"] && team.hasChanges)
        try context.save()
        team.willChange(.removal, valuesAt: indexes, forKey: "players")
        (team.primitiveValue(forKey: "players") as? NSMutableOrderedSet)?.removeObjects(at: indexes)
        team.didChange(.removal, valuesAt: indexes, forKey: "players")
        try check(team.names == ["Ann"] && Team.announced.value == before + 2, "\(team.names)")
        context.delete(bob)
        try context.save()
        context.refreshAllObjects()
        try check(team.names == ["Ann"])
    },
    Idiom("a copy of an ordered set is changed and set") {
        let context = try League.context()
        let team = League.team(["Ann", "Bob"], context)
        try context.save()
        let copy = team.players!.mutableCopy() as! NSMutableOrderedSet
        copy.insert(League.player("Cid", context), at: 1)
        try check(team.names == ["Ann", "Bob"])
        team.players = copy
        copy.removeAllObjects()
        try context.save()
        try check(team.names == ["Ann", "Cid", "Bob"])
        try check((team.players?.reversed.array.first as? NSManagedObject)?.value(forKey: "name") as? String == "Bob")
        try check(
            (team.value(forKeyPath: "players.name") as? NSOrderedSet)?.array as? [String] == ["Ann", "Cid", "Bob"])
    },
    Idiom("generated accessors of an ordered relationship") {
        let context = try Library.container().viewContext
        let book = try Library.fill(context)[0]
        let reviews = (1...4).map { stars -> Review in
            let review = Review(context: context)
            review.stars = Int16(stars)
            return review
        }
        book.addToReviews(reviews[0])
        book.insertIntoReviews(reviews[1], at: 0)
        book.insertIntoReviews([reviews[2], reviews[3]], at: NSIndexSet(indexesIn: NSRange(location: 1, length: 2)))
        func stars() -> [Int16] { book.reviews?.array.compactMap { ($0 as? Review)?.stars } ?? [] }
        try check(stars() == [2, 3, 4, 1], "\(stars())")
        book.removeFromReviews(at: 0)
        book.replaceReviews(at: 0, with: reviews[1])
        book.removeFromReviews(NSOrderedSet(array: [reviews[0]]))
        try check(stars() == [2, 4])
        try context.save()
        context.refreshAllObjects()
        try check(stars() == [2, 4] && reviews[2].book == nil)
        try check(book.value(forKeyPath: "reviews.@max.stars") as? Int == 4)
    },
    Idiom("an object added on the other side comes last") {
        let context = try Library.container().viewContext
        let book = try Library.fill(context)[0]
        for stars in [5, 3, 4] {
            let review = Review(context: context)
            review.stars = Int16(stars)
            review.book = book
        }
        try context.save()
        context.reset()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.predicate = NSPredicate(format: "reviews.@count > 0")
        request.relationshipKeyPathsForPrefetching = ["reviews"]
        let found = try unwrap(context.fetch(request).first)
        try check(found.reviews?.array.compactMap { ($0 as? Review)?.stars } == [5, 3, 4])
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = context
        let copy = child.object(with: found.objectID) as! Book
        copy.mutableOrderedSetValue(forKey: "reviews").moveObjects(at: IndexSet(integer: 0), to: 2)
        try child.save()
        try check(found.reviews?.array.compactMap { ($0 as? Review)?.stars } == [3, 4, 5])
    },
    Idiom("too few and too many in a relationship, and none where one has to be") {
        let context = try League.context()
        let team = League.team(["Ann", "Bob", "Cid", "Dan"], context)
        try check(failures(context) == ["1590 players"])
        team.players = NSOrderedSet()
        for player in context.insertedObjects where player.entity.name == "Player" { context.delete(player) }
        try check(failures(context) == ["1580 players"], "\(failures(context))")
        team.players = NSOrderedSet(object: League.player("Eve", context))
        try context.save()
        _ = League.player("Fay", context)
        try check(failures(context) == ["1570 team"], "\(failures(context))")
    },
    Idiom("sentences of the model's rules, one and several") {
        let context = try League.context()
        let team = League.team(["Ann"], context)
        try context.save()
        let player = team.players!.firstObject as! NSManagedObject
        player.setValue("X", forKey: "name")
        do {
            try player.validateForUpdate()
            throw IdiomFailure(description: "valid")
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
            try check(
                errors.map(\.localizedDescription) == ["The name is too short."],
                "\(errors.map(\.localizedDescription))")
            try check(errors.allSatisfy { $0.userInfo[NSValidationValueErrorKey] as? String == "X" })
            try check(
                (errors[0].userInfo[NSValidationPredicateErrorKey] as? NSPredicate)?.predicateFormat == "length >= 2")
            try check(errors[0].userInfo[NSValidationObjectErrorKey] as? NSManagedObject === player)
        }
        player.setValue("Ann", forKey: "name")
        player.setValue(100, forKey: "number")
        do {
            try context.save()
            throw IdiomFailure(description: "saved")
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            try check(
                error.localizedDescription == "No more than 99."
                    && error.userInfo[NSValidationValueErrorKey] as? Int == 100)
        }
        player.setValue(nil, forKey: "number")
        try context.save()
    },
    Idiom("a value checked before it is set, as a text field does") {
        let context = try League.context()
        let player = League.player("Ann", context)
        func isValid(_ value: Any?, _ key: String) -> Bool {
            var proposed = value as AnyObject?
            return (try? player.validateValue(&proposed, forKey: key)) != nil
        }
        try check(isValid("Bob", "name") && !isValid("b", "name") && !isValid(nil, "name"))
        try check(isValid(7 as NSNumber, "number") && !isValid(0 as NSNumber, "number") && isValid(nil, "born"))
        do {
            try player.validateForInsert()
            throw IdiomFailure(description: "valid")
        } catch let error as CocoaError {
            try check(error.code == .validationMissingMandatoryProperty && error.validationKey == "team")
        }
        try player.validateForDelete()
    },
]
