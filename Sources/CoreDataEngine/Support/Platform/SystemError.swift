import Foundation

/// Errors of the system's calls.
enum SystemError {
    /// The error that the system gave last, to be called right after the call that failed.
    static func last() -> any Error { NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
}
