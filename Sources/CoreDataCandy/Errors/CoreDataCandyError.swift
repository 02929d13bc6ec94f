public import OpenCoreDataKit

/// The errors of the library.
public enum CoreDataCandyError: LocalizedError, Equatable, Sendable {
    /// A stored value could not be turned into the type of the field.
    case outputConversion
    /// A value could not be turned into the type of the attribute.
    case storeConversion
    /// A value breaks a rule of its field.
    case dataValidation(description: String)
    /// Another object has the value of a unique field.
    case existingUnique(field: String, value: String, model: String)
    /// A context could not be saved.
    case unableToSaveContext(reason: String)
    /// An archived object could not be read.
    case nsObjectDecodingError
    /// An error of another kind.
    case unknown

    /// A sentence that describes the error.
    public var errorDescription: String? {
        switch self {
        case .outputConversion: "The stored value can't be converted to the type of the field."
        case .storeConversion: "The value can't be converted to the type of the attribute."
        case .dataValidation(let description): description
        case .existingUnique(let field, let value, let model):
            "The value \"\(value)\" of the field '\(field)' is taken: another \(model) has it."
        case .unableToSaveContext(let reason): "The context can't be saved. \(reason)"
        case .nsObjectDecodingError: "The archived object can't be decoded."
        case .unknown: "An unknown error occurred."
        }
    }
}

extension CoreDataCandyError {
    /// The library's error for any error: itself, or `unknown`.
    init(_ error: any Error) { self = error as? CoreDataCandyError ?? .unknown }

    /// What an error says.
    static func sentence(of error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription ?? "\(error)"
    }
}
