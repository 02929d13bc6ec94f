import CoreData
import Foundation

/// A form that edits in a child of the view context.
@MainActor
final class BookForm {
    private let childContext: NSManagedObjectContext
    let book: Book

    init(editing original: Book? = nil, in parent: NSManagedObjectContext) {
        childContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        childContext.parent = parent
        if let original {
            book = childContext.object(with: original.objectID) as! Book
        } else {
            book = Book(context: childContext)
        }
    }

    var canSave: Bool { childContext.hasChanges && !(book.title ?? "").isEmpty }

    func save() throws {
        guard canSave else { return }
        try childContext.save()
        try childContext.parent?.save()
    }

    func cancel() { childContext.rollback() }
}

/// A class with rules of its own, and dates that it keeps by itself.
final class Account: NSManagedObject {
    static let lowercaseNameKey = "lowercaseName"

    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(UUID().uuidString, forKey: "token")
        setPrimitiveValue(Date(timeIntervalSinceReferenceDate: 0), forKey: "modified")
    }

    override func willSave() {
        super.willSave()
        if !isDeleted, hasPersistentChangedValues, changedValues()["modified"] == nil {
            setPrimitiveValue(Date(timeIntervalSinceReferenceDate: 60), forKey: "modified")
        }
    }

    var name: String? {
        get {
            willAccessValue(forKey: "name")
            defer { didAccessValue(forKey: "name") }
            return primitiveValue(forKey: "name") as? String
        }
        set {
            willChangeValue(forKey: "name")
            setPrimitiveValue(newValue, forKey: "name")
            didChangeValue(forKey: "name")
        }
    }

    var displayName: String {
        willAccessValue(forKey: "displayName")
        defer { didAccessValue(forKey: "displayName") }
        if let cached = primitiveValue(forKey: "displayName") as? String { return cached }
        let made = (name ?? "").uppercased()
        setPrimitiveValue(made, forKey: "displayName")
        return made
    }

    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        Self.turned.add()
    }

    static let turned = Counter()
}

/// A model in code: banks with accounts, of which savings are a kind.
enum Bank {
    static let model: NSManagedObjectModel = {
        func attribute(_ name: String, _ type: NSAttributeType, optional: Bool = true) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            attribute.isOptional = optional
            return attribute
        }
        let account = NSEntityDescription()
        account.name = "Account"
        account.managedObjectClassName = NSStringFromClass(Account.self)
        let balance = attribute("balance", .integer32AttributeType, optional: false)
        balance.defaultValue = 0
        balance.setValidationPredicates(
            [NSPredicate(format: "SELF >= 0"), NSPredicate(format: "SELF <= 1000")],
            withValidationWarnings: ["The balance is below zero.", "The balance is too high."])
        let displayName = attribute("displayName", .stringAttributeType)
        displayName.isTransient = true
        account.properties = [
            attribute("name", .stringAttributeType, optional: false), attribute("token", .stringAttributeType),
            attribute("modified", .dateAttributeType), balance, displayName,
        ]
        account.uniquenessConstraints = [["token"]]
        let savings = NSEntityDescription()
        savings.name = "SavingsAccount"
        savings.managedObjectClassName = NSStringFromClass(Account.self)
        savings.properties = [attribute("rate", .doubleAttributeType)]
        account.subentities = [savings]
        let bank = NSEntityDescription()
        bank.name = "Bank"
        bank.properties = [attribute("name", .stringAttributeType)]
        let accounts = NSRelationshipDescription()
        accounts.name = "accounts"
        accounts.destinationEntity = account
        accounts.minCount = 0
        accounts.maxCount = 0
        accounts.deleteRule = .denyDeleteRule
        let owner = NSRelationshipDescription()
        owner.name = "bank"
        owner.destinationEntity = bank
        owner.minCount = 0
        owner.maxCount = 1
        owner.deleteRule = .nullifyDeleteRule
        accounts.inverseRelationship = owner
        owner.inverseRelationship = accounts
        bank.properties.append(accounts)
        account.properties.append(owner)
        let rich = NSFetchedPropertyDescription()
        rich.name = "richAccounts"
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = account
        request.predicate = NSPredicate(format: "bank == $FETCH_SOURCE AND balance > 500")
        rich.fetchRequest = request
        bank.properties.append(rich)
        let model = NSManagedObjectModel()
        model.entities = [account, savings, bank]
        return model
    }()

    @MainActor
    static func container() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Bank", managedObjectModel: model)
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: try Library.folder().appendingPathComponent("Bank.sqlite"))
        ]
        var failure: Error?
        container.loadPersistentStores { failure = $1 }
        if let failure { throw failure }
        return container
    }
}

/// What is shown to the user of an error of a save.
func messages(of error: Error) -> [String] {
    let error = error as NSError
    guard error.domain == NSCocoaErrorDomain else { return [error.localizedDescription] }
    if error.code == NSValidationMultipleErrorsError {
        let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
        return errors.flatMap(messages(of:)).sorted()
    }
    let key = error.userInfo[NSValidationKeyErrorKey] as? String ?? "?"
    return ["\(error.code) \(key)"]
}

