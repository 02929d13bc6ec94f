import CoreDataCandy
import TestSupport
import Testing

@Suite(.serialized) struct BrokenDataTests {
    // Feature CANDY-11
    @Test func readingBrokenDataIsReportedAndGivesNil() throws {
        let reports = Noted<UnreadableValues.Report>()
        UnreadableValues.setHandler { reports.note($0) }
        defer { UnreadableValues.setHandler(nil) }
        try StoreKind.sqlite.stack().inContext { context throws in
            let entity = PlayerRow().insert(into: context)
            entity.avatar = Data("not JSON".utf8)
            let player = Player(entity: entity)
            #expect(player.current(\.avatar) == nil)
            #expect(player.current(\.avatar) == nil)
            #expect(Numbered(entity: entity).current(\.given) == [7])
            #expect(entity.avatar == Data("not JSON".utf8))
            try context.save()
        }
        let ours = reports.all.filter { $0.property == "avatar" && $0.entity == "Player" }
        #expect(ours.count == 1)
        #expect(ours.first?.message.contains("not JSON") == true)
        #expect(ours.first?.message.contains("'avatar' of Player can't be read as Optional<Avatar>") == true)
    }

    @Test func stoppingIsAChoice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UnreadableValues.setHandler { fatalError($0.message) }
            try StoreKind.sqlite.stack().inContext { context throws in
                let entity = PlayerRow().insert(into: context)
                entity.avatar = Data("not JSON".utf8)
                _ = Player(entity: entity).current(\.avatar)
            }
        }
        #expect(said(result).contains("'avatar' of Player can't be read as Optional<Avatar>"))
    }

    // Feature CANDY-11
    @Test func encodingThatFailsIsRefused() throws {
        try StoreKind.memory.stack().inContext { context throws in
            let entity = PlayerRow().insert(into: context)
            let player = Numbered(entity: entity)
            player.assign([1], to: \.numbers)
            let before = entity.avatar
            #expect(throws: CoreDataCandyError.storeConversion) { try player.assign([.nan], to: \.numbers).get() }
            #expect(throws: CoreDataCandyError.storeConversion) {
                try player.validateAndAssign([.infinity], to: \.numbers)
            }
            #expect(entity.avatar == before && player.current(\.numbers) == [1])
        }
    }

    // Feature CANDY-11
    @Test func aFallbackAvoidsTheStop() throws {
        try StoreKind.sqlite.stack().inContext { context throws in
            let entity = PlayerRow().insert(into: context)
            entity.avatar = Data("not JSON".utf8)
            let player = Numbered(entity: entity)
            #expect(player.current(\.safe) == [0])
            #expect(entity.avatar == Data("not JSON".utf8))
            player.assign([1, 2], to: \.safe)
            #expect(player.current(\.safe) == [1, 2])
        }
    }

    #if Publishers
    // Feature CANDY-11
    @Test func aFallbackIsReportedOnce() throws {
        try StoreKind.sqlite.stack().inContext { context throws in
            let entity = PlayerRow().insert(into: context)
            let player = Numbered(entity: entity)
            var errors: [ConversionError] = []
            let subscription = player.safe.conversionErrorPublisher.sink { errors.append($0) }
            #expect(player.current(\.safe) == [0])
            #expect(errors.isEmpty)
            entity.avatar = Data("not JSON".utf8)
            #expect(player.current(\.safe) == [0])
            #expect(errors.map(\.attribute) == ["avatar"])
            #expect(errors.first?.description.contains("not JSON") == true)
            subscription.cancel()
        }
    }
    #endif
}

private struct Numbered: DatabaseModel {
    let _entityWrapper: EntityWrapper<PlayerEntity>
    let numbers = Field(\.avatar, as: [Double].self)
    let given = Field(\.avatar, as: [Double].self, default: [7])
    let safe = Field(\.avatar, as: [Double].self, fallback: [0])

    init(entity: PlayerEntity) {
        _entityWrapper = .init(entity: entity)
    }
}
