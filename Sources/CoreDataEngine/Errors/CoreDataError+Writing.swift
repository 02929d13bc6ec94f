import Foundation

extension CoreDataError {
    /// An error about a file that can't be written: Apple's code for the reason where the system told one.
    ///
    /// - Parameters:
    ///   - sentence: What could not be done, naming the file.
    ///   - path: The file.
    ///   - cause: What failed. An error of the engine, which has a sentence of its own, is given back as it is.
    static func writing(_ sentence: String, path: String, cause: any Error) -> CocoaError {
        if let error = cause as? CocoaError, error.userInfo[NSLocalizedDescriptionKey] != nil { return error }
        switch writeCode(of: cause) {
        case .fileWriteOutOfSpace:
            return make(
                CocoaError.Code.fileWriteOutOfSpace.rawValue, sentence + " The disk is full; make room and try again.",
                path: path,
                underlying: cause)
        case .fileWriteNoPermission:
            return make(
                CocoaError.Code.fileWriteNoPermission.rawValue, sentence + " There is no permission to write.",
                path: path, underlying: cause)
        case .fileWriteVolumeReadOnly:
            return make(
                CocoaError.Code.fileWriteVolumeReadOnly.rawValue, sentence + " The disk is read-only.", path: path,
                underlying: cause)
        default:
            return make(CocoaError.Code.fileWriteUnknown.rawValue, sentence, path: path, underlying: cause)
        }
    }

    private static func writeCode(of cause: any Error) -> CocoaError.Code {
        let error = cause as NSError
        let told: [CocoaError.Code] = [.fileWriteOutOfSpace, .fileWriteNoPermission, .fileWriteVolumeReadOnly]
        if let code = (cause as? CocoaError)?.code, told.contains(code) { return code }
        if error.domain == NSPOSIXErrorDomain {
            switch Int32(error.code) {
            case ENOSPC, EDQUOT, EFBIG: return .fileWriteOutOfSpace
            case EACCES, EPERM: return .fileWriteNoPermission
            case EROFS: return .fileWriteVolumeReadOnly
            default: return .fileWriteUnknown
            }
        }
        guard let underlying = error.userInfo[NSUnderlyingErrorKey] as? any Error else { return .fileWriteUnknown }
        return writeCode(of: underlying)
    }
}
