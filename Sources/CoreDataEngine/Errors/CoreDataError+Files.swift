import Foundation

extension CoreDataError {
    /// An error about a file that can't be read: Apple's code for the reason where the system gave one.
    ///
    /// - Parameters:
    ///   - sentence: What could not be read, naming the file, without a period.
    ///   - path: The file.
    ///   - cause: What failed. An error of the engine, which has a sentence of its own, is given back as it is.
    static func reading(_ sentence: String, path: String, cause: any Error) -> CocoaError {
        if let error = cause as? CocoaError, error.userInfo[NSLocalizedDescriptionKey] != nil { return error }
        let number = SystemError.number(of: cause)
        let code: CocoaError.Code =
            switch number ?? 0 {
            case ENOENT, ENOTDIR: .fileReadNoSuchFile
            case EACCES, EPERM: .fileReadNoPermission
            default: (cause as? CocoaError)?.code ?? .fileReadUnknown
            }
        let reason = number.map { ": \(SystemError.reason($0))." } ?? "."
        return make(code.rawValue, sentence + reason, path: path, underlying: cause)
    }

    /// An error about a file that can't be written: Apple's code for the reason where the system gave one.
    ///
    /// - Parameters:
    ///   - sentence: What could not be done, naming the file.
    ///   - path: The file.
    ///   - cause: What failed. An error of the engine, which has a sentence of its own, is given back as it is.
    static func writing(_ sentence: String, path: String, cause: any Error) -> CocoaError {
        if let error = cause as? CocoaError, error.userInfo[NSLocalizedDescriptionKey] != nil { return error }
        let detail: String
        let code = writeCode(of: cause)
        switch code {
        case .fileWriteOutOfSpace: detail = " The disk is full; make room and try again."
        case .fileWriteNoPermission: detail = " There is no permission to write."
        case .fileWriteVolumeReadOnly: detail = " The disk is read-only."
        default:
            let reason =
                SystemError.number(of: cause).map { SystemError.reason($0) }
                ?? (cause as? RegularFile.Other)?.errorDescription
            detail = reason.map { " The reason: \($0). Check the disk and try again." } ?? ""
        }
        return make(code.rawValue, sentence + detail, path: path, underlying: cause)
    }

    private static func writeCode(of cause: any Error) -> CocoaError.Code {
        let known: [CocoaError.Code] = [.fileWriteOutOfSpace, .fileWriteNoPermission, .fileWriteVolumeReadOnly]
        if let code = (cause as? CocoaError)?.code, known.contains(code) { return code }
        return switch SystemError.number(of: cause) {
        case ENOSPC, EDQUOT, EFBIG: .fileWriteOutOfSpace
        case EACCES, EPERM: .fileWriteNoPermission
        case EROFS: .fileWriteVolumeReadOnly
        default: .fileWriteUnknown
        }
    }
}
