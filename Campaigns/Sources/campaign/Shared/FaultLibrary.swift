import CampaignCore
import Foundation
import Glibc

/// The library that lets system calls fail, in processes that it was loaded into.
enum FaultLibrary {
    /// The file of the library, beside the program.
    static func file(beside program: URL) throws -> URL {
        let url = program.deletingLastPathComponent().appendingPathComponent("libFaultInjection.so")
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw CampaignFailure("The library that lets calls fail is not built", url.path)
        }
        return url
    }

    private static func symbol<T>(_ name: String, as type: T.Type) -> T? {
        guard let address = dlsym(nil, name) else { return nil }
        return unsafeBitCast(address, to: type)
    }

    /// Says which files' calls fail and how, in a process that was started before that was known.
    static func configure(_ folder: String, effect: String, isForever: Bool) {
        symbol(
            "fault_injection_configure",
            as: (@convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, Int32) -> Void).self)?(
                folder, effect, isForever ? 1 : 0)
    }

    /// Error numbers that calls gave.
    struct Errors: OptionSet {
        let rawValue: UInt32

        static let inputOutput = Errors(rawValue: 1)
        static let noSpace = Errors(rawValue: 2)
        static let other = Errors(rawValue: 4)
    }

    /// Those that were given since arming: where more than one call fails, any of them may be what an error tells of.
    static var errors: Errors {
        Errors(rawValue: symbol("fault_injection_errors", as: (@convention(c) () -> UInt32).self)?() ?? 0)
    }

    /// Counts calls from now on and lets the n-th fail; none with 0.
    static func arm(_ call: Int) { symbol("fault_injection_arm", as: (@convention(c) (Int) -> Void).self)?(call) }

    /// Lets all calls do what they should.
    static func disarm() { symbol("fault_injection_disarm", as: (@convention(c) () -> Void).self)?() }

    /// How many calls there were since arming.
    static var count: Int { symbol("fault_injection_count", as: (@convention(c) () -> Int).self)?() ?? 0 }

    /// Whether a call failed since arming.
    static var hasFired: Bool { (symbol("fault_injection_fired", as: (@convention(c) () -> Int32).self)?() ?? 0) != 0 }

    /// Writes a number into the log of changes.
    static func mark(_ number: Int64) {
        symbol("fault_injection_mark", as: (@convention(c) (Int) -> Void).self)?(Int(number))
    }
}
