import Foundation

/// An error that represents one of the system's calls.
protocol SystemNumbered: Error {
    /// The system's number (`errno`); `nil` if the error isn't the system's.
    var systemNumber: Int32? { get }
}

/// Errors of the system's calls.
enum SystemError {
    /// The error that the system gave last, to be called right after the call that failed.
    static func last() -> any Error { NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }

    /// Why a file could not be read or written, in words that end a sentence: "the disk reported an input/output error".
    static func reason(_ number: Int32) -> String {
        switch number {
        case EIO: "the disk reported an input/output error"
        case ENOSPC: "the disk is full"
        case EDQUOT: "what the user may use of the disk is full"
        case EFBIG: "the file is too large for the disk or the user's limit, which is full"
        case EROFS: "the disk is read-only"
        case EACCES, EPERM: "there is no permission"
        case EMFILE, ENFILE: "too many files are open"
        case ENOMEM: "there is not enough memory"
        default: String(cString: strerror(number))
        }
    }

    /// The same for an error that has a number, or else what the error says.
    static func reason(of error: any Error) -> String {
        number(of: error).map { reason($0) } ?? (error as NSError).localizedDescription
    }

    /// The number that the system gave, in an error or what lies beneath it.
    static func number(of error: any Error) -> Int32? {
        if let error = error as? any SystemNumbered { return error.systemNumber }
        let bridged = error as NSError
        if bridged.domain == NSPOSIXErrorDomain { return Int32(exactly: bridged.code) }
        return (bridged.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap { number(of: $0) }
    }
}
