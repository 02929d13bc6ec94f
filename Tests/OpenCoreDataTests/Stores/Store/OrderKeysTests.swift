import OpenCoreData
import Testing

@Suite struct OrderKeysTests {
    @Test func aNewListBeginsAt2048InStepsOf1024() {
        #expect(OrderKeys.assign(existing: [nil, nil, nil]) == [2048, 3072, 4096])
    }

    @Test func anElementBetweenTakesTheMiddle() {
        #expect(OrderKeys.assign(existing: [2048, nil, 3072]) == [2048, 2560, 3072])
    }

    @Test func anElementInFrontTakes1024Less() {
        #expect(OrderKeys.assign(existing: [nil, 2048, 3072]) == [1024, 2048, 3072])
    }

    @Test func whatIsInOrderKeepsItsNumber() {
        // The last one moved to the front.
        #expect(OrderKeys.assign(existing: [4096, 2048, 3072]) == [1024, 2048, 3072])
    }

    @Test func aGapWithoutRoomRenumbersAll() {
        #expect(OrderKeys.assign(existing: [13, nil, 14, 15]) == [2048, 3072, 4096, 5120])
    }

    @Test func frontInsertsGoCloserTogetherBeforeTheyRenumber() {
        #expect(OrderKeys.assign(existing: [nil, 1024]) == [512, 1024])
        #expect(OrderKeys.assign(existing: [nil, 1]) == [2048, 3072])
    }

    @Test func equalNumbersAreToldApart() {
        let keys = OrderKeys.assign(existing: [2048, 2048, 2048])
        #expect(keys == keys.sorted() && Set(keys).count == 3)
    }
}
