import CoreDataCandy
import TestSupport
import Testing

/// A field of each type of attribute.
private struct Sample: DatabaseModel {
    let _entityWrapper: EntityWrapper<SampleEntity>

    let flag = Field(\.flag)
    let small = Field(\.small)
    let medium = Field(\.medium, output: Int.self)
    let large = Field(\.large)
    let real = Field(\.real)
    let single = Field(\.single)
    let date = Field(\.date)
    let text = Field(\.text)
    let data = Field(\.data)
    let url = Field(\.url)
    let uuid = Field(\.uuid)
    let object = Field(\.object)

    init(entity: SampleEntity) {
        _entityWrapper = .init(entity: entity)
    }
}

@Suite struct FieldTests {
    // Feature CANDY-5
    @Test(arguments: StoreKind.allCases) func everyTypeSurvivesASave(_ kind: StoreKind) throws {
        let stack = try kind.stack()
        let day = Date(timeIntervalSinceReferenceDate: 1234.5)
        let uuid = UUID()
        let url = try #require(URL(string: "https://example.org/a?b=c"))
        try stack.inContext { context throws in
            let sample = Sample(entity: SampleEntity(context: context))
            sample.assign(true, to: \.flag)
            sample.assign(-3, to: \.small)
            sample.assign(70_000, to: \.medium)
            sample.assign(5_000_000_000, to: \.large)
            sample.assign(0.1, to: \.real)
            sample.assign(0.5, to: \.single)
            sample.assign(day, to: \.date)
            sample.assign("é", to: \.text)
            sample.assign(Data([0, 255]), to: \.data)
            sample.assign(url, to: \.url)
            sample.assign(uuid, to: \.uuid)
            sample.assign(["a", "b"] as NSArray, to: \.object)
            try context.save()
        }
        try stack.inContext { context throws in
            let entity = try #require(try context.fetch(NSFetchRequest<SampleEntity>(entityName: "Sample")).first)
            let sample = Sample(entity: entity)
            let flag: Bool = sample.current(\.flag)
            let single: Float = sample.current(\.single)
            #expect(flag)
            #expect(sample.current(\.small) == -3)
            #expect(sample.current(\.medium) == 70_000)
            #expect(sample.current(\.large) == 5_000_000_000)
            #expect(sample.current(\.real) == 0.1)
            #expect(single == 0.5)
            #expect(sample.current(\.date) == day)
            #expect(sample.current(\.text) == "é")
            #expect(sample.current(\.data) == Data([0, 255]))
            #expect(sample.current(\.url) == url)
            #expect(sample.current(\.uuid) == uuid)
            #expect(sample.current(\.object)?.count == 2)
            #expect(sample.current(\.object)?.firstObject as? String == "a")
        }
    }

