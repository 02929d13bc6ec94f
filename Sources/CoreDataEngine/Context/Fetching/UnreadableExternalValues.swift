import Foundation

/// The values of a context's objects that can't be read, because they are damaged or their external files are missing.
///
/// Reading one returns `nil`. The next fetch throws an error, and so does each save until the value can be read, or the
/// object has a new value, is deleted, refreshed or released: what the program has made of a missing value must not be
/// written.
struct UnreadableExternalValues {
    private struct Entry {
        let object: NSManagedObject
        let slot: SlotLayout
        let error: CocoaError
        var isReported = false

        var isSettled: Bool {
            object.table == nil || object.state.isDeleted || object.state.isFault || object.hasEdit(slot.index)
                || object.readableRowValue(slot.index) != nil
        }
    }

    private var entries: [Entry] = []
    /// The number of failed reads, for callers that have to know whether one occurred in between.
    private(set) var reads = 0
    /// What the last of these reads met.
    private(set) var lastError: CocoaError?
    /// What is damaged reads as nothing, for tools that show what can be shown.
    fileprivate(set) var toleratesDamage = false
    fileprivate var tolerated = ToleratedDamage()

    mutating func record(_ object: NSManagedObject, _ slot: SlotLayout, _ error: CocoaError) {
        if toleratesDamage, error.code == .fileReadCorruptFile {
            // The sentence about the value, without the object that it was asked of.
            return tolerated.append((error.underlying ?? error).localizedDescription)
        }
        recordKept(object, slot, error)
    }

    /// Notes a value that saves must not replace by nothing, whether damage is tolerated or not.
    mutating func recordKept(_ object: NSManagedObject, _ slot: SlotLayout, _ error: CocoaError) {
        recordRead(error)
        guard !entries.contains(where: { $0.object === object && $0.slot === slot }) else { return }
        entries.append(Entry(object: object, slot: slot, error: error))
    }

    /// Notes a value that is gone with its object.
    mutating func recordRead(_ error: CocoaError) {
        reads += 1
        lastError = error
    }

    mutating func removeAll() { entries = [] }

    /// Throws for the first value that still can't be read.
    ///
    /// - Parameter isReplaced: Whether a value is about to be replaced.
    mutating func throwIfAny(besides isReplaced: (NSManagedObject, SlotLayout) -> Bool = { _, _ in false }) throws {
        guard !entries.isEmpty else { return }
        entries.removeAll { $0.isSettled }
        if let first = entries.first(where: { !isReplaced($0.object, $0.slot) }) { throw first.error }
    }

    /// Throws for the first value that still can't be read, once for each.
    mutating func throwIfNew() throws {
        guard !entries.isEmpty else { return }
        entries.removeAll { $0.isSettled }
        let first = entries.first { !$0.isReported }
        for index in entries.indices { entries[index].isReported = true }
        if let first { throw first.error }
    }
}

/// Damaged values that were read as `nil` because the caller tolerates damage.
package struct ToleratedDamage {
    /// More are counted, but not described.
    private static let limit = 100

    /// What is damaged, a sentence for each value.
    package private(set) var sentences: [String] = []
    /// How many more there are.
    package var furtherCount: Int { known.count - sentences.count }
    private var known: Set<String> = []

    fileprivate mutating func append(_ sentence: String) {
        guard known.insert(sentence).inserted, sentences.count < Self.limit else { return }
        sentences.append(sentence)
    }
}

extension NSManagedObjectContext {
    /// Throws what could not be reported to callers that can't throw: that a fault could not be filled, or a value not
    /// be read.
    final func throwReadError() throws {
        try throwUnreported()
        try unreadable.throwIfNew()
    }

    /// How often a value was requested whose file could not be read, for tools.
    package final var unreadableReads: Int { unreadable.reads }

    /// Throws when rows that a caller asked for have damaged values.
    final func requireSound(_ slab: RowSlab) throws {
        guard let damage = slab.damage else { return }
        guard unreadable.toleratesDamage else {
            if let first = damage.first { throw first.error }
            return
        }
        for value in damage.all where !value.isForeign { unreadable.tolerated.append(value.sentence) }
    }

    /// Throws when an object's row has damaged values that were not replaced.
    final func requireSoundRow(of object: NSManagedObject) throws {
        guard let slab = object.slab, let damage = slab.damage else { return }
        for (slot, value) in damage.of(row: Int(object.row)).sorted(by: { $0.slot < $1.slot })
        where !object.hasEdit(slot) && !value.isForeign {
            guard unreadable.toleratesDamage else { throw value.error }
            unreadable.tolerated.append(value.sentence)
        }
    }

    /// Lets damaged values read as nothing from now on, for tools.
    package final func tolerateDamage() { unreadable.toleratesDamage = true }

    /// What was read as nothing although something is stored, for tools.
    package final var toleratedDamage: ToleratedDamage { unreadable.tolerated }

    /// Throws when a value was requested that is damaged, or whose file can't be read, unless it is missing: for tools,
    /// which print a missing one as nothing, but nothing in the place of damage, a link, a pipe or a file of another owner.
    package final func requireOwnValueFiles() throws {
        if let error = unreadable.lastError, error.code != .fileReadNoSuchFile { throw error }
    }

    /// Throws when a value that an object of this context was asked for can't be read.
    final func requireReadableValues() throws { try unreadable.throwIfAny() }

    /// Runs a block that reads values in order to write them.
    ///
    /// - Parameter isStrict: Whether a value that could not be read matters although its object is not to have it any
    ///   more.
    /// - Throws: What the block threw, or that a value could not be read.
    final func requiringReadableValues(isStrict: Bool = false, _ body: () throws -> Void) throws {
        let before = unreadable.reads
        var failure: (any Error)?
        do { try body() } catch { failure = error }
        if unreadable.reads != before {
            // Whatever else is wrong with the objects may come of it.
            try requireReadableValues()
            if isStrict, let error = unreadable.lastError { throw error }
        }
        if let failure { throw failure }
    }
}
