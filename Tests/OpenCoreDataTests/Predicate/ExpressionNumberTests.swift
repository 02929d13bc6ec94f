import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Numbers that expressions give out are `NSNumber`, so that they can be cast to any Swift type that they fit.
struct ExpressionNumberTests {
    private func constant(_ format: String, _ arguments: [Any] = []) throws -> Any {
        let predicate = try #require(NSPredicate(format: format, argumentArray: arguments) as? NSComparisonPredicate)
        return try #require(predicate.rightExpression.constantValue)
    }

    @Test func constantsOfATextCastToWhatTheyFit() throws {
        let five = try constant("a == 5")
        #expect(five as? Int == 5 && five as? Int64 == 5 && five as? Int32 == 5 && five as? Double == 5)
        #expect(five as? NSNumber == 5 && five is NSNumber)
        let half = try constant("a == 2.5")
        #expect(half as? Double == 2.5 && half as? NSNumber == 2.5 && half as? String == nil)
        let truth = try constant("a == YES")
        #expect(truth as? Bool == true && truth as? Int == 1 && truth as? NSNumber == true)
        #expect(try constant("a == 0") as? Bool == false)
        #expect(try constant("a == 1") as? Bool == true)
        #expect(try constant("a == -3") as? Int == -3)
        #expect(try constant("a == 0x10") as? Int == 16)
        #expect(try constant("a == 'x'") as? String == "x")
    }

    @Test func givenNumbersDoToo() throws {
        for number in [7 as Any, Int16(7), UInt8(7), Int64(7), Float(7), Decimal(7), NSNumber(value: 7), UInt64(7)] {
            let value = try constant("a == %@", [number])
            #expect(value as? Int == 7 && value as? Double == 7 && value is NSNumber, "\(type(of: number))")
        }
        #expect(NSExpression(forConstantValue: true).constantValue as? Bool == true)
        #expect(NSExpression(forConstantValue: UInt64.max).constantValue as? UInt64 == .max)
        #expect(NSExpression(forConstantValue: [1, 2]).constantValue as? [Int] == [1, 2])
        #expect(NSExpression(forConstantValue: nil).constantValue == nil)
    }

    @Test func valuesOfExpressionsDoToo() {
        func value(_ format: String, _ object: Any? = nil) -> Any? {
            NSExpression(format: format).expressionValue(with: object, context: nil)
        }
        #expect(value("5 / 2") as? Int == 2)
        #expect(value("5.0 / 2") as? Double == 2.5)
        #expect(value("-7 / 2") as? Int == -3)
        #expect(value("2 ** 3") as? Int == 8)
        #expect(value("1 + 2 * 3") as? Int == 7)
        #expect(value("sum:({1, 2})") as? Int == 3)
        #expect(value("count:({1, 2})") as? Int == 2)
        #expect(value("average:({1, 2})") as? Double == 1.5)
        #expect(value("{1, 2}") as? [Int] == [1, 2])
        #expect(value("a", ["a": 3]) as? Double == 3)
        #expect(value("a.@sum.b", ["a": [["b": 1], ["b": 2]]]) as? Int == 3)
        #expect(value("1 / 0") == nil)
    }

    @Test func blocksGetThem() {
        let block = NSExpression(
            block: { _, arguments, _ in (arguments[0] as? Int ?? 0) + (arguments[1] as? Int ?? 0) },
            arguments: [NSExpression(format: "2"), NSExpression(format: "3 * 4")])
        #expect(block.expressionValue(with: nil, context: nil) as? Int == 14)
    }

    @Test func equalityHashesTextAndArchivesAreThoseOfTheNumbers() throws {
        let parsed = NSPredicate(format: "a == 5")
        let made = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "a"),
            rightExpression: NSExpression(forConstantValue: try constant("b == 5")), modifier: .direct, type: .equalTo)
        #expect(parsed == made && parsed.hash == made.hash && parsed.predicateFormat == made.predicateFormat)
        let data = try NSKeyedArchiver.archivedData(withRootObject: parsed, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data) == parsed)
    }
}
