import Foundation

/// The errors of reading, checking and writing models. Each sentence names the element;
/// ``located(at:_:)`` adds the file.
enum ModelError {
    /// The bytes are not what the format demands.
    static func corrupt(_ sentence: String, underlying: (any Error)? = nil) -> CocoaError {
        CoreDataError.make(CocoaError.Code.fileReadCorruptFile.rawValue, sentence, underlying: underlying)
    }

    /// The file is well formed, but its content is no consistent model.
    static func invalid(_ sentence: String) -> CocoaError {
        CoreDataError.make(NSCoreDataError, sentence)
    }

    /// The file is of a kind that is not read.
    static func unsupported(_ sentence: String) -> CocoaError {
        CoreDataError.make(CocoaError.Code.featureUnsupported.rawValue, sentence)
    }

    /// There is no such file.
    static func missing(_ sentence: String) -> CocoaError {
        CoreDataError.make(CocoaError.Code.fileReadNoSuchFile.rawValue, sentence)
    }

    /// The error with the path of the file that it is about.
    static func located(_ error: CocoaError, at url: URL) -> CocoaError {
        let sentence = error.userInfo[NSLocalizedDescriptionKey] as? String ?? error.localizedDescription
        return CoreDataError.make(error.code.rawValue, sentence, path: url.path, userInfo: error.userInfo)
    }

    /// Runs what reads or writes a file, and puts the file's path into every error.
    static func located<Result>(at url: URL, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as CocoaError {
            if error.userInfo[NSFilePathErrorKey] != nil, error.userInfo[NSLocalizedDescriptionKey] != nil {
                throw error
            }
            let sentence = error.userInfo[NSLocalizedDescriptionKey] as? String ?? error.localizedDescription
            throw CoreDataError.make(
                error.code.rawValue, "\(url.lastPathComponent): \(sentence)", path: url.path,
                underlying: error.userInfo[NSUnderlyingErrorKey] as? any Error ?? error, userInfo: error.userInfo)
        } catch {
            throw CoreDataError.make(
                CocoaError.Code.fileReadUnknown.rawValue, "\(url.lastPathComponent): \(error.localizedDescription)",
                path: url.path, underlying: error)
        }
    }
}
