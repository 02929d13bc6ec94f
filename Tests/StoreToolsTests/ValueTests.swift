import Foundation
import OpenCoreData
import Testing

@testable import StoreTools

@Suite struct ValueTests {
    private func attribute(_ type: NSAttributeDescription.AttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = "a"
        attribute.type = type
        return attribute
    }

    // MARK: Dates

    @Test(arguments: [
        (0, "2001-01-01T00:00:00.000Z"), (-1, "2000-12-31T23:59:59.000Z"), (0.25, "2001-01-01T00:00:00.250Z"),
        (-978_307_200, "1970-01-01T00:00:00.000Z"), (727_531_200.5, "2024-01-21T12:00:00.500Z"),
        (-63_114_076_800, "0000-12-30T00:00:00.000Z"), (5_097_600, "2001-03-01T00:00:00.000Z"),
        (300_000_000_000, "+011507-08-17T05:20:00.000Z"),
    ])
    func datesAreISO8601(_ seconds: Double, _ string: String) {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        #expect(ISODate.string(of: date) == string)
        #expect(ISODate.date(from: string) == date)
    }

    @Test func everyDateComesBack() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let seconds = Double.random(in: -70_000_000_000...70_000_000_000, using: &generator)
            for value in [seconds, seconds / 1_000, (seconds * 1_000).rounded() / 1_000, 727_531_200.123_456_7] {
                let date = Date(timeIntervalSinceReferenceDate: value)
                #expect(ISODate.string(of: date).flatMap(ISODate.date(from:)) == date, "\(value)")
            }
        }
    }

    @Test func otherSpellingsOfDatesAreRead() {
        let noon = Date(timeIntervalSinceReferenceDate: 43_200)
        #expect(ISODate.date(from: "2001-01-01T12:00:00Z") == noon)
        #expect(ISODate.date(from: "2001-01-01T14:00:00+02:00") == noon)
        #expect(ISODate.date(from: "2001-01-01T06:30:00.0-05:30") == noon)
        #expect(ISODate.date(from: "2001-01-01") == Date(timeIntervalSinceReferenceDate: 0))
    }

    @Test(arguments: [
        "", "yesterday", "2001-13-01", "2001-02-30", "2001-01-01T24:00:00Z", "2001-01-01T12:60:00Z", "2001-1-1",
        "2001-01-01T12:00:00", "2001-01-01 12:00:00Z", "01-01-2001",
    ])
    func whatIsNoDateIsRefused(_ string: String) {
        #expect(ISODate.date(from: string) == nil)
    }

    // MARK: Attributes

    @Test func valuesOfEachTypeComeBack() throws {
        let values: [(NSAttributeDescription.AttributeType, Any)] = [
            (.integer16, NSNumber(value: Int16.min)), (.integer32, NSNumber(value: Int32.max)),
            (.integer64, NSNumber(value: Int64.min)), (.double, NSNumber(value: 0.1)),
            (.double, NSNumber(value: Double.infinity)), (.float, NSNumber(value: Float(0.1))),
            (.boolean, NSNumber(value: true)), (.string, "ä\n\u{1}"),
            (.date, Date(timeIntervalSinceReferenceDate: 0.1)),
            (.binaryData, Data([0, 255])), (.uuid, UUID()), (.uri, URL(string: "https://example.org/x?y=z")!),
        ]
        for (type, value) in values {
            let attribute = attribute(type)
            let json = AttributeCoding.json(value, of: attribute)
            var parser = JSONPullParser(JSONText.string(of: json))
            let back = try AttributeCoding.value(try parser.readValue(), of: attribute)
            #expect((back as? NSObject) == (value as? NSObject) || "\(back ?? "")" == "\(value)", "\(type) \(value)")
        }
        #expect(AttributeCoding.json(nil, of: attribute(.string)) == .null)
        #expect(try AttributeCoding.value(.null, of: attribute(.string)) == nil)
    }

    @Test(arguments: ["0", "+1", "-1.5", ".5", "5.", "1e3", "1.5E-7", "-0.25e+2", "007"])
    func decimalsAreReadWhole(string: String) throws {
        let number = try #require(AttributeCoding.decimal(string))
        #expect(number.decimalValue == Decimal(string: string, locale: Locale(identifier: "en_US_POSIX")))
    }

    @Test(arguments: [
        "", ".", "+", "e3", "1e", "1e+", "1.2.3", " 1", "1 ", "0x1", "--1", "Infinity", "nan", "1e2.5", "٣",
    ])
    func whatIsNoDecimalIsNotRead(string: String) {
        #expect(AttributeCoding.decimal(string) == nil)
    }

    @Test func decimalsAreStrings() throws {
        let decimal = try #require(Decimal(string: "12345678901234567890.123456789", locale: nil))
        let json = AttributeCoding.json(NSDecimalNumber(decimal: decimal), of: attribute(.decimal))
        #expect(json == "12345678901234567890.123456789")
        let back = try AttributeCoding.value(json, of: attribute(.decimal)) as? NSDecimalNumber
        #expect(back?.decimalValue == decimal)
    }

    @Test func floatsAreShort() {
        #expect(JSONText.string(of: AttributeCoding.json(NSNumber(value: Float(0.1)), of: attribute(.float))) == "0.1")
    }

    @Test(arguments: [
        (NSAttributeDescription.AttributeType.integer16, JSONValue.integer(40_000)), (.integer32, "7"),
        (.integer64, 1.5), (.boolean, 1), (.string, 1), (.date, 0), (.date, "soon"), (.binaryData, "?"),
        (.uuid, "1"), (.decimal, "twelve"), (.decimal, "1,5"), (.double, "1"), (.float, true), (.string, .array(["a"])),
    ])
    func valuesOfAnotherTypeAreRefused(_ type: NSAttributeDescription.AttributeType, _ json: JSONValue) {
        #expect(throws: ToolFailure.self) { try AttributeCoding.value(json, of: attribute(type)) }
    }

    @Test func transformablesAreDecodedWhenPlain() throws {
        let attribute = attribute(.transformable)
        let plain: NSDictionary = ["list": [1, 2.5, "x"], "flag": true]
        let json = AttributeCoding.json(plain, of: attribute)
        #expect(json == ["flag": true, "list": [1, 2.5, "x"]])
        #expect(try AttributeCoding.value(json, of: attribute) as? NSDictionary == plain)

        for value in ["a text" as NSString, ["when": Date(timeIntervalSinceReferenceDate: 0)] as NSDictionary]
            as [NSObject]
        {
            let json = AttributeCoding.json(value, of: attribute)
            guard case .string = json else {
                Issue.record("\(value) is not base64")
                continue
            }
            #expect(try AttributeCoding.value(json, of: attribute) as? NSObject == value)
        }
        #expect(AttributeCoding.json(Data([1, 2]), of: attribute) == "AQI=")
        #expect(try AttributeCoding.value("AQI=", of: attribute) as? Data == Data([1, 2]))
    }

    // MARK: What users type

    @Test func typedValuesAreRead() throws {
        #expect(try CommandLineValue.value("null", of: attribute(.string)) == nil)
        #expect(try CommandLineValue.value("\"null\"", of: attribute(.string)) as? String == "null")
        #expect(try CommandLineValue.value("12", of: attribute(.string)) as? String == "12")
        #expect(try CommandLineValue.value("", of: attribute(.string)) as? String == "")
        #expect(try CommandLineValue.value("YES", of: attribute(.boolean)) as? NSNumber == NSNumber(value: true))
        #expect(try CommandLineValue.value("-7", of: attribute(.integer16)) as? NSNumber == NSNumber(value: -7))
        #expect(
            try CommandLineValue.value("1.50", of: attribute(.decimal)) as? NSDecimalNumber
                == NSDecimalNumber(string: "1.5"))
        #expect(throws: ToolFailure.self) { try CommandLineValue.value("x", of: attribute(.integer32)) }
    }

    @Test func objectsHaveShortNames() {
        let uri = "x-coredata://8F9C2C2B-8A35-4F6B-9E2B-0C7B5B7B2B11/Book/p12"
        #expect(ObjectName.short(uri) == "Book/p12")
        #expect(ObjectName.uri("Book/p12", storeIdentifier: "8F9C2C2B-8A35-4F6B-9E2B-0C7B5B7B2B11") == uri)
        #expect(ObjectName.uri(uri, storeIdentifier: "other") == uri)
        for string in [
            "", "Book", "Book/12", "Book/p", "/p1", "Book/p1/x", "x-coredata://a/b", "x-coredata:///Book/t1",
        ] {
            #expect(ObjectName.uri(string, storeIdentifier: "S") == nil, "\(string)")
        }
    }

    @Test func tableCellsAreShort() {
        #expect(ValueText.cell(.null) == "–")
        #expect(ValueText.cell("x-coredata://S/Book/p1") == "Book/p1")
        #expect(ValueText.cell(["x-coredata://S/Book/p1", "x-coredata://S/Book/p2"]) == "2 objects")
        #expect(
            ValueText.csv(["x-coredata://S/Book/p1", "x-coredata://S/Book/p2"])
                == "x-coredata://S/Book/p1 x-coredata://S/Book/p2")
        #expect(ValueText.csv(.null) == nil)
        #expect(ValueText.csv(["a": 1]) == "{\"a\": 1}")
    }
}
