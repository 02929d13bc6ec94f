/// Whether a class has its own implementation of a method of `NSManagedObject`.
///
/// Calling a method that nobody overrides is cheap; making its arguments need not be. The table of methods in a class's
/// metadata has the inherited function where there is no override: its place is found with a class that overrides this one
/// method and another that overrides none. Where it is not found, every class is taken to override.
package struct OverriddenMethod: Sendable {
    private let place: Int?
    private let inherited: UInt

    /// - Parameters:
    ///   - overriding: A subclass that overrides the method and nothing else.
    ///   - plain: A subclass that overrides nothing.
    init(overriding: NSManagedObject.Type, plain: NSManagedObject.Type) {
        let base = Self.words(of: NSManagedObject.self)
        let places = (0..<Self.wordCount).filter { place in
            base[place] == Self.words(of: plain)[place] && base[place] != Self.words(of: overriding)[place]
        }
        place = places.count == 1 ? places[0] : nil
        inherited = place.map { base[$0] } ?? 0
    }

    /// Whether a class, or one between it and `NSManagedObject`, overrides the method. Says so too when it isn't known.
    @inline(__always)
    package func isOverridden(by type: NSManagedObject.Type) -> Bool {
        guard let place else { return true }
        return Self.words(of: type)[place] != inherited
    }

    private static func words(of type: NSManagedObject.Type) -> UnsafePointer<UInt> {
        unsafeBitCast(type, to: UnsafePointer<UInt>.self)
    }

    /// Words of the metadata of `NSManagedObject`, with which those of each subclass begin; 0 where classes are Objective-C's
    /// too and their metadata is another.
    private static var wordCount: Int {
        #if canImport(ObjectiveC)
            return 0
        #else
            // After kind, superclass, flags and sizes of the instance: the size of the metadata, and how much of it is before
            // the address that the class goes by. 32 bits each.
            let sizes = words(of: NSManagedObject.self)[4]
            let (size, before) = (UInt32(truncatingIfNeeded: sizes), UInt32(truncatingIfNeeded: sizes >> 32))
            return size > before ? Int(size - before) / MemoryLayout<UInt>.stride : 0
        #endif
    }
}

extension OverriddenMethod {
    private final class Plain: NSManagedObject {}

    private final class ValidatesValues: NSManagedObject {
        override func validateValue(_ value: inout Any?, forKey key: String) throws {}
    }

    /// `validateValue(_:forKey:)`.
    package static let validateValue = OverriddenMethod(overriding: ValidatesValues.self, plain: Plain.self)
}
