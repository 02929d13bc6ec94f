import Foundation

extension CoreDataError {
    /// An error about a file that can't be read: Apple's code for the reason where the system told one.
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

    /// An error about a file that can't be written: Apple's code for the reason where the system told one.
    ///
    /// - Parameters:
    ///   - sentence: What could not be done, naming the file.
    ///   - path: The file.
    ///   - cause: What failed. An error of the engine, which has a sentence of its own, is given back as it is.
    static func writing(_ sentence: String, path: String, cause: any Error) -> CocoaError {
        if let error = cause as? CocoaError, error.userInfo[NSLocalizedDescriptionKey] != nil { return error }
        let told: String
        let code = writeCode(of: cause)
        switch code {
        case .fileWriteOutOfSpace: told = " The disk is full; make room and try again."
        case .fileWriteNoPermission: told = " There is no permission to write."
        case .fileWriteVolumeReadOnly: told = " The disk is read-only."
        default:
            let reason = SystemError.number(of: cause).map { SystemError.reason($0) }
            told = reason.map { " The reason: \($0). Check the disk and try again." } ?? ""
        }
        return make(code.rawValue, sentence + told, path: path, underlying: cause)
    }

    private static func writeCode(of cause: any Error) -> CocoaError.Code {
        let told: [CocoaError.Code] = [.fileWriteOutOfSpace, .fileWriteNoPermission, .fileWriteVolumeReadOnly]
        if let code = (cause as? CocoaError)?.code, told.contains(code) { return code }
        return switch SystemError.number(of: cause) {
        case ENOSPC, EDQUOT, EFBIG: .fileWriteOutOfSpace
        case EACCES, EPERM: .fileWriteNoPermission
        case EROFS: .fileWriteVolumeReadOnly
        default: .fileWriteUnknown
        }
    }
}
