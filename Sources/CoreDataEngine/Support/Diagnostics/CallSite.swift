import Foundation

#if DEBUG && os(Linux) && canImport(Runtime)
    import Runtime
#endif

/// The place in the application's source that led to the engine, as far as it can be told.
///
/// Needs a debug build on Linux with Swift 6.2 or later: other builds carry no lines, and finding names would mean to link
/// the toolchain's backtrace library into every program. Without debug information (`-gnone`, a stripped file) it is the
/// name of the function.
struct CallSite: Hashable, Sendable {
    /// `File.swift:42`, or a function's name; nil where it is not known.
    var text: String?

    /// Finds the caller of the engine. Takes a second or two for each new stack in a large program.
    ///
    /// - Parameter property: The property whose accessor may stand between; the place is then who called the accessor.
    @inline(never)
    static func current(behindAccessorOf property: String?) -> CallSite {
        #if DEBUG && os(Linux) && canImport(Runtime)
            return CallSiteFinder.shared.current(behindAccessorOf: property)
        #else
            return CallSite(text: nil)
        #endif
    }
}

/// A stack as it was somewhere, of which the place can be found later and on another thread. To take it is quick.
struct CapturedStack: Sendable {
    #if DEBUG && os(Linux) && canImport(Runtime)
        private let trace: Backtrace?

        /// Takes the caller's stack.
        @inline(never)
        static func current() -> CapturedStack { CapturedStack(trace: CallSiteFinder.capture()) }

        /// The caller of the engine. Takes a second or two in a large program.
        var site: CallSite { CallSite(text: trace.flatMap { CallSiteFinder.place(in: $0, property: nil) }) }
    #else
        static func current() -> CapturedStack { CapturedStack() }

        var site: CallSite { CallSite(text: nil) }
    #endif
}

#if DEBUG && os(Linux) && canImport(Runtime)
    import Synchronization

    /// Turns return addresses into places. Each stack is looked up once.
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
            let site = CallSite(text: Self.capture().flatMap { Self.place(in: $0, property: property) })
            known.withLock { sites in
                if sites.count >= Self.mostStacks { sites = [:] }
                sites[stack] = site
            }
            return site
        }

        /// The program and its libraries. Made once: code that is loaded later has no names.
        private static let images = UnmappingGate.looking { ImageMap.capture() }

        static func capture() -> Backtrace? {
            // Not the fast way over frame pointers: code of libraries on the way may have none.
            try? Backtrace.capture(algorithm: .precise, limit: deepest, top: 0, images: images)
        }

        static func place(in trace: Backtrace, property: String?) -> String? {
            guard let symbols = trace.symbolicated(with: images) else { return nil }
            var accessor: String?
            for frame in symbols.frames {
                guard let symbol = frame.symbol, let place = applicationPlace(symbol) else { continue }
                guard let property, isAccessor(symbol.name, of: property) else { return place }
                accessor = accessor ?? place
            }
            return accessor
        }

        /// The place of a frame that is not the engine's, the runtime's or a library's.
        private static func applicationPlace(_ symbol: SymbolicatedBacktrace.Symbol) -> String? {
            if let location = symbol.sourceLocation {
                guard location.line > 0, !location.path.contains("<compiler-generated>") else { return nil }
                if location.path.contains("/Sources/CoreDataEngine/") { return nil }
                let name = URL(fileURLWithPath: location.path).lastPathComponent
                return "\(name):\(location.line)"
            }
            let raw = symbol.rawName
            guard raw.hasPrefix("$s"), !Self.libraries.contains(where: { raw.hasPrefix($0) }) else { return nil }
            guard !["TA", "TR", "TW", "To"].contains(where: { raw.hasSuffix($0) }) else { return nil }
            return symbol.name
        }

        /// Beginnings of the mangled names of the engine, the standard library, Foundation and Dispatch.
        private static let libraries = [
            "$s14CoreDataEngine", "$ss", "$sS", "$s10Foundation", "$s20FoundationEssentials", "$s8Dispatch",
            "$s7Runtime",
        ]

        private static func isAccessor(_ name: String, of property: String) -> Bool {
            [".getter", ".read", ".modify", "._modify"].contains { name.contains(".\(property)\($0)") }
        }
    }
#endif