    // Feature CANDY-6
    @Test func integersOfAnyWidthAreInt() throws {
        try StoreKind.sqlite.stack().inContext { context throws in
            let entity = SampleEntity(context: context)
            let sample = Sample(entity: entity)
            let small: Int = sample.current(\.small)
            let medium: Int = sample.current(\.medium)
            let large: Int = sample.current(\.large)
            #expect(small + medium + large == 0)
            try sample.assign(Int(Int16.max), to: \.small).get()
            #expect(entity.small == Int16.max)
            let error = #expect(throws: CoreDataCandyError.self) {
                try sample.assign(Int(Int16.max) + 1, to: \.small).get()
            }
            #expect(error?.errorDescription?.contains("-32768...32767") == true)
            #expect(entity.small == Int16.max)
            #expect(throws: CoreDataCandyError.self) { try sample.validateAndAssign(Int.max, to: \.medium) }
            #expect(entity.medium == 0)
        }
    }

    // Feature CANDY-7
    @Test func validationsOfOptionalsAreForValuesThatAreThere() throws {
        struct Named: DatabaseModel {
            let _entityWrapper: EntityWrapper<PlayerEntity>
            let name = Field(\.name, validations: .notEmpty)
            let kind = Field(\.kind, validations: .notNil(), .notEmpty)
            init(entity: PlayerEntity) { _entityWrapper = .init(entity: entity) }
        }
        try StoreKind.memory.stack().inContext { context throws in
            let player = Named(entity: PlayerRow(name: "x").insert(into: context))
            try player.validateAndAssign(nil, to: \.name)
            #expect(player.current(\.name) == nil)
            #expect(throws: CoreDataCandyError.self) { try player.validateAndAssign("", to: \.name) }
            try player.validateAndAssign("y", to: \.kind)
            #expect(throws: CoreDataCandyError.self) { try player.validateAndAssign(nil, to: \.kind) }
            #expect(throws: CoreDataCandyError.self) { try player.validateAndAssign(" ", to: \.kind) }
            #expect(player.current(\.kind) == "y")
        }
    }

    // Feature CANDY-8
    @Test func aDefaultIsReadAndNotWritten() throws {
        struct Named: DatabaseModel {
            let _entityWrapper: EntityWrapper<PlayerEntity>
            let name = Field(\.name, default: "John")
            init(entity: PlayerEntity) { _entityWrapper = .init(entity: entity) }
        }
        try StoreKind.sqlite.stack().inContext { context throws in
            let entity = PlayerRow().insert(into: context)
            try context.save()
            let player = Named(entity: entity)
            let name: String = player.current(\.name)
            #expect(name == "John")
            #expect(entity.name == nil)
            #expect(!context.hasChanges)
            player.assign("Jane", to: \.name)
            #expect(player.current(\.name) == "Jane")
            #expect(entity.name == "Jane")
        }
    }

    // Feature CANDY-9
    @Test(arguments: StoreKind.allCases) func codableValuesAreStoredAsJSON(_ kind: StoreKind) throws {
        enum Mood: Codable, Equatable {
            case happy
            case sad(why: String)
        }
        struct Coded: DatabaseModel {
            let _entityWrapper: EntityWrapper<PlayerEntity>
            let avatar = Field(\.avatar, as: Player.Avatar.self)
            let padded = Field(\.avatar, as: Player.Avatar.self, default: .placeholder)
            let mood = Field(\.avatar, as: Mood.self)
            let list = Field(\.avatar, as: [Int].self)
            init(entity: PlayerEntity) { _entityWrapper = .init(entity: entity) }
        }
        let stack = try kind.stack()
        try stack.inContext { context throws in
            let entity = PlayerRow().insert(into: context)
            let player = Coded(entity: entity)
            let none: Player.Avatar? = player.current(\.avatar)
            let placeholder: Player.Avatar = player.current(\.padded)
            #expect(none == nil)
            #expect(placeholder == .placeholder)
            #expect(entity.avatar == nil)
            player.assign(Player.Avatar(color: "red", size: 2), to: \.avatar)
            try context.save()
            context.refresh(entity, mergeChanges: false)
            #expect(entity.avatar.map { String(decoding: $0, as: UTF8.self) } == #"{"color":"red","size":2}"#)
            #expect(player.current(\.avatar) == Player.Avatar(color: "red", size: 2))
            #expect(player.current(\.padded) == Player.Avatar(color: "red", size: 2))
            player.assign(nil, to: \.avatar)
            #expect(entity.avatar == nil)
            player.assign(.sad(why: "rain"), to: \.mood)
            #expect(player.current(\.mood) == .sad(why: "rain"))
            player.assign([1, 2], to: \.list)
            #expect(player.current(\.list) == [1, 2])
        }
    }

    // Feature CANDY-12
    @Test func rawValuesWithAFallback() throws {
        try StoreKind.memory.stack().inContext { context throws in
            let entity = PlayerRow().insert(into: context)
            let player = Player(entity: entity)
            #expect(player.current(\.kind) == .other)
            player.assign(.amateur, to: \.kind)
            #expect(entity.kind == "amateur")
            entity.kind = "unheard of"
            #expect(player.current(\.kind) == .other)
            #expect(player.current(\.level) == .beginner)
            player.assign(.master, to: \.level)
            #expect(entity.level == 2)
            entity.level = 9
            #expect(player.current(\.level) == .beginner)
        }
    }

    // Feature CANDY-12
    @Test func anUnknownRawValueWithoutFallbackIsNilOrTheFirstCaseOrStops() async throws {
        try StoreKind.memory.stack().inContext { context throws in
            let entity = PlayerRow().insert(into: context)
            let player = Raw(entity: entity)
            #expect(player.current(\.kind) == nil)
            player.assign(.amateur, to: \.kind)
            #expect(player.current(\.kind) == .amateur)
            player.assign(.master, to: \.level)
            #expect(player.current(\.level) == .master)
            entity.level = 9
            entity.kind = "nobody"
            #expect(player.current(\.kind) == nil)
            #expect(player.current(\.rank) == .low)
            #expect(entity.level == 9)
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try StoreKind.memory.stack().inContext { context throws in
                let entity = PlayerRow().insert(into: context)
                entity.level = 9
                _ = Raw(entity: entity).current(\.level)
            }
        }
        #expect(said(result).contains("The stored value of the attribute 'level' of Player can't be read as Level"))
    }
}

/// Raw values without fallbacks.
private struct Raw: DatabaseModel {
    let _entityWrapper: EntityWrapper<PlayerEntity>
    let kind = Field(\.kind, as: Player.Kind.self)
    let level = Field(\.level, as: Player.Level.self)
    let rank = Field(\.level, as: Rank.self)

    enum Rank: Int16, CaseIterable {
        case low = 1
        case high = 2
    }

    init(entity: PlayerEntity) {
        _entityWrapper = .init(entity: entity)
    }
}
