import CoreDataCandy
import TestSupport
import Testing

/// The seed's example of an own rule, with the condition that its text describes.
extension Validation where Value: Numeric & Comparable & Sendable {
    fileprivate static func greaterThan(_ value: Value) -> Self {
        Validation {
            if $0 <= value {
                throw CoreDataCandyError.dataValidation(description: "Value \($0) is not greater than \(value)")
            }
        }
    }
}

@Suite struct OwnRuleTests {
    // Feature CANDY-49
    @Test func ownRulesAreStaticMembersAndComeBeforeTheLibrarys() throws {
        struct Scored: DatabaseModel {
            let _entityWrapper: EntityWrapper<PlayerEntity>
            let score = Field(\.score, validations: .greaterThan(3))
            init(entity: PlayerEntity) { _entityWrapper = .init(entity: entity) }
        }
        try StoreKind.memory.stack().inContext { context throws in
            let player = Scored(entity: PlayerRow().insert(into: context))
            #expect(throws: CoreDataCandyError.dataValidation(description: "Value 3 is not greater than 3")) {
                try player.validate(3, for: \.score)
            }
            try player.validateAndAssign(4, to: \.score)
            #expect(player.current(\.score) == 4)
        }
    }

    // Feature CANDY-49
    @Test func aRuleChecksAValueByItself() throws {
        try Validation<Int>.greaterThan(3).validate(4)
        #expect(throws: CoreDataCandyError.dataValidation(description: "Value 3 is not greater than 3")) {
            try Validation<Int>.greaterThan(3).validate(3)
        }
    }
}
