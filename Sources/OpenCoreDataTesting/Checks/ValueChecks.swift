import Foundation
import OpenCoreData

/// Attributes of all types, with nothing in them and with the most.
enum ValueChecks {
    static let all: [StoreCheck] =
        samples.map { sample in
            StoreCheck("values of '\(sample.key)' come back as they were") { try roundTrip($0, sample, reopens: false) }
        }
        + samples.map { sample in
            StoreCheck("values of '\(sample.key)' come back from the store", needs: .reopening) {
                try roundTrip($0, sample, reopens: true)
            }
        } + [
            StoreCheck("nil is fetched as nil") { probe in
                try probe.save { probe.make("Record", in: $0) }
                try probe.inContext { context in
                    let record = try probe.one("Record", in: context)
                    for key in record.entity.attributesByName.keys.sorted() {
                        try probe.expect(record.value(forKey: key) == nil, "'\(key)' should be nil")
                    }
                }
            }
        ]

    private struct Sample: Sendable {
        let key: String
        /// Makes the values.
        let values: @Sendable () -> [Any]
        let isEqual: @Sendable (Any, Any) -> Bool
    }

    private static func sample<Value: Equatable & Sendable>(_ key: String, _ values: [Value]) -> Sample {
        Sample(
            key: key, values: { values },
            isEqual: { found, wanted in
                guard let found = found as? Value, let wanted = wanted as? Value else { return false }
                return found == wanted
            })
    }

    private static let samples: [Sample] = [
        sample(
            "text",
            [
                "", "plain", " spaces ", "<&>\"' ]]>", "a\nb\r\nc\td", "é e\u{301} 漢字 👩‍👩‍👧 \u{10FFFF}", "\u{1}\u{7F}",
                String(repeating: "long ", count: 50_000),
            ]),
        sample("small", [Int16.min, -1, 0, 1, Int16.max]), sample("medium", [Int32.min, 0, Int32.max]),
        sample("large", [Int64.min, -1, 0, Int64.max]), sample("flag", [true, false]),
        sample("single", [Float(0), -1.5, .greatestFiniteMagnitude, .leastNormalMagnitude, 0.1]),
        sample("double", [0, -1.5, .greatestFiniteMagnitude, .leastNormalMagnitude, 0.1, .pi]),
        sample(
            "moment",
            [
                Date(timeIntervalSinceReferenceDate: 0), .distantPast, .distantFuture,
                Date(timeIntervalSinceReferenceDate: 123_456_789.123_456),
            ]),
        sample("bytes", [Data(), Data([0, 1, 255]), Data(repeating: 7, count: 300_000)]),
        sample("token", [UUID()]),
        sample(
            "place",
            ["https://example.org/a%20b?c=d&e=f#g", "file:///tmp/x", "relative/path"]
                .compactMap { URL(string: $0) }),
        Sample(
            key: "amount",
            values: { ["0", "-12.50", "99999999.9999999", "0.00000000000001"].compactMap { Decimal(string: $0) } },
            isEqual: { found, wanted in (found as? NSDecimalNumber)?.decimalValue == wanted as? Decimal }),
        Sample(
            key: "payload",
            values: { [["a", "b"] as [String], ["key": 1] as [String: Int], "text"] },
            isEqual: { found, wanted in
                switch wanted {
                case let list as [String]: found as? [String] == list
                case let dictionary as [String: Int]: found as? [String: Int] == dictionary
                default: found as? String == wanted as? String
                }
            }),
    ]

    private static func roundTrip(_ probe: StoreProbe, _ sample: Sample, reopens: Bool) throws {
        let values = sample.values()
        try probe.save { context in
            for (index, value) in values.enumerated() {
                probe.make("Record", ["key": "\(index)", sample.key: value], in: context)
            }
        }
        if reopens { try probe.reopen() }
        try probe.inContext { context in
            let records = try probe.fetch("Record", by: "key", in: context)
            try probe.equal(records.count, values.count, "the number of records")
            for (record, value) in zip(records, values) {
                let found = record.value(forKey: sample.key)
                try probe.expect(
                    found.map { sample.isEqual($0, value) } ?? false,
                    "'\(sample.key)' should be \("\(value)".prefix(60)) and is \("\(found ?? "nil")".prefix(60))")
            }
        }
    }
}
