/// What classes are in memory.
enum ClassLayout {
    /// Whether code that was compiled for one class finds what it expects in objects of another: both inherit from a class
    /// to which the first adds neither stored properties nor methods that are looked up in the class's table.
    ///
    /// False where it isn't known.
    static func isInterchangeable(_ declared: AnyClass, with actual: AnyClass) -> Bool {
        #if PORTABLE || canImport(ObjectiveC)
        return false
        #else
        guard MemoryLayout<UInt>.size == 8 else { return false }
        var ancestor: AnyClass? = declared
        while let type = ancestor, !isKind(actual, of: type) { ancestor = _getSuperclass(type) }
        guard let ancestor else { return false }
        return sizes(of: declared) == sizes(of: ancestor)
        #endif
    }

    private static func isKind(_ type: AnyClass, of other: AnyClass) -> Bool {
        var current: AnyClass? = type
        while let type = current {
            if type == other { return true }
            current = _getSuperclass(type)
        }
        return false
    }

    /// The size of objects, and that of the metadata with the table of methods. They follow kind, superclass and flags; 32
    /// bits each, with other numbers in the upper half of both words.
    private static func sizes(of type: AnyClass) -> [UInt32] {
        let words = unsafeBitCast(type, to: UnsafePointer<UInt>.self)
        return [3, 4].map { UInt32(truncatingIfNeeded: words[$0]) }
    }
}
