#if Macros
import Foundation
import SwiftData
import TestSupport
import Testing

enum Kin {
    @Model final class Node {
        var number: Int
        var next: Node?
        @Relationship(inverse: \Node.next) var previous: Node?
        @Relationship(deleteRule: .nullify, inverse: \Node.parent) var children: [Node] = []
        var parent: Node?
        init(_ number: Int) { self.number = number }
    }

    @Model final class House {
        var name: String
        @Relationship(inverse: \Room.house) var rooms: [Room] = []
        init(name: String) { self.name = name }
    }

    @Model final class Room {
        var name: String
        var house: House?
        init(name: String) { self.name = name }
    }
}

/// Which models relationships keep alive, and that none keeps itself.
struct KeptModelTests {
    private typealias Node = Kin.Node
    private typealias House = Kin.House
    private typealias Room = Kin.Room

    private let folder: TemporaryFolder
    private let container: ModelContainer

    init() throws {
        folder = try TemporaryFolder()
        container = try ModelContainer(
            for: Node.self, House.self, configurations: ModelConfiguration(url: folder.file("kin.store")))
    }

    private func fill(_ body: (ModelContext) -> Void) throws {
        let context = ModelContext(container)
        body(context)
        try context.save()
    }

    private func nodes(_ context: ModelContext) throws -> [Node] {
        try context.fetch(FetchDescriptor<Node>(sortBy: [SortDescriptor(\.number)]))
    }

    @Test func aToOneLeadsToTheSameModelWhileItsSourceIsThere() throws {
        try fill { context in
            let room = Room(name: "hall")
            room.house = House(name: "home")
            context.insert(room)
        }
        let context = ModelContext(container)
        let room = try #require(try context.fetch(FetchDescriptor<Room>()).first)
        weak let house = room.house
        #expect(house != nil)
        #expect(room.house === house)
        #expect(house?.rooms.first === room)
        let other = House(name: "other")
        room.house = other
        #expect(room.house === other)
        room.house = nil
        #expect(room.house == nil)
        context.rollback()
        #expect(room.house?.name == "home")
    }

    @Test func modelsThatLeadToEachOtherAreReleasedWithTheirContext() throws {
        try fill { context in
            let house = House(name: "home")
            context.insert(house)
            for index in 0..<5 { house.rooms.append(Room(name: "\(index)")) }
            let nodes = (0..<4).map { Node($0) }
            for node in nodes { context.insert(node) }
            nodes[0].next = nodes[1]
            nodes[1].next = nodes[0]
            nodes[2].next = nodes[2]
            nodes[3].parent = nodes[2]
            nodes[2].parent = nodes[3]
        }
        weak var context: ModelContext?
        weak var room: Room?
        weak var node: Node?
        try {
            let own = ModelContext(container)
            context = own
            for _ in 0..<3 {
                for found in try own.fetch(FetchDescriptor<Room>()) {
                    #expect(found.house?.rooms.count == 5)
                    #expect(found.house?.rooms.first?.house?.name == "home")
                    room = found
                }
                for found in try own.fetch(FetchDescriptor<House>()) {
                    #expect(found.rooms.allSatisfy { $0.house === found })
                }
                for found in try nodes(own) {
                    _ = found.next?.next?.next?.previous?.number
                    _ = found.children.first?.children.first?.parent?.parent?.number
                    _ = found.parent?.children.first?.children
                    node = found
                }
            }
        }()
        #expect(context == nil && room == nil && node == nil)
    }

    @Test func aLongChainIsWalkedAndReleased() throws {
        let count = 10_000
        try fill { context in
            var last: Node?
            for number in (0..<count).reversed() {
                let node = Node(number)
                context.insert(node)
                node.next = last
                last = node
            }
        }
        weak var context: ModelContext?
        try {
            let own = ModelContext(container)
            context = own
            var descriptor = FetchDescriptor<Node>(predicate: #Predicate { $0.number == 0 })
            descriptor.fetchLimit = 1
            var node = try own.fetch(descriptor).first
            var (number, sum) = (0, 0)
            while let current = node {
                sum += current.number
                number += 1
                node = current.next
            }
            #expect(number == count && sum == count * (count - 1) / 2)
        }()
        #expect(context == nil)
    }

    @Test func modelsThatEndOnOtherThreadsAreFoundOrMade() async throws {
        try fill { context in
            let house = House(name: "home")
            context.insert(house)
            for index in 0..<50 { house.rooms.append(Room(name: "\(index)")) }
        }
        let context = ModelContext(container)
        for _ in 0..<50 {
            // Only released by the other thread.
            nonisolated(unsafe) var rooms = try context.fetch(FetchDescriptor<Room>())
            let house = try #require(rooms.first?.house)
            let end = Task.detached { rooms = [] }
            for _ in 0..<20 { #expect(house.rooms.count == 50 && house.rooms.allSatisfy { $0.house === house }) }
            await end.value
        }
    }
}
#endif
