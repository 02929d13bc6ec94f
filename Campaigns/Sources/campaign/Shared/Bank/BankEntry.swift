import Foundation
import OpenCoreData
import Synchronization

/// An entry that overrides what applications override, and reads and writes itself there.
class BankEntry: NSManagedObject {
    private static let calls = Mutex<[String: Int]>([:])

    /// How often each override was called since the last time.
    static func takeCalls() -> [String: Int] {
        calls.withLock { calls in
            let counts = calls
            calls = [:]
            return counts
        }
    }

    private static func note(_ name: String) { calls.withLock { $0[name, default: 0] += 1 } }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        Self.note("awakeFromInsert")
        setPrimitiveValue(Int64(0), forKey: "amount")
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        Self.note("awakeFromFetch")
        _ = primitiveValue(forKey: "number")
        _ = value(forKey: "date")
    }

    override func willSave() {
        super.willSave()
        Self.note("willSave")
        guard !isDeleted else { return }
        _ = value(forKey: "account")
        // Once: a change asks for another round.
        if primitiveValue(forKey: "real") == nil { setPrimitiveValue(Float(1), forKey: "real") }
    }

    override func didSave() {
        super.didSave()
        Self.note("didSave")
        if !isDeleted { _ = value(forKey: "amount") }
    }

    override func prepareForDeletion() {
        super.prepareForDeletion()
        Self.note("prepareForDeletion")
        _ = (value(forKey: "account") as? NSManagedObject)?.value(forKey: "name")
    }

    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        Self.note("willTurnIntoFault")
    }

    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        Self.note("didTurnIntoFault")
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        Self.note("validateForUpdate")
        _ = value(forKey: "memo")
    }
}
