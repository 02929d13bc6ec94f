import Foundation

/// Plain memory of the C library.
enum Memory {
    /// Memory for `count` elements that begins with what was in `pointer`.
    static func resized<Element: BitwiseCopyable>(_ pointer: UnsafeMutablePointer<Element>?, to count: Int)
        -> UnsafeMutablePointer<Element>
    {
        guard let memory = realloc(pointer, max(count, 1) * MemoryLayout<Element>.stride) else {
            fatalError("There isn't enough memory for \(count) values of a fetch.")
        }
        return memory.assumingMemoryBound(to: Element.self)
    }
}
