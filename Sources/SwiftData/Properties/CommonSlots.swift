import CoreDataEngine

// The slots of the most common types: what is generic elsewhere is compiled for each of them here, so that reading a
// property takes little more than reading the engine's object.

final class IntSlot: ScalarSlot<Int>, @unchecked Sendable {
    override func _read(_ storage: ModelStorage) -> Int {
        storage.withObject { Int.readOptional($0, property) } ?? super._read(storage)
    }

    override func store(_ value: Int, _ object: BackedObject, _ storage: ModelStorage) {
        Int.writeOptional(value, object, property)
    }
}

final class DoubleSlot: ScalarSlot<Double>, @unchecked Sendable {
    override func _read(_ storage: ModelStorage) -> Double {
        storage.withObject { Double.readOptional($0, property) } ?? super._read(storage)
    }

    override func store(_ value: Double, _ object: BackedObject, _ storage: ModelStorage) {
        Double.writeOptional(value, object, property)
    }
}

final class BoolSlot: ScalarSlot<Bool>, @unchecked Sendable {
    override func _read(_ storage: ModelStorage) -> Bool {
        storage.withObject { Bool.readOptional($0, property) } ?? super._read(storage)
    }

    override func store(_ value: Bool, _ object: BackedObject, _ storage: ModelStorage) {
        Bool.writeOptional(value, object, property)
    }
}

final class StringSlot: ScalarSlot<String>, @unchecked Sendable {
    override func _read(_ storage: ModelStorage) -> String {
        storage.withObject { String.readOptional($0, property) } ?? super._read(storage)
    }

    override func store(_ value: String, _ object: BackedObject, _ storage: ModelStorage) {
        String.writeOptional(value, object, property)
    }
}

final class DateSlot: ScalarSlot<Date>, @unchecked Sendable {
    override func _read(_ storage: ModelStorage) -> Date {
        storage.withObject { Date.readOptional($0, property) } ?? super._read(storage)
    }

    override func store(_ value: Date, _ object: BackedObject, _ storage: ModelStorage) {
        Date.writeOptional(value, object, property)
    }
}

final class UUIDSlot: ScalarSlot<UUID>, @unchecked Sendable {
    override func _read(_ storage: ModelStorage) -> UUID {
        storage.withObject { UUID.readOptional($0, property) } ?? super._read(storage)
    }

    override func store(_ value: UUID, _ object: BackedObject, _ storage: ModelStorage) {
        UUID.writeOptional(value, object, property)
    }
}

enum CommonSlots {
    static func slot(_ name: String, of type: Any.Type) -> AnyModelSlot? {
        switch type {
        case is Int.Type: IntSlot(name)
        case is String.Type: StringSlot(name)
        case is Double.Type: DoubleSlot(name)
        case is Bool.Type: BoolSlot(name)
        case is Date.Type: DateSlot(name)
        case is UUID.Type: UUIDSlot(name)
        default: nil
        }
    }
}
