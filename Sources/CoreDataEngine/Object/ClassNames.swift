import Foundation
import Synchronization

#if !canImport(ObjectiveC)
/// The name of a class, by which `NSClassFromString(_:)` finds it again.
///
/// Foundation's function of this name stops the program for a nested, private or generic class. Here a nested class
/// has the names of the types around it, as in `Shop.Catalog.Book`, and a generic one its arguments, as in
/// `Shop.Shelf<Shop.Book>`. If several private classes have one name, all but the first have a number behind it.
///
/// - Parameter aClass: The class.
public func NSStringFromClass(_ aClass: AnyClass) -> String { ClassNames.name(of: aClass) }

/// The class of a name, or `nil` if the program has no such class.
///
/// It also finds nested classes, and private and generic ones whose names `NSStringFromClass(_:)` has returned.
///
/// - Parameter aClassName: A name, such as `Shop.Book`.
public func NSClassFromString(_ aClassName: String) -> AnyClass? { ClassNames.type(named: aClassName) }

/// Names of classes, nested, private and generic ones included.
enum ClassNames {
    /// Classes that the runtime doesn't find by a name, with those that they were given.
    private struct Given {
        var types: [String: AnyClass] = [:]
        var names: [ObjectIdentifier: String] = [:]
    }

    private static let engine = "CoreDataEngine"
    private static let given = Mutex(Given())

    static func name(of type: AnyClass) -> String {
        if let name = given.withLock({ $0.names[ObjectIdentifier(type)] }) { return name }
        let name = String(reflecting: type)
        // Without a module, as on Apple's systems.
        if name.hasPrefix("\(engine).NS") { return String(name.dropFirst(engine.count + 1)) }
        let isPlain = !name.contains { $0 == "(" || $0 == "<" }
        if isPlain, name.count(where: { $0 == "." }) == 1 { return Foundation.NSStringFromClass(type) }
        if isPlain, nested(name.split(separator: ".")) == type { return name }
        return give(withoutAddresses(name), to: type)
    }

    /// Gives a class a name that no other class has.
    private static func give(_ name: String, to type: AnyClass) -> String {
        let isTaken = declared(name).map { $0 != type } ?? false
        let result = given.withLock { given in
            if let name = given.names[ObjectIdentifier(type)] { return name }
            let candidates = sequence(first: 1) { $0 + 1 }.lazy.map { $0 == 1 ? name : "\(name) \($0)" }
            let free = candidates.dropFirst(isTaken ? 1 : 0).first { given.types[$0] == nil } ?? name
            given.types[free] = type
            given.names[ObjectIdentifier(type)] = free
            return free
        }
        // What was found under the name before isn't valid any longer.
        if let type = type as? NSManagedObject.Type { ManagedObjectClass.noticed(type) }
        return result
    }

    /// A name without the contexts that private types stand in: their addresses differ from run to run.
    private static func withoutAddresses(_ name: String) -> String {
        var (result, rest) = ("", name[...])
        while let start = rest.range(of: "(unknown context at "), let end = rest.range(of: ").") {
            guard start.upperBound <= end.lowerBound else { break }
            result += rest[..<start.lowerBound]
            rest = rest[end.upperBound...]
        }
        return result + rest
    }

    static func type(named name: String) -> AnyClass? {
        given.withLock { $0.types[name] } ?? declared(name)
    }

    private static func declared(_ name: String) -> AnyClass? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count < 3 else { return nested(parts) }
        if let type = Foundation.NSClassFromString(name) { return type }
        return parts.count == 1 && name.hasPrefix("NS") ? nested([engine[...], parts[0]]) : nil
    }

    /// The class at the end of a path. The types around it may be classes, structures or enumerations.
    private static func nested(_ path: [Substring]) -> AnyClass? {
        guard path.count <= 8, path.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 < 0x80 } }) else {
            return nil
        }
        var names = ["\(path[0].count)\(path[0])"]
        for (index, part) in path.enumerated().dropFirst() {
            let kinds = index == path.count - 1 ? ["C"] : ["C", "V", "O"]
            names = names.flatMap { name in kinds.map { "\(name)\(part.count)\(part)\($0)" } }
            if index < path.count - 1 { names = names.filter { _typeByName($0) != nil } }
        }
        return names.lazy.compactMap { _typeByName($0) as? AnyClass }.first
    }
}
#endif
