#if CommandLineTool
import ArgumentParser
import Foundation
import OpenCoreData
import StoreTools

/// What becomes of values that their attributes' types can't have.
struct DamageArguments: ParsableArguments {
    @Flag(help: "Read damaged values as null, with a warning for each, instead of failing.")
    var lenient = false

    /// Runs what reads the objects of a store.
    func reading<Result>(_ session: StoreSession, _ body: () throws -> Result) throws -> Result {
        if lenient { try session.perform { $0.tolerateDamage() } }
        do {
            let result = try body()
            try warn(session)
            return result
        } catch let error as CocoaError where error.code == .fileReadCorruptFile && !lenient {
            throw ToolFailure(
                "\(error.localizedDescription) With --lenient, such values are read as null.", cause: error)
        }
    }

    private func warn(_ session: StoreSession) throws {
        let damage = try session.perform { $0.toleratedDamage }
        for sentence in damage.sentences { StandardError.writeLine("opencoredata: warning: \(sentence)") }
        if damage.furtherCount > 0 {
            StandardError.writeLine("opencoredata: warning: \(damage.furtherCount) more values are damaged.")
        }
    }
}
#endif
