/// Where text of any length goes, piece by piece.
package protocol TextOutput: AnyObject {
    /// Writes what programs read: exactly as it is.
    func write(_ string: String) throws

    /// Writes UTF-8 that programs read.
    func write(_ bytes: [UInt8]) throws

    /// Writes lines that programs read, with what ends the last one.
    func write(lines string: String, end: String) throws
}

/// Called again and again by what takes long, with how much is done of how much; an error that it throws ends the work.
package typealias ProgressHandler = (_ done: Int, _ total: Int) throws -> Void