let editing: [Idiom] = [
    Idiom("a form that is cancelled") {
        let context = try Library.container().viewContext
        let book = try Library.fill(context)[0]
        let form = BookForm(editing: book, in: context)
        form.book.title = "Draft"
        form.book.author = nil
        try check(form.canSave && book.title == "Book 1" && book.author != nil)
        form.cancel()
        try check(!form.canSave && form.book.title == "Book 1" && form.book.author != nil && !context.hasChanges)
    },
    Idiom("a form that saves through to the store") {
        let container = try Library.container()
        let book = try Library.fill(container.viewContext)[0]
        let form = BookForm(editing: book, in: container.viewContext)
        form.book.title = "Final"
        try form.save()
        try check(book.title == "Final" && !form.canSave)
        let title = try container.newBackgroundContext().performAndWait {
            let request: NSFetchRequest<Book> = Book.fetchRequest()
            request.predicate = NSPredicate(format: "title == %@", "Final")
            return try request.execute().first?.title
        }
        try check(title == "Final")
    },
    Idiom("a form for a new book, related in the child") {
        let context = try Library.container().viewContext
        let author = try unwrap(try Library.fill(context)[0].author)
        let form = BookForm(in: context)
        form.book.title = "New"
        form.book.author = form.book.managedObjectContext?.object(with: author.objectID) as? Author
        try check(context.insertedObjects.isEmpty && author.books?.count == 6)
        try form.save()
        try check(author.books?.count == 7 && !context.hasChanges)
        try check((author.books as? Set<Book>)?.contains { $0.title == "New" } == true)
    },
    Idiom("a list in the parent follows a child's save") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.pages, ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        // Without a delegate a controller doesn't follow changes.
        let delegate = BatchedChanges()
        controller.delegate = delegate
        defer { controller.delegate = nil }
        try controller.performFetch()
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = context
        (child.object(with: books[0].objectID) as! Book).pages = 1_000
        child.delete(child.object(with: books[1].objectID))
        try child.save()
        context.processPendingChanges()
        try check(controller.fetchedObjects?.last == books[0] && controller.fetchedObjects?.count == 11)
    },
    Idiom("two children of one parent see each other's saves") {
        let context = try Library.container().viewContext
        let book = try Library.fill(context)[0]
        let children = (0..<2).map { _ in NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType) }
        for child in children {
            child.parent = context
            child.automaticallyMergesChangesFromParent = true
        }
        let copies = children.map { $0.object(with: book.objectID) as! Book }
        try check(copies[1].title == "Book 1")
        copies[0].title = "Shared"
        try children[0].save()
        try context.save()
        try await wait { copies[1].title == "Shared" }
    },
    Idiom("custom accessors with primitive values") {
        let context = try Bank.container().viewContext
        let account = Account(entity: Account.entity(), insertInto: context)
        account.name = "Ann"
        try check(account.changedValues()["name"] as? String == "Ann" && account.displayName == "ANN")
        try context.save()
        try check(!account.hasChanges && account.displayName == "ANN")
        account.name = "Bob"
        try check(account.isUpdated && account.committedValues(forKeys: ["name"])["name"] as? String == "Ann")
        context.refresh(account, mergeChanges: false)
        try check(account.name == "Ann" && account.displayName == "ANN")
    },
    Idiom("a modification date that willSave keeps") {
        let context = try Bank.container().viewContext
        let account = Account(entity: Account.entity(), insertInto: context)
        account.name = "Ann"
        try context.save()
        let first = account.value(forKey: "modified") as? Date
        account.setValue(5, forKey: "balance")
        try context.save()
        context.refresh(account, mergeChanges: false)
        try check(
            first != nil && account.value(forKey: "modified") as? Date == Date(timeIntervalSinceReferenceDate: 60))
    },
    Idiom("all that is wrong is shown at once") {
        let context = try Bank.container().viewContext
        let account = Account(entity: Account.entity(), insertInto: context)
        account.setValue(-1, forKey: "balance")
        do {
            try context.save()
            throw IdiomFailure(description: "saved")
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            try check(messages(of: error) == ["1550 balance", "1570 name"], "\(messages(of: error))")
        }
        account.name = "Ann"
        account.setValue(2_000, forKey: "balance")
        do {
            try account.validateForInsert()
            throw IdiomFailure(description: "valid")
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            try check(error.localizedDescription == "The balance is too high.", error.localizedDescription)
        }
        account.setValue(2, forKey: "balance")
        try context.save()
    },
    Idiom("CocoaError says which key is missing") {
        let context = try Bank.container().viewContext
        _ = Account(entity: Account.entity(), insertInto: context)
        do {
            try context.save()
            throw IdiomFailure(description: "saved")
        } catch let error as CocoaError {
            try check(error.code == .validationMissingMandatoryProperty)
            try check(error.userInfo[NSValidationKeyErrorKey] as? String == "name")
            try check(error.userInfo[NSValidationObjectErrorKey] is Account)
        }
    },
    Idiom("a deletion that a deny rule refuses") {
        let context = try Bank.container().viewContext
        let bank = NSEntityDescription.insertNewObject(forEntityName: "Bank", into: context)
        let account = Account(entity: Account.entity(), insertInto: context)
        account.name = "Ann"
        account.setValue(bank, forKey: "bank")
        try context.save()
        context.delete(bank)
        do {
            try context.save()
            throw IdiomFailure(description: "deleted")
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            try check(error.code == NSValidationRelationshipDeniedDeleteError, "\(error.code)")
        }
        context.rollback()
        context.delete(account)
        context.delete(bank)
        try context.save()
        try check(context.registeredObjects.isEmpty)
    },
    Idiom("entities in a tree, fetched through the parent") {
        let context = try Bank.container().viewContext
        for (entity, name) in [("Account", "a"), ("SavingsAccount", "s")] {
            NSEntityDescription.insertNewObject(forEntityName: entity, into: context).setValue(name, forKey: "name")
        }
        try context.save()
        let request = NSFetchRequest<Account>(entityName: "Account")
        try check(context.count(for: request) == 2)
        request.includesSubentities = false
        try check(context.fetch(request).map(\.name) == ["a"])
        let savings = NSFetchRequest<NSManagedObject>(entityName: "SavingsAccount")
        let found = try unwrap(context.fetch(savings).first)
        try check(found.entity.isKindOf(entity: Account.entity()) && found is Account)
        request.includesSubentities = true
        request.predicate = NSPredicate(format: "entity == %@", found.entity)
        try check(context.fetch(request) == [found])
    },
    Idiom("a fetched property") {
        let context = try Bank.container().viewContext
        let bank = NSEntityDescription.insertNewObject(forEntityName: "Bank", into: context)
        for balance in [100, 600, 900] {
            let account = Account(entity: Account.entity(), insertInto: context)
            account.name = "\(balance)"
            account.setValue(balance, forKey: "balance")
            account.setValue(bank, forKey: "bank")
        }
        try context.save()
        let rich = bank.value(forKey: "richAccounts") as? [Account]
        try check(Set((rich ?? []).compactMap(\.name)) == ["600", "900"])
    },
    Idiom("undo with names of actions, as a menu shows them") {
        let context = try Library.container().viewContext
        let undoManager = UndoManager()
        undoManager.groupsByEvent = false
        context.undoManager = undoManager
        undoManager.beginUndoGrouping()
        let book = Book(context: context)
        book.title = "One"
        undoManager.setActionName("Add Book")
        context.processPendingChanges()
        undoManager.endUndoGrouping()
        try check(undoManager.canUndo && undoManager.undoActionName == "Add Book" && !undoManager.canRedo)
        undoManager.undo()
        context.processPendingChanges()
        try check(context.insertedObjects.isEmpty && undoManager.canRedo)
        undoManager.redo()
        context.processPendingChanges()
        try check(context.insertedObjects == [book] && book.title == "One")
    },
    Idiom("a change that can't be undone") {
        let context = try Library.container().viewContext
        context.undoManager = UndoManager()
        let book = Book(context: context)
        context.processPendingChanges()
        context.undoManager?.disableUndoRegistration()
        book.title = "Quiet"
        context.processPendingChanges()
        context.undoManager?.enableUndoRegistration()
        book.pages = 3
        context.undo()
        try check(book.pages == 0 && book.title == "Quiet")
    },
    Idiom("discarding the changes of one object") {
        let context = try Library.container().viewContext
        let books = try Library.fill(context)
        books[0].title = "x"
        books[1].title = "y"
        context.refresh(books[0], mergeChanges: false)
        try check(books[0].isFault && books[0].title == "Book 1" && context.updatedObjects == [books[1]])
        context.refreshAllObjects()
        try check(books[1].title == "y" && context.hasChanges)
    },
    Idiom("faults, and what they are turned back into") {
        let container = try Library.container()
        let id = try Library.fill(container.viewContext)[0].objectID
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let book = context.object(with: id) as! Book
            try check(book.isFault && !book.hasFault(forRelationshipNamed: "none"))
            try check(book.hasFault(forRelationshipNamed: "reviews"))
            _ = book.title
            try check(!book.isFault && book.faultingState == 0)
            try check(book.author?.objectIDs(forRelationshipNamed: "books").count == 6)
            context.refresh(book, mergeChanges: true)
            try check(book.isFault && context.registeredObject(for: id) === book)
        }
    },
    Idiom("an object that somebody else deleted") {
        let container = try Library.container()
        let context = container.viewContext
        let id = try Library.fill(context)[0].objectID
        let other = container.newBackgroundContext()
        try other.performAndWait {
            other.delete(other.object(with: id))
            try other.save()
        }
        context.reset()
        do {
            _ = try context.existingObject(with: id)
            throw IdiomFailure(description: "there")
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            try check(error.code == NSManagedObjectReferentialIntegrityError)
        }
        let ghost = context.object(with: id) as! Book
        try check(ghost.title == nil && ghost.pages == 0 && ghost.author == nil)
    },
]
