import OpenCoreDataKit

final class Ticket: NSManagedObject {
    static let seatProperty = ManagedProperty<String>("seat")
    static let issuedProperty = ManagedProperty<Date?>("issued")

    var seat: String {
        get { self[Ticket.seatProperty] }
        set { self[Ticket.seatProperty] = newValue }
    }

    var issued: Date? {
        get { self[Ticket.issuedProperty] }
        set { self[Ticket.issuedProperty] = newValue }
    }

    convenience init(seat: String, in context: NSManagedObjectContext) {
        self.init(context: context)
        self.seat = seat
    }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        issued = Date()
    }
}

final class Seat: NSManagedObject {
    /// Isn't stored.
    let loaded: Date

    override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        loaded = Date()
        super.init(entity: entity, insertInto: context)
    }
}

func makeTicketModel() -> NSManagedObjectModel {
    let seat = NSAttributeDescription()
    (seat.name, seat.attributeType, seat.defaultValue) = ("seat", .stringAttributeType, "")
    let issued = NSAttributeDescription()
    (issued.name, issued.attributeType, issued.isOptional) = ("issued", .dateAttributeType, true)
    let ticket = NSEntityDescription()
    (ticket.name, ticket.managedObjectClassName) = ("Ticket", NSStringFromClass(Ticket.self))
    ticket.properties = [seat, issued]
    let place = NSEntityDescription()
    (place.name, place.managedObjectClassName) = ("Seat", NSStringFromClass(Seat.self))
    let model = NSManagedObjectModel()
    model.entities = [ticket, place]
    return model
}
