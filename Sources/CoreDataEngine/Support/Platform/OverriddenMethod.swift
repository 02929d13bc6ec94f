/// Whether a class has its own implementation of a method of one of the engine's open classes.
///
/// Calling a method that isn't overridden is cheap, but making its arguments may not be. Without an override, the
/// method table in a class's metadata has the inherited function. Its index is found with a class that overrides only
/// this method and another that overrides none. If it isn't found, every class is assumed to override the method.
package struct OverriddenMethod: Sendable {
    private let index: Int?
    private let inherited: UInt

    /// - Parameters:
    ///   - base: The class that declares the method.
    ///   - overriding: A subclass that overrides the method and nothing else.
    ///   - plain: A subclass that overrides nothing.
    init(of base: AnyClass, overriding: AnyClass, plain: AnyClass) {
        let declared = Self.words(of: base)
        // What the tables of both subclasses begin with is as long as that of the base.
        let count = [base, overriding, plain].map(Self.wordCount).min() ?? 0
        let indexes = (0..<min(count, Self.wordCount(of: base))).filter { index in
            declared[index] == Self.words(of: plain)[index] && declared[index] != Self.words(of: overriding)[index]
        }
        index = indexes.count == 1 ? indexes[0] : nil
        inherited = index.map { declared[$0] } ?? 0
    }

    /// Whether a class, or one between it and the one that declares the method, overrides it. Says so too when it isn't
    /// known.
    @inline(__always)
    package func isOverridden(by type: AnyClass) -> Bool {
        guard let index else { return true }
        return Self.words(of: type)[index] != inherited
    }

    private static func words(of type: AnyClass) -> UnsafePointer<UInt> {
        unsafeBitCast(type, to: UnsafePointer<UInt>.self)
    }

    /// No class has metadata that is as long: what says so is no such metadata.
    private static let mostWords = 4_096

    /// The number of words of a class's metadata with which those of each subclass begin; 0 if classes are
    /// Objective-C's too and have other metadata, or the metadata isn't known.
    private static func wordCount(of base: AnyClass) -> Int {
        #if PORTABLE || canImport(ObjectiveC)
        return 0
        #else
        // After kind, superclass, flags and sizes of the instance: the size of the metadata, and how much of it is before
        // the address that the class goes by. 32 bits each.
        let sizes = words(of: base)[4]
        let (size, before) = (UInt32(truncatingIfNeeded: sizes), UInt32(truncatingIfNeeded: sizes >> 32))
        guard size > before, MemoryLayout<UInt>.size == 8 else { return 0 }
        let count = Int(size - before) / MemoryLayout<UInt>.stride
        return count <= mostWords ? count : 0
        #endif
    }
}

/// Two methods, either of which a class may have its own implementation of.
struct EitherOverriddenMethod: Sendable {
    private let one: OverriddenMethod
    private let other: OverriddenMethod

    init(_ one: OverriddenMethod, _ other: OverriddenMethod) {
        self.one = one
        self.other = other
    }

    @inline(__always)
    func isOverridden(by type: AnyClass) -> Bool { one.isOverridden(by: type) || other.isOverridden(by: type) }
}
