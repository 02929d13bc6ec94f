import EngineShims
import Foundation

/// Foretells where in memory identifiers stand, from those that were looked up.
///
/// Identifiers that were made one after the other in the order of their references stand at even distances, in runs: in a
/// heap that was used before each gap begins another one. Of each part of a table's references this keeps where the run of
/// the last identifier would have its beginning. What it says wrongly costs a needless access, and nothing else.
struct IdentifierRuns: ~Copyable {
    private static let partCount = 512
    /// By part: the address that an identifier with the reference 0 would have; 0 where none was looked up.
    private var origins: UnsafeMutablePointer<UInt>?
    /// A part has the references that are the same but for their lowest bits, of which this is the number.
    private var shift: Int64 = 0
    private var address: UInt = 0
    private var lastBytes = 0
    private var lastStep: Int64 = 0
    /// The bytes from an identifier to that of the next reference.
    private var spacing = 0
    private var origin: UInt = 0

    deinit { free(origins) }

    /// Notes where an identifier stands that is `step` references after the last.
    @inline(__always)
    mutating func note(_ id: NSManagedObjectID, step: Int64) {
        let address = UInt(bitPattern: Unmanaged.passUnretained(id).toOpaque())
        let bytes = Int(bitPattern: address &- self.address)
        self.address = address
        if bytes == lastBytes, step == lastStep, step != 0, bytes != Int(truncatingIfNeeded: step) &* spacing {
            spacing = bytes.dividedReportingOverflow(by: Int(truncatingIfNeeded: step)).partialValue
        }
        lastBytes = bytes
        lastStep = step
    }

    /// Keeps the run of the identifier that was noted last, in a table with references from 1 to `last`.
    @inline(__always)
    mutating func keep(_ reference: Int64, last: Int64) {
        origin = address &- offset(reference)
        if origins == nil || last &>> shift >= Self.partCount { cover(last) }
        if let part = part(reference) { origins?[part] = origin }
    }

    /// Has the identifier with a reference brought to the processor.
    @inline(__always)
    func prefetch(_ reference: Int64) {
        let known = part(reference).flatMap { origins?[$0] } ?? 0
        engine_prefetch(UnsafeRawPointer(bitPattern: (known == 0 ? origin : known) &+ offset(reference)))
    }

    @inline(__always)
    private func offset(_ reference: Int64) -> UInt {
        UInt(bitPattern: Int(truncatingIfNeeded: reference) &* spacing)
    }

    @inline(__always)
    private func part(_ reference: Int64) -> Int? {
        let part = UInt64(bitPattern: reference) &>> UInt64(bitPattern: shift)
        return part < UInt64(Self.partCount) ? Int(part) : nil
    }

    @inline(never)
    private mutating func cover(_ last: Int64) {
        while last &>> shift >= Self.partCount { shift += 1 }
        if origins == nil { origins = Memory.resized(nil, to: Self.partCount) }
        origins?.initialize(repeating: 0, count: Self.partCount)
    }
}
