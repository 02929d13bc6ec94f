#if Macros
import Foundation
public import SwiftData
import TestSupport
import Testing

// Classes that write themselves what a model has too, with every access level.

@Model final class Sticker: Identifiable {
    var id: String
    var text: String = ""
    var sheet: Sheet?
    init(id: String) { self.id = id }
    static func == (lhs: Sticker, rhs: Sticker) -> Bool { lhs.id == rhs.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

@Model class Sheet {
    var title: String
    var stickers: [Sticker] = []
    init(title: String) { self.title = title }
}

// In an extension, where the macro doesn't see it.
extension Sheet {
    static func == (lhs: Sheet, rhs: Sheet) -> Bool { lhs.title == rhs.title }
}

@Model private final class Hidden {
    private(set) var count: Int = 1
    private var note: String?
    fileprivate var tags: [String] = []
    init() {}
    func increase() {
        count += 1
        note = "\(count)"
    }
    static func == (lhs: Hidden, rhs: Hidden) -> Bool { lhs.count == rhs.count }
}

@Model private class Half {
    private var a = 1
    init() {}
}

@Model package final class Shared {
    package var `class`: String = "a"
    package var description: String = "d"
    package init() {}
}

@Model open class Opened: Codable {
    private enum CodingKeys: CodingKey { case name }
    public private(set) var name: String
    package var member: Shared?
    public init(name: String) { self.name = name }
    public required init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
    }
    open func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
    }
}

private enum Outer {
    enum Inner {
        @Model class Node {
            var id = UUID()
            var name = ""
            var children: [Node] = []
            @Relationship(inverse: \Node.children) var parents: [Node]? = []
            @Transient var isOpen = false
            var upper: String { name.uppercased() }
            static let limit = 5
            lazy var cached = 7
            init(name: String) {
                self.name = name
                self.name += "!"
            }
            static func == (lhs: Node, rhs: Node) -> Bool { lhs.name == rhs.name }
            func hash(into hasher: inout Hasher) { hasher.combine(name) }
        }

        @Model final class Leaf: Node {
            var weight: Double?
            var unset: Int!
            override init(name: String) { super.init(name: name) }
        }
    }
}

struct OwnDeclarationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func context(_ types: any PersistentModel.Type...) throws -> ModelContext {
        ModelContext(
            try ModelContainer(
                for: Schema(types), configurations: ModelConfiguration(url: folder.file("own.store"))))
    }

    @Test func anOwnEqualityAndIdentityAreTheOnesThatCount() throws {
        let context = try context(Sticker.self)
        let (first, second) = (Sticker(id: "a"), Sticker(id: "a"))
        #expect(first == second)
        #expect(Set([first, second]).count == 1)
        #expect([first].contains(second))
        let sheet = Sheet(title: "S")
        context.insert(sheet)
        sheet.stickers = [first]
        sheet.stickers.append(Sticker(id: "b"))
        try context.save()
        let other = ModelContext(context.container)
        let found = try other.fetch(FetchDescriptor<Sticker>(sortBy: [SortDescriptor(\.id)]))
        #expect(found.map(\.id) == ["a", "b"])
        #expect(found[0] == first)
        #expect(found[0].persistentModelID == first.persistentModelID)
        #expect(found[0].sheet == sheet)
        #expect(Sheet(title: "S") == sheet)
        #expect(
            try other.fetchCount(FetchDescriptor<Sticker>(predicate: #Predicate { $0.sheet?.title == "S" })) == 2)
    }

    @Test func twoModelsThatAreEqualByTheirOwnRuleAreTwoRows() throws {
        let context = try context(Sticker.self)
        context.insert(Sticker(id: "a"))
        context.insert(Sticker(id: "a"))
        try context.save()
        #expect(try ModelContext(context.container).fetchCount(FetchDescriptor<Sticker>()) == 2)
    }

    @Test func classesOfEveryAccessLevelAreKept() throws {
        let context = try context(Hidden.self, Half.self, Shared.self, Opened.self)
        let (hidden, opened) = (Hidden(), Opened(name: "o"))
        hidden.increase()
        hidden.tags.append("t")
        opened.member = Shared()
        context.insert(hidden)
        context.insert(opened)
        context.insert(Half())
        try context.save()
        let other = ModelContext(context.container)
        let found = try #require(try other.fetch(FetchDescriptor<Hidden>()).first)
        #expect(found.count == 2 && found.tags == ["t"])
        #expect(found == hidden)
        #expect(try other.fetch(FetchDescriptor<Opened>()).first?.member?.class == "a")
        #expect(try other.fetchCount(FetchDescriptor<Half>()) == 1)
        #expect(try JSONDecoder().decode(Opened.self, from: try JSONEncoder().encode(opened)).name == "o")
    }

    @Test func nestedClassesAndSubclassesKeepTheirRules() throws {
        let context = try context(Outer.Inner.Node.self, Outer.Inner.Leaf.self)
        let (node, leaf) = (Outer.Inner.Node(name: "n"), Outer.Inner.Leaf(name: "l"))
        leaf.weight = 2
        leaf.unset = 3
        context.insert(node)
        node.children.append(leaf)
        try context.save()
        #expect(Schema.entityName(for: Outer.Inner.Leaf.self) == "Leaf")
        let other = ModelContext(context.container)
        let found = try other.fetch(FetchDescriptor<Outer.Inner.Node>(sortBy: [SortDescriptor(\.name)]))
        #expect(found.map(\.upper) == ["L!", "N!"])
        #expect(found[1].children.first === found[0])
        #expect(found[0].parents?.first === found[1])
        #expect((found[0] as? Outer.Inner.Leaf)?.unset == 3)
        #expect(found[0] == leaf)
        #expect(Outer.Inner.Leaf(name: "n") == node)
    }
}
#endif
