import OpenCoreDataKit
import Testing

/// Turns, and operations that others wait for.
@Suite struct TurnQueueTests {
    @Test func turnsComeInTheOrderInWhichTheyWereAskedFor() {
        let queue = TurnQueue()
        let order = Locked<[Int]>([])
        let held = Locked<TurnQueue.Turn?>(nil)
        queue.take { held.value = $0 }
        for number in 0..<500 {
            queue.take { turn in
                order.change { $0.append(number) }
                turn.end()
                turn.end()
            }
        }
        #expect(order.value == [])
        held.value?.end()
        #expect(order.value == Array(0..<500))
    }

    @Test func aTurnLastsAsLongAsSomebodyHoldsIt() async {
        let queue = TurnQueue()
        let isNext = Locked(false)
        var turn: TurnQueue.Turn? = await queue.take()
        queue.take { _ in isNext.value = true }
        #expect(turn != nil)
        #expect(!isNext.value)
        turn = nil
        #expect(isNext.value)
        // That turn ended with its block.
        _ = queue.takeBlocking()
    }

    @Test func aBlockGoesWithItsTurn() {
        final class Held: Sendable {}
        let queue = TurnQueue()
        let first = queue.takeBlocking()
        var held: Held? = Held()
        weak let gone = held
        queue.take { [held] turn in
            withExtendedLifetime(held) {}
            turn.end()
        }
        let last = Locked<TurnQueue.Turn?>(nil)
        queue.take { last.value = $0 }
        held = nil
        #expect(gone != nil)
        first.end()
        #expect(gone == nil && last.value != nil)
    }

    @Test func noMoreSavesThanSlotsAreTriedAtATime() {
        let slots = SaveSlots(2)
        let tried = Locked(0)
        let refused = Locked(0)
        slots.run {
            slots.run {
                for _ in 0..<3 { slots.run({ tried.change { $0 += 1 } }, orLater: { refused.change { $0 += 1 } }) }
                #expect(tried.value == 0 && refused.value == 0)
            } orLater: {
            }
            #expect(refused.value == 3)
            slots.run({ tried.change { $0 += 1 } }, orLater: {})
        } orLater: {
        }
        #expect(tried.value == 1)
    }

    @Test func oneAtATimeUnderLoad() async {
        let queue = TurnQueue()
        let inside = Locked(0)
        let most = Locked(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 {
                group.addTask {
                    let turn = await queue.take()
                    let now = inside.change { inside in
                        inside += 1
                        return inside
                    }
                    most.change { $0 = max($0, now) }
                    await Task.yield()
                    inside.change { $0 -= 1 }
                    turn.end()
                }
            }
        }
        #expect(most.value == 1)
    }

    @Test func whoIsAloneWaitsForTheOthersAndKeepsNewOnesOut() async throws {
        let gate = OperationGate(name: "Gate")
        let first = try await gate.enter()
        let log = Locked<[String]>([])
        let alone = Task {
            try await gate.alone {
                log.change { $0.append("alone") }
                let entered = try gate.enterNow()
                #expect(entered == nil)
            }
        }
        while try gate.enterNow().map({
            gate.leave($0)
            return true
        }) != nil { await Task.yield() }
        let later = Task {
            let number = try await gate.enter()
            log.change { $0.append("later") }
            gate.leave(number)
        }
        #expect(log.value == [])
        gate.leave(first)
        try await alone.value
        try await later.value
        #expect(log.value == ["alone", "later"])
        await gate.settle()
        gate.close()
        await #expect(throws: DatabaseError.self) { try await gate.enter() }
    }

    @Test func whoSettlesWaitsForWhatHasBegunAndForNothingLater() async throws {
        let gate = OperationGate(name: "Gate")
        let log = Locked<[String]>([])
        let first = try await gate.enter()
        let second = try await gate.enter()
        let settled = Task {
            log.change { $0.append("asks") }
            await gate.settle()
            log.change { $0.append("settled") }
        }
        while log.value.isEmpty { await Task.yield() }
        // Time to begin to wait.
        try await Task.sleep(for: .milliseconds(50))
        let later = try await gate.enter()
        let settledLater = Task {
            await gate.settle()
            log.change { $0.append("settled later") }
        }
        gate.leave(second)
        try await Task.sleep(for: .milliseconds(20))
        #expect(log.value == ["asks"])
        gate.leave(first)
        await settled.value
        #expect(log.value == ["asks", "settled"])
        gate.leave(later)
        await settledLater.value
        await gate.settle()
        #expect(log.value == ["asks", "settled", "settled later"])
    }

    @Test func eightTasksPassAndSettle() async throws {
        let gate = OperationGate(name: "Gate")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    for round in 0..<500 {
                        guard let operation = try? await gate.enter() else { continue }
                        if round % 3 == number % 3 { await Task.yield() }
                        gate.leave(operation)
                        if round % 50 == number { await gate.settle() }
                    }
                }
            }
        }
        // Nothing is left that it would wait for.
        await gate.settle()
        try await gate.alone {}
    }
}
