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
}
