import OpenCoreData

/// Fills a library with the same made-up data each time.
struct LibraryData {
    private let context: NSManagedObjectContext
    private var random = SplitMix64(state: 2_001)
    private var used: Set<String> = []

    init(context: NSManagedObjectContext) {
        self.context = context
    }

    mutating func fill() {
        let tags = ["crime", "poetry", "history", "science", "travel", "children", "cooking", "art"].map { name in
            let tag = Tag(context: context)
            tag[Tag.name] = name
            return tag
        }
        let authors = (0..<60).map { _ in author() }
        let books = (0..<1_500).map { book($0, by: authors[random.below(authors.count)], from: tags) }
        let members = (0..<200).map { _ in member() }
        for _ in 0..<800 { lend(books[random.below(books.count)], to: members[random.below(members.count)]) }
        for number in 0..<20 { list(number, of: members[random.below(members.count)], from: books) }
    }

    private mutating func author() -> Author {
        let author = Author(context: context)
        author[Author.name] = personName()
        author[Author.born] = date(yearsBefore2001: 20 + random.below(120))
        author[Author.country] = random.pick(["France", "Japan", "Nigeria", "Peru", "Norway", "India", "Canada"])
        return author
    }

    private mutating func book(_ number: Int, by author: Author, from tags: [Tag]) -> Book {
        let book: Book
        if number % 10 == 0 {
            let audioBook = AudioBook(context: context)
            audioBook[AudioBook.minutes] = Int32(60 + random.below(900))
            audioBook[AudioBook.narrator] = random.pick(["Ada Rao", "Jón Tremblay", "Sigrid Haq", "Tove Eco"])
            book = audioBook
        } else {
            book = Book(context: context)
        }
        book[Book.title] = title()
        book[Book.isbn] = String("978\(1_000_000_000 + number * 7_919)")
        book[Book.pages] = Int32(40 + random.below(900))
        book[Book.price] = Decimal(300 + random.below(5_000)) / 100
        book[Book.published] = date(yearsBefore2001: random.below(60) - 22)
        book[Book.rating] = random.below(4) == 0 ? nil : Double(10 + random.below(41)) / 10
        book[Book.isInPrint] = random.below(4) != 0
        book[Book.identifier] = random.uuid()
        book[Book.website] = number % 3 == 0 ? URL(string: "https://books.example/\(number)") : nil
        let cover = Cover.png(&random)
        book[Book.cover] = book is AudioBook ? nil : cover
        book[Book.author] = author
        book[Book.tags] = Set((0..<2).map { _ in random.pick(tags) })
        return book
    }

    private mutating func member() -> Member {
        let member = Member(context: context)
        member[Member.name] = personName()
        member[Member.joined] = date(yearsBefore2001: -random.below(24))
        return member
    }

    private mutating func lend(_ book: Book, to member: Member) {
        let loan = Loan(context: context)
        let start = date(yearsBefore2001: -10 - random.below(14))
        loan[Loan.from] = start
        loan[Loan.returned] = random.below(5) == 0 ? nil : start.addingTimeInterval(Double(random.below(40)) * 86_400)
        loan[Loan.book] = book
        loan[Loan.member] = member
    }

    private mutating func list(_ number: Int, of member: Member, from books: [Book]) {
        let list = ReadingList(context: context)
        list[ReadingList.name] = "List \(number + 1)"
        list[ReadingList.member] = member
        list.setValue(NSOrderedSet(array: (0..<8).map { _ in random.pick(books) }), forKey: "books")
    }

    // MARK: Values

    private mutating func personName() -> String {
        let given = [
            "Ada", "Bashō", "Chinua", "Dolores", "Émile", "Frida", "Gökçe", "Haruki", "Inés", "Jón", "Karin", "Lakshmi",
            "Mateo", "Ngozi", "Olga", "Pablo", "Ravi", "Sigrid", "Tove", "Yasmin",
        ]
        let family = [
            "Ångström", "Borges", "Cárdenas", "Dvořák", "Eco", "Flores", "García", "Haq", "Ibsen", "Jensen", "Kondo",
            "Lindqvist", "Mbeki", "Nakamura", "Okafor", "Petrov", "Quispe", "Rao", "Sato", "Tremblay",
        ]
        return unused { "\($0.pick(given)) \($0.pick(family))" }
    }

    private mutating func title() -> String {
        let adjectives = [
            "Silent", "Distant", "Last", "Paper", "Old", "Second", "Hidden", "Crooked", "Northern", "Borrowed", "Salt",
            "Winter", "Careful", "Patient",
        ]
        let nouns = [
            "River", "Library", "Garden", "Letter", "Café", "Mountain", "Harbor", "Orchard", "Lighthouse", "Piano",
            "Translator", "Mapmaker", "Ferry", "Summer", "Cartographer", "Window",
        ]
        let places = [
            "Lisbon", "Kyoto", "Lagos", "Cusco", "Tromsø", "Kolkata", "Québec", "Oaxaca", "Tbilisi", "Zanzibar",
            "Sámos",
            "Valparaíso",
        ]
        return unused { random in
            switch random.below(5) {
            case 0: "The \(random.pick(adjectives)) \(random.pick(nouns))"
            case 1: "The \(random.pick(nouns)) of \(random.pick(places))"
            case 2: "The Last \(random.pick(nouns)) in \(random.pick(places))"
            case 3: "The \(random.pick(nouns)) and the \(random.pick(nouns))"
            default: "\(random.pick(places)), \(random.pick(adjectives)) \(random.pick(nouns))"
            }
        }
    }

    /// A string that wasn't made before.
    private mutating func unused(_ make: (inout SplitMix64) -> String) -> String {
        while true {
            let made = make(&random)
            if used.insert(made).inserted { return made }
        }
    }

    private mutating func date(yearsBefore2001 years: Int) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(-years * 31_557_600 + random.below(31_557_600)))
    }
}

/// A small generator that gives the same numbers everywhere.
struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    mutating func uuid() -> UUID {
        let (high, low) = (next(), next())
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6) & 0x0F | 0x40, byte(high, 7), byte(low, 0) & 0x3F | 0x80, byte(low, 1), byte(low, 2),
                byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
