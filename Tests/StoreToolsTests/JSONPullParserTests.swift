import Testing

@testable import StoreTools

@Suite struct JSONPullParserTests {
    private func value(_ string: String) throws -> JSONValue {
        var parser = JSONPullParser(string)
        let value = try parser.readValue()
        #expect(try parser.next() == .endOfDocument)
        return value
    }

    @Test func readsEveryKindOfValue() throws {
        let string = #" {"a": [1, -2.5, 1e3, true, false, null, "x"], "b": {}, "c": []} "#
        #expect(
            try value(string) == [
                "a": [1, -2.5, 1000.0, true, false, .null, "x"], "b": .object([]), "c": [],
            ])
    }

    @Test func givesEventsOneByOne() throws {
        var parser = JSONPullParser(#"{"a": [1]}"#)
        var events: [JSONPullParser.Event] = []
        repeat { events.append(try parser.next()) } while events.last != .endOfDocument
        #expect(
            events == [.beginObject, .key("a"), .beginArray, .scalar(1), .endArray, .endObject, .endOfDocument])
    }

    @Test func readsInputInPiecesOfAnySize() throws {
        let string = #"{"näme\n\u00e9\ud83d\ude00": [12345678901234, -0.5e-2, "äöü😀\\"], "t": true}"#
        let whole = try value(string)
        for size in 1...7 {
            var rest = Array(string.utf8)
            var parser = JSONPullParser(chunk: {
                defer { rest.removeFirst(min(size, rest.count)) }
                return Array(rest.prefix(size))
            })
            #expect(try parser.readValue() == whole)
        }
    }

    @Test func readsEscapes() throws {
        #expect(try value(#""\"\\\/\b\f\n\r\t\u0041\ud83d\ude00""#) == .string("\"\\/\u{8}\u{C}\n\r\tA😀"))
    }

    @Test func keepsIntegersExact() throws {
        #expect(try value("9223372036854775807") == .integer(.max))
        #expect(try value("-9223372036854775808") == .integer(.min))
        #expect(try value("9223372036854775808") == .number(9_223_372_036_854_775_808))
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1", "[1,", "[1,]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}", "[1 2]", "]",
        "}", "{]", "[}", "01", "-", "1.", ".5", "1e", "+1", "tru", "nul", "NaN", "\"", "\"\\x\"", "\"\\u12\"",
        "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\n\"", "1 2", "{\"a\":1} x", "{\"a\":1,\"a\":2}",
        "1e999", "[1,,2]", "{,}", "'a'", "// x",
    ])
    func refusesWhatIsNotJSON(_ string: String) {
        #expect(throws: JSONSyntaxError.self) { try value(string) }
    }

    @Test func refusesInvalidUTF8() {
        var bytes: [UInt8]? = [0x22, 0xC3, 0x28, 0x22]
        var parser = JSONPullParser(chunk: {
            defer { bytes = nil }
            return bytes
        })
        #expect(throws: JSONSyntaxError.self) { try parser.readValue() }
    }

    @Test func refusesDeepNesting() {
        let string = String(repeating: "[", count: 100_000)
        #expect(throws: JSONSyntaxError.self) { try value(string) }
    }

    @Test func namesThePlace() {
        #expect(throws: JSONSyntaxError(line: 2, column: 9, reason: "a comma or \"}\" should be here")) {
            try value("{\n  \"a\":1 2}")
        }
    }

    @Test func skipsValues() throws {
        var parser = JSONPullParser(#"[{"a": [1, {"b": 2}]}, 7]"#)
        _ = try parser.next()
        try parser.skipValue()
        #expect(try parser.next() == .scalar(7))
    }

    @Test func writesWhatItReads() throws {
        let original: JSONValue = [
            "text": "a\"\\\n\u{1}é😀", "numbers": [1, -1, 0.1, 1e300, 2.5e-308], "flags": [true, false, .null],
            "nested": ["deep": [["x": 1]]],
        ]
        #expect(try value(JSONText.string(of: original)) == original)
        #expect(try value(JSONText.string(of: original, layout: .indented)) == original)
    }
}
