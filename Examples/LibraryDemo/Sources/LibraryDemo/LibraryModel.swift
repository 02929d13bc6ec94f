import OpenCoreData

/// The model of the library, built in code.
enum LibraryModel {
    static func make() -> NSManagedObjectModel {
        let author = entity("Author", class: Author.self)
        let book = entity("Book", class: Book.self)
        let audioBook = entity("AudioBook", class: AudioBook.self)
        let tag = entity("Tag", class: Tag.self)
        let member = entity("Member", class: Member.self)
        let loan = entity("Loan", class: Loan.self)
        let list = entity("ReadingList", class: ReadingList.self)

        let (books, bookAuthor) = pair(
            ("books", author, many: true), ("author", book, many: false), rule: .cascadeDeleteRule)
        let (tags, tagBooks) = pair(("tags", book, many: true), ("books", tag, many: true))
        let (memberLoans, loanMember) = pair(
            ("loans", member, many: true), ("member", loan, many: false), rule: .cascadeDeleteRule)
        let (bookLoans, loanBook) = pair(
            ("loans", book, many: true), ("book", loan, many: false), rule: .denyDeleteRule)
        let (lists, listMember) = pair(
            ("readingLists", member, many: true), ("member", list, many: false), rule: .cascadeDeleteRule)
        let (listBooks, bookLists) = pair(("books", list, many: true), ("readingLists", book, many: true))
        listBooks.isOrdered = true

        author.properties = [
            attribute("name", .string), attribute("born", .date, isOptional: true), attribute("country", .string),
            books,
        ]
        book.properties = [
            attribute("title", .string), attribute("isbn", .string), attribute("pages", .integer32),
            attribute("price", .decimal), attribute("published", .date), attribute("rating", .double, isOptional: true),
            attribute("isInPrint", .boolean), attribute("identifier", .uuid),
            attribute("website", .uri, isOptional: true), attribute("cover", .binaryData, isOptional: true),
            bookAuthor, tags, bookLoans, bookLists,
        ]
        book.uniquenessConstraints = [["isbn"]]
        book.indexes = [index(book, "title")]
        author.indexes = [index(author, "name")]
        book.subentities = [audioBook]
        audioBook.properties = [attribute("minutes", .integer32), attribute("narrator", .string)]
        tag.properties = [attribute("name", .string), tagBooks]
        member.properties = [attribute("name", .string), attribute("joined", .date), memberLoans, lists]
        loan.properties = [
            attribute("from", .date), attribute("returned", .date, isOptional: true), loanMember, loanBook,
        ]
        list.properties = [attribute("name", .string), listMember, listBooks]

        let model = NSManagedObjectModel()
        model.entities = [author, book, audioBook, tag, member, loan, list]
        model.versionIdentifiers = ["Library 1"]
        return model
    }

    private static func entity(_ name: String, class type: NSManagedObject.Type) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = String(reflecting: type)
        return entity
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeDescription.AttributeType, isOptional: Bool = false
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = type
        attribute.isOptional = isOptional
        return attribute
    }

    /// What the server sorts and searches by, so that it stays fast when there are many books.
    private static func index(_ entity: NSEntityDescription, _ name: String) -> NSFetchIndexDescription {
        let elements = entity.attributesByName[name].map {
            [NSFetchIndexElementDescription(property: $0, collationType: .binary)]
        }
        return NSFetchIndexDescription(name: "by\(name.capitalized)", elements: elements)
    }

    private typealias End = (name: String, entity: NSEntityDescription, many: Bool)

    /// A relationship and its inverse. The rule is that of the first; the second nullifies.
    private static func pair(
        _ first: End, _ second: End, rule: NSDeleteRule = .nullifyDeleteRule
    ) -> (NSRelationshipDescription, NSRelationshipDescription) {
        let relationships = (NSRelationshipDescription(), NSRelationshipDescription())
        for (relationship, end, other) in [(relationships.0, first, second), (relationships.1, second, first)] {
            relationship.name = end.name
            relationship.destinationEntity = other.entity
            relationship.minCount = end.many ? 0 : 1
            relationship.maxCount = end.many ? 0 : 1
            relationship.isOptional = end.many
        }
        relationships.0.deleteRule = rule
        relationships.1.deleteRule = .nullifyDeleteRule
        relationships.0.inverseRelationship = relationships.1
        relationships.1.inverseRelationship = relationships.0
        return relationships
    }
}
