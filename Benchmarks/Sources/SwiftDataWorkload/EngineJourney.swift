import Foundation
import OpenCoreData

/// A journey as generated model code would declare it.
final class EngineJourney: NSManagedObject {
    static let nameProperty = ManagedProperty<String>("name")
    static let daysProperty = ManagedProperty<Int64>("days")
    static let costProperty = ManagedProperty<Double>("cost")
    static let startProperty = ManagedProperty<Date>("start")
    static let isBookedProperty = ManagedProperty<Bool>("isBooked")
    static let codeProperty = ManagedProperty<UUID?>("code")
    static let guideProperty = ManagedProperty<EngineGuide?>("guide")

    var name: String {
        get { self[EngineJourney.nameProperty] }
        set { self[EngineJourney.nameProperty] = newValue }
    }
    var days: Int64 {
        get { self[EngineJourney.daysProperty] }
        set { self[EngineJourney.daysProperty] = newValue }
    }
    var cost: Double {
        get { self[EngineJourney.costProperty] }
        set { self[EngineJourney.costProperty] = newValue }
    }
    var start: Date {
        get { self[EngineJourney.startProperty] }
        set { self[EngineJourney.startProperty] = newValue }
    }
    var isBooked: Bool {
        get { self[EngineJourney.isBookedProperty] }
        set { self[EngineJourney.isBookedProperty] = newValue }
    }
    var code: UUID? {
        get { self[EngineJourney.codeProperty] }
        set { self[EngineJourney.codeProperty] = newValue }
    }
    var guide: EngineGuide? {
        get { self[EngineJourney.guideProperty] }
        set { self[EngineJourney.guideProperty] = newValue }
    }
}

final class EngineGuide: NSManagedObject {
    static let nameProperty = ManagedProperty<String>("name")
    static let ageProperty = ManagedProperty<Int64>("age")

    var name: String {
        get { self[EngineGuide.nameProperty] }
        set { self[EngineGuide.nameProperty] = newValue }
    }
    var age: Int64 {
        get { self[EngineGuide.ageProperty] }
        set { self[EngineGuide.ageProperty] = newValue }
    }
}
