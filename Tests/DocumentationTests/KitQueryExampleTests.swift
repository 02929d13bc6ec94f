import OpenCoreDataKit
import TestSupport
import Testing

/// The examples about queries, summaries and imports do what their pages say.
@Suite struct KitQueryExampleTests {
    @Test func theExamplesRun() throws {
        let stack = try TestStack(model: VillageModel.make())
        try stack.inContext { context throws in
            let entries = (1...6).map { Entry(id: $0, name: "v\($0)", village: $0 < 4 ? "Bree" : "Combe") }
            #expect(try bring(entries, into: context).inserted == 6)
            #expect(try bring(entries, into: context).updated == 6)
            for (index, villager) in try context.all(Query(Villager.self).sorted(SortDescriptor(\.number))).enumerated()
            {
                villager.age = Int32(index * 16)
                villager.trade = index < 4 ? "smith" : "miller"
            }
            try context.save()
            #expect(try oldest(in: context).map(\.name) == ["v3"])
            #expect(try lookAround(in: context).suffix(2) == ["nobody", "4 of 4"])
            #expect(try names(of: 4, in: context) == [["v6", "v5", "v4", "v3"], ["v2", "v1"], []])
        }
        try stack.inContext { context throws in
            #expect(
                try trades(in: context) == [
                    "2 of trade miller, half of them under 72.0", "4 of trade smith, half of them under 24.0",
                ])
            #expect(try changeInTheStore(in: context) == 1)
            try change(in: context)
            #expect(try context.count(Query(Villager.self).filter(#Predicate { $0.trade == nil })) == 4)
        }
    }
}
