import CoreDataPlatform

/// The errors of making a model of classes.
enum BlueprintError {
    static func make(_ sentence: String, underlying: (any Error)? = nil) -> CocoaError {
        CoreDataError.make(NSCoreDataError, sentence, underlying: underlying)
    }
}
