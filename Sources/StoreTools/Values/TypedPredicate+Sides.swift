import Foundation
import OpenCoreData

extension TypedPredicate {
    /// What a constant that is compared with an expression has to be; nil when the expression doesn't say.
    func side(_ expression: NSExpression) throws -> Side? {
        switch expression.node {
        case .evaluatedObject: return .object(path: "SELF")
        case .variable(let name): return variables[name].map { _ in .object(path: "$\(name)") }
        case .keyPath(let path): return try side(path, of: entity, written: path)
        case .operandKeyPath(let operand, let path):
            guard let owner = try elementEntity(of: operand) else { return nil }
            return try side(path, of: owner, written: expression.description)
        case .conditional(_, let first, let second): return try side(first) ?? side(second)
        case .function(let name, let arguments): return try side(name, arguments, written: expression.description)
        default: return nil
        }
    }

    /// The entity of the objects that an expression gives; nil where it gives none, or any.
    func elementEntity(of expression: NSExpression) throws -> NSEntityDescription? {
        switch expression.node {
        case .evaluatedObject: return entity
        case .variable(let name): return variables[name]
        case .subquery(let collection, _, _): return try elementEntity(of: collection)
        case .keyPath(let path): return Self.destination(of: path, from: entity)
        case .operandKeyPath(let operand, let path):
            return try elementEntity(of: operand).flatMap { Self.destination(of: path, from: $0) }
        default: return nil
        }
    }

    private static func destination(of path: String, from entity: NSEntityDescription) -> NSEntityDescription? {
        var current: NSEntityDescription? = entity
        for key in path.split(separator: ".").map(String.init) where key.lowercased() != "self" {
            current = (current.flatMap { Field.property(key, of: $0) } as? NSRelationshipDescription)?.destinationEntity
        }
        return current
    }

    // MARK: Functions

    private static let functionsOfNumbers: Set<String> = [
        "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:", "abs:", "sqrt:", "ln:", "log:", "exp:",
        "ceiling:", "floor:", "trunc:", "sum:", "average:", "count:", "length:",
    ]

    private func side(_ name: String, _ arguments: [NSExpression], written: String) throws -> Side? {
        if name == "now" { return .date(path: written) }
        if Self.functionsOfNumbers.contains(name) { return .number(path: written) }
        switch name {
        case "add:to:", "from:subtract:":
            let sides = try arguments.map(side)
            let dates = sides.filter(Self.isDate).count
            // The difference of two dates is a number of seconds.
            if dates == 1 { return .date(path: written) }
            return dates > 0 || sides.contains { $0 != nil } ? .number(path: written) : nil
        case "max:", "min:":
            return arguments.count == 1 ? try side(arguments[0]) : nil
        default: return nil
        }
    }

    private static func isDate(_ side: Side?) -> Bool {
        switch side {
        case .date: true
        case .attribute(let attribute, _): attribute.attributeType == .dateAttributeType
        default: false
        }
    }

    // MARK: Key paths

    private func side(_ path: String, of entity: NSEntityDescription, written: String) throws -> Side? {
        var current: NSEntityDescription? = entity
        var composite: NSAttributeDescription?
        var isNumber = false
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for (index, key) in keys.enumerated() {
            let isLast = index == keys.count - 1
            if key.hasPrefix("@") {
                if key == "@count" { return .number(path: written) }
                isNumber = isNumber || key == "@avg" || key == "@sum"
                continue
            }
            if let owner = composite {
                guard
                    let element = (owner as? NSCompositeAttributeDescription)?.elements.first(where: { $0.name == key })
                else { throw Field.unknown(key, ofElement: owner) }
                if isLast { return .attribute(element, path: written) }
                composite = element
                continue
            }
            if key == "objectID" || key.lowercased() == "self" {
                if isLast { return .object(path: written) }
                continue
            }
            guard let owner = current else { return nil }
            guard let property = Field.property(key, of: owner) else {
                // What has another meaning for the engine.
                if key == "entity" || key.contains("$") || key.contains("(") { return nil }
                throw Field.unknown(key, of: owner)
            }
            switch property {
            case let relationship as NSRelationshipDescription:
                if isLast { return .object(path: written) }
                current = relationship.destinationEntity
            case let attribute as NSAttributeDescription:
                if isLast { return isNumber ? .number(path: written) : .attribute(attribute, path: written) }
                composite = attribute
                current = nil
            default: return nil
            }
        }
        return nil
    }
}
