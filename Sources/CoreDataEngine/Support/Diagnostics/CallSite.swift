import Foundation

#if DEBUG && os(Linux) && canImport(Runtime)
import Runtime
#endif

/// The location in the application's source that led to the engine, as far as it is known.
///
/// Needs a debug build on Linux with Swift 6.2 or later: other builds carry no lines, and finding names would mean to
/// link the toolchain's backtrace library into every program. Without debug information (`-gnone`, a stripped file) it
/// is the name of the function.
struct CallSite: Hashable, Sendable {
    /// `File.swift:42`, or a function's name; nil where it is not known.
    var location: String?

    /// Finds the caller of the engine. Takes up to half a second for each new stack in a large program, the first time
    /// more.
    ///
    /// - Parameter property: The property whose accessor may stand between; the location is then who called the
    ///   accessor.
    @inline(never)
    static func current(behindAccessorOf property: String?) -> CallSite {
        #if DEBUG && os(Linux) && canImport(Runtime)
        return CallSiteFinder.shared.current(behindAccessorOf: property)
        #else
        return CallSite(location: nil)
        #endif
    }
}

#if DEBUG && os(Linux) && canImport(Runtime)
import Synchronization

/// Turns return addresses into locations. Each stack is looked up once.
private final class CallSiteFinder: Sendable {
    static let shared = CallSiteFinder()
    private static let deepest = 48
    private static let mostStacks = 10_000

    private struct Stack: Hashable {
        let addresses: [UInt]
        let property: String?
    }

    private let known = Mutex<[Stack: CallSite]>([:])

    func current(behindAccessorOf property: String?) -> CallSite {
        // Addresses alone cost microseconds; a backtrace that can be turned into names costs milliseconds.
        let addresses = Thread.callStackReturnAddresses.prefix(Self.deepest).map(\.uintValue)
        let stack = Stack(addresses: addresses, property: property)
        if let site = known.withLock({ $0[stack] }) { return site }
        let site = CallSite(location: Self.location(behindAccessorOf: property))
        known.withLock { sites in
            if sites.count >= Self.mostStacks { sites = [:] }
            sites[stack] = site
        }
        return site
    }

    /// The program and its libraries. Made once: code that is loaded later has no names.
    private static let images = UnmappingGate.looking { ImageMap.capture() }

    /// Some frames of the caller's stack.
    @inline(never)
    private static func capture(from offset: Int, limit: Int) -> Backtrace? {
        // Not the fast way over frame pointers: code of libraries on the way may have none.
        try? Backtrace.capture(algorithm: .precise, limit: limit, offset: offset, top: 0, images: images)
    }

    /// The names of a whole stack are found in microseconds. The line of one frame takes a hundred thousand times
    /// as long, so it is looked up where the name may be that of the location.
    @inline(never)
    private static func location(behindAccessorOf property: String?) -> String? {
        let names = capture(from: 0, limit: deepest)?.symbolicated(with: images, options: [])?.frames ?? []
        var accessor: String?
        for (index, frame) in names.enumerated() {
            guard let symbol = frame.symbol, MangledName(symbol.rawName).mayBeOfApplication else { continue }
            // Taken by the same function as the names, the frame has the same index. One more is the mark of the
            // end.
            let taken = capture(from: index, limit: 2)?.symbolicated(with: images, options: [.showSourceLocations])
            guard let location = location(of: taken?.frames.first?.symbol ?? symbol) else { continue }
            guard let property, isAccessor(symbol.name, of: property) else { return location }
            accessor = accessor ?? location
        }
        return accessor
    }

    /// The location of a frame that is not the engine's, the runtime's or a library's.
    private static func location(of symbol: SymbolicatedBacktrace.Symbol) -> String? {
        guard let location = symbol.sourceLocation else {
            return MangledName(symbol.rawName).isOfApplication ? symbol.name : nil
        }
        guard location.line > 0, !location.path.contains("<compiler-generated>") else { return nil }
        if location.path.contains("/Sources/CoreDataEngine/") { return nil }
        return "\(URL(fileURLWithPath: location.path).lastPathComponent):\(location.line)"
    }

    private static func isAccessor(_ name: String, of property: String) -> Bool {
        [".getter", ".read", ".modify", "._modify"].contains { name.contains(".\(property)\($0)") }
    }
}

/// What the name of a function in the program says about where it comes from.
private struct MangledName {
    private static let engine = "$s14CoreDataEngine"
    /// Beginnings of the names of the standard library, Foundation and Dispatch.
    private static let libraries = [
        "$ss", "$sS", "$s10Foundation", "$s20FoundationEssentials", "$s8Dispatch", "$s7Runtime",
    ]
    private static let thunks = ["TA", "TR", "TW", "To"]

    private let name: String

    init(_ name: String) { self.name = name }

    /// Whether it is a function of the application for sure.
    var isOfApplication: Bool { isFunction && !name.hasPrefix(Self.engine) && !isOfLibrary }

    /// Whether it can be one; the line shows.
    var mayBeOfApplication: Bool {
        if name == "main" { return true }
        guard isFunction else { return false }
        if name.hasPrefix(Self.engine) { return mayBeExtension(name.dropFirst(Self.engine.count)) }
        // An E is in the name of an extension.
        return !isOfLibrary || name.contains("E")
    }

    private var isFunction: Bool {
        name.hasPrefix("$s") && !Self.thunks.contains { name.hasSuffix($0) }
    }

    private var isOfLibrary: Bool { Self.libraries.contains { name.hasPrefix($0) } }

    /// Whether another module's extension of the engine's types may declare it: its name then follows that of the
    /// type, and an E.
    private func mayBeExtension(_ name: Substring) -> Bool {
        var rest = name
        while let first = rest.first, first.isNumber {
            // A name that repeats words of an earlier one.
            if first == "0" { return true }
            let digits = rest.prefix(while: \.isNumber)
            rest = rest.dropFirst(digits.count + (Int(digits) ?? 0))
            guard let kind = rest.first else { return false }
            if kind == "E" { return true }
            guard "CVOP".contains(kind) else { return false }
            rest = rest.dropFirst()
        }
        return false
    }
}
#endif
