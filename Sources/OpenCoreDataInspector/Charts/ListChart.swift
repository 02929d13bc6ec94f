#if Inspector
import Foundation
import HTTPTypes
import OpenCoreData
import StoreTools

/// Numbers of a list's objects, ready to be drawn: by day of a date, by size of a number, by value of anything
/// else.
struct ListChart {
    /// Groups that are drawn; the others are one sum.
    static let mostGroups = 30
    /// Bars of a distribution.
    private static let bars = 40

    let list: ObjectList
    let attribute: NSAttributeDescription?
    let key: String
    let counts: GroupedCounts

    init(_ arguments: RequestArguments, in reader: StoreReader) throws {
        list = try ObjectList(arguments, in: reader)
        key = try arguments.required("key")
        attribute = list.entity.attributesByName[key]
        counts = GroupedCounts(list: list, reader: reader)
        let isToOne = list.entity.relationshipsByName[key].map { !$0.isToMany } ?? false
        guard isToOne || attribute.map(Self.isDrawn) == true else {
            throw InspectorError(
                .unprocessableContent, "There is no chart for \(key) of \(list.entity.displayName).")
        }
    }

    /// The chart that suits the property, or groups where they are asked for.
    func json(groups: Bool) throws -> JSONValue {
        guard let attribute, !groups else { return try self.groups() }
        switch ModelDocument.kind(of: attribute) {
        case "date": return try days(attribute)
        case "integer", "number", "decimal": return try distribution(attribute)
        default: return try self.groups()
        }
    }

    private static func isDrawn(_ attribute: NSAttributeDescription) -> Bool {
        !["data", "transformable", "composite", "other"].contains(ModelDocument.kind(of: attribute))
    }

    // MARK: Dates

    /// Counts by day, by the number of the day since 2001.
    private func days(_ attribute: NSAttributeDescription) throws -> JSONValue {
        let day = NSExpression(
            forFunction: "floor:",
            arguments: [
                NSExpression(
                    forFunction: "divide:by:",
                    arguments: [NSExpression(forKeyPath: key), NSExpression(forConstantValue: 86_400.0)])
            ])
        let found = try counts.counts(of: day, type: .doubleAttributeType)
        var days: [(day: Int, count: Int)] = []
        var missing = 0
        for (value, count) in found {
            guard let number = (value as? NSNumber)?.doubleValue, abs(number) < 1e9 else {
                missing += count
                continue
            }
            days.append((Int(number), count))
        }
        days.sort { $0.day < $1.day }
        return [
            "kind": "days", "key": .string(key), "missing": JSONValue(missing),
            "days": .array(
                days.map { entry in
                    let date = Date(timeIntervalSinceReferenceDate: Double(entry.day) * 86_400)
                    return [
                        .string(String((ISODate.string(of: date) ?? "").prefix { $0 != "T" })),
                        JSONValue(entry.count),
                    ]
                }),
        ]
    }

    // MARK: Numbers

    private func distribution(_ attribute: NSAttributeDescription) throws -> JSONValue {
        guard let range = try counts.range(of: key, type: attribute.attributeType),
            let least = (range.least as? NSNumber)?.doubleValue, let most = (range.most as? NSNumber)?.doubleValue,
            least.isFinite, most.isFinite
        else { return ["kind": "numbers", "key": .string(key), "bars": .array([]), "missing": .null] }
        let isWhole = ModelDocument.kind(of: attribute) == "integer"
        // Large integers are counted from an integer: doubles can't distinguish them from their neighbors.
        let integers = isWhole ? (range.least as? NSNumber, range.most as? NSNumber) : (nil, nil)
        let (span, overflow) = (integers.1?.int64Value ?? 0).subtractingReportingOverflow(
            integers.0?.int64Value ?? 0)
        let width = Self.width(of: isWhole && !overflow ? Double(span) : most - least, isWhole: isWhole)
        let start: NSNumber =
            isWhole
            ? NSNumber(value: Self.multiple(of: Int64(width), below: integers.0?.int64Value ?? 0))
            : NSNumber(value: (least / width).rounded(.down) * width)
        let index = NSExpression(
            forFunction: "floor:",
            arguments: [
                NSExpression(
                    forFunction: "divide:by:",
                    arguments: [
                        NSExpression(
                            forFunction: "from:subtract:",
                            arguments: [NSExpression(forKeyPath: key), NSExpression(forConstantValue: start)]),
                        NSExpression(forConstantValue: width),
                    ])
            ])
        var heights: [Int: Int] = [:]
        var missing = 0
        for (value, count) in try counts.counts(of: index, type: .doubleAttributeType) {
            guard let number = (value as? NSNumber)?.doubleValue, number.isFinite, abs(number) < 1e9 else {
                missing += count
                continue
            }
            heights[Int(number), default: 0] += count
        }
        return [
            "kind": "numbers", "key": .string(key), "least": .number(least), "most": .number(most),
            "width": isWhole ? .integer(Int64(width)) : .number(width), "missing": JSONValue(missing),
            "start": isWhole
                ? CellValue.shortened(.integer(start.int64Value), longest: CellValue.shortLength)
                : .number(start.doubleValue),
            "bars": .array(
                heights.sorted { $0.key < $1.key }.map { [JSONValue($0), JSONValue($1)] }),
        ]
    }

    /// The greatest multiple of a width that isn't above a number, or the number itself if the multiple would
    /// overflow.
    private static func multiple(of width: Int64, below number: Int64) -> Int64 {
        let rest = number % width
        let (multiple, overflow) = number.subtractingReportingOverflow(rest < 0 ? rest + width : rest)
        return overflow ? number : multiple
    }

    /// A width of 1, 2 or 5 times a power of ten, so that there are about forty bars.
    private static func width(of span: Double, isWhole: Bool) -> Double {
        guard span > 0, span.isFinite else { return 1 }
        let raw = span / Double(bars)
        let power = pow(10, Foundation.floor(log10(raw)))
        let nice = [1.0, 2, 5, 10].first { $0 * power >= raw } ?? 10
        return isWhole ? max(1, nice * power) : nice * power
    }

    // MARK: Groups

    private func groups() throws -> JSONValue {
        let path = EnumerationPredicate(entity: list.entity).replacing(keyPath: key)
        let type = attribute?.attributeType ?? .objectIDAttributeType
        let found = try counts.counts(
            of: NSExpression(forKeyPath: path), type: type, largest: Self.mostGroups + 1)
        let shown = found.prefix(Self.mostGroups)
        let request = list.request(offset: 0, limit: 0)
        let total = try counts.reader.context.count(for: request)
        let rest = total - shown.reduce(0) { $0 + $1.count }
        return [
            "kind": "groups", "key": .string(key), "total": JSONValue(total),
            "rest": JSONValue(max(0, rest)),
            "groups": .array(try shown.map { [try group($0.value), JSONValue($0.count)] }),
        ]
    }

    private func group(_ value: Any?) throws -> JSONValue {
        guard let value else { return .null }
        if let attribute { return CellValue.json(value, of: attribute, longest: 80) }
        guard let id = value as? NSManagedObjectID ?? (value as? NSManagedObject)?.objectID else { return .null }
        guard let object = try counts.reader.object(id) else {
            return ["id": .string(id.inspectorName), "label": .null]
        }
        return ObjectLabel.link(object)
    }
}
#endif
