import CoreDataCandy
import TestSupport
import Testing

@Suite struct BrokenDataTests {
    // Feature CANDY-11
    @Test func readingBrokenDataStopsAndNamesAttributeTypeAndCause() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try StoreKind.sqlite.stack().inContext { context throws in
                let entity = PlayerRow().insert(into: context)
                entity.avatar = Data("not JSON".utf8)
                _ = Player(entity: entity).current(\.avatar)
            }
        }
        #expect(said(result).contains("The stored value of the attribute 'avatar' of Player is no Optional<Avatar>"))
        #expect(said(result).contains("not JSON"))
    }

    // Feature CANDY-11
    @Test func encodingThatFailsStops() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try StoreKind.memory.stack().inContext { context throws in
                let player = Numbered(entity: PlayerRow().insert(into: context))
                player.assign([.nan], to: \.numbers)
            }
        }
        #expect(said(result).contains("The value for the attribute 'avatar' of Player can't be stored"))
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
    let safe = Field(\.avatar, as: [Double].self, fallback: [0])

    init(entity: PlayerEntity) {
        _entityWrapper = .init(entity: entity)
    }
}
