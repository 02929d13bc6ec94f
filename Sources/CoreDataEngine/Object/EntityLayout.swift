import Foundation

/// How the values of a slot are represented, in a row and in an object.
package enum SlotKind: UInt8, Sendable {
    case integer16, integer32, integer64, boolean
    case double, float, date
    case string, data, uuid, uri, decimal, transformable
    case objectID, composite, undefined
    /// A to-one relationship: the slot holds the destination's reference.
    case toOne
}

/// One attribute or to-one relationship of an entity and where its value stands in a row.
package final class SlotLayout: Sendable {
    package let name: String
    /// Index in the row. Equal in all subentities of the entity that declares the property.
    package let index: Int
    package let kind: SlotKind
    package let isTransient: Bool
    package let isOptional: Bool
    /// Whether the model has validation predicates for the property.
    let hasRules: Bool
    /// Whether a store may keep the values in files of their own.
    let isExternal: Bool
    /// Whether the store computes the value.
    let isDerived: Bool
    package let property: NSPropertyDescription
    /// For a to-one whose destination has subentities: the slot after it, which holds the destination's entity index.
    package let entitySlot: Int?
    /// For a to-one: the relationship.
    package var relationship: RelationshipLayout? { relationshipIndex.map { owner.relationships[$0] } }
    package var attribute: NSAttributeDescription? { property as? NSAttributeDescription }
    /// For a composite attribute: the attributes at its ends, named by their paths, in the order of the paths.
    package let leaves: [SlotLayout]

    let relationshipIndex: Int?
    package unowned let owner: EntityLayout

    init(
        name: String, index: Int, kind: SlotKind, property: NSPropertyDescription, entitySlot: Int?,
        relationshipIndex: Int?, owner: EntityLayout
    ) {
        self.name = name
        self.index = index
        self.kind = kind
        isTransient = property.isTransient
        isOptional = property.isOptional
        hasRules = !property.validationPredicates.isEmpty
        isExternal =
            kind == .data && (property as? NSAttributeDescription)?.allowsExternalBinaryDataStorage == true
        isDerived = property is NSDerivedAttributeDescription
        self.property = property
        self.entitySlot = entitySlot
        self.relationshipIndex = relationshipIndex
        self.owner = owner
        let ends = (property as? NSCompositeAttributeDescription)?.leaves(path: name) ?? []
        leaves = ends.enumerated().map { offset, leaf in
            SlotLayout(
                name: leaf.path, index: offset, kind: SlotKind(leaf.attribute.attributeType), property: leaf.attribute,
                entitySlot: nil, relationshipIndex: nil, owner: owner)
        }
    }
}

extension SlotLayout {
    fileprivate var isDefaultedTransient: Bool {
        isTransient && (attribute?.defaultValue != nil || attribute?.freshDefault != nil)
    }
}

/// What hot loops need of a slot, without a reference to count.
struct SlotInfo {
    let index: Int
    let kind: SlotKind
    let isOptional: Bool
    let isTransient: Bool
    /// Whether the model has validation predicates for the property.
    let hasRules: Bool
    /// The slot of a to-one's entity index, or -1.
    let entitySlot: Int
    /// The index of a to-one's relationship, or -1.
    let relationship: Int

    /// Whether not every integer fits.
    var isNarrow: Bool { kind == .integer16 || kind == .integer32 }
}

/// One relationship of an entity, its own or inherited.
// @unchecked Sendable because `inverse` is set while the model's layout is made, before it is published.
package final class RelationshipLayout: @unchecked Sendable {
    package let name: String
    /// Index among the relationships of the entity. Equal in all subentities.
    package let index: Int
    package let description: NSRelationshipDescription
    package let isToMany: Bool
    package let isOrdered: Bool
    package let isTransient: Bool
    package let deleteRule: NSDeleteRule
    /// A to-one's slot in the row.
    package let slot: Int?
    /// The concrete entity whose layout this belongs to.
    package unowned let owner: EntityLayout
    let destinationIndex: Int
    let inverseName: String?
    /// What `optimisticLock` of the user info says (`checked` or `excluded`): whether the owner gets a new version, which is
    /// compared, when nothing but this relationship changed. Read once, as saves ask for it.
    private let checksOwner: Bool?

    /// The destination entity as declared.
    package var destination: EntityLayout { owner.model.entities[destinationIndex] }
    /// The relationship back, as the declared destination has it.
    // Both ends are parts of the model's layout and live as long as that.
    package private(set) unowned(unsafe) var inverse: RelationshipLayout?

    init(
        description: NSRelationshipDescription, index: Int, slot: Int?, owner: EntityLayout, destinationIndex: Int
    ) {
        name = description.name
        self.index = index
        self.description = description
        isToMany = description.isToMany
        isOrdered = description.isOrdered
        isTransient = description.isTransient
        deleteRule = description.deleteRule
        self.slot = slot
        self.owner = owner
        self.destinationIndex = destinationIndex
        inverseName = description.inverseRelationship?.name
        switch description.userInfo?["optimisticLock"] as? String {
        case "checked": checksOwner = true
        case "excluded": checksOwner = false
        default: checksOwner = nil
        }
    }

    /// Whether a change of this relationship alone may leave its owner's row as it is: only the members' rows have it, and
    /// foreign keys keep it consistent.
    ///
    /// - Parameter isDefault: Whether that is so where the user info has no `optimisticLock`.
    package func leavesOwnerAlone(byDefault isDefault: Bool) -> Bool {
        guard isToMany, !isOrdered, !isTransient, let inverse, !inverse.isToMany else { return false }
        return checksOwner.map { !$0 } ?? isDefault
    }

    /// Finds the relationship back, once all entities have their properties.
    func findInverse() { inverse = inverseName.flatMap { destination.relationship(named: $0) } }
}

/// What the engine computes once per entity: slots for attributes and to-ones, relationships, the entity's tree.
///
/// A subentity's slots begin with its parent's, so a slot resolved for an entity holds for all its subentities.
// @unchecked Sendable because all stored properties are set while the model's layout is made, before it is published.
package final class EntityLayout: @unchecked Sendable {
    /// Kept alive by the model, which users of a layout hold.
    package unowned let entity: NSEntityDescription
    package let name: String
    /// Index in `ModelLayout.entities`: the order of entity numbers, from 0.
    package let index: Int
    package unowned let model: ModelLayout
    /// `model.identifier`, to compare models without touching them.
    let modelIdentifier: UInt32
    package let parent: EntityLayout?
    private let distantRoot: EntityLayout?
    /// `root.index`.
    let rootIndex: Int
    /// The top of the entity's tree; the entity whose table holds the rows.
    package var root: EntityLayout { distantRoot ?? self }
    // Exclusivity is not checked at run time below: nothing is changed once the layout is made.
    @exclusivity(unchecked) package internal(set) var subentities: [EntityLayout] = []
    /// Attributes and to-ones by slot; `nil` for a slot that holds the entity index of the to-one before it.
    @exclusivity(unchecked) package internal(set) var slots: [SlotLayout?] = []
    @exclusivity(unchecked) package internal(set) var relationships: [RelationshipLayout] = []
    /// Number of slots in a row that can hold this entity and any of its subentities.
    @exclusivity(unchecked) package internal(set) var widestSlotCount = 0
    /// A process-wide number of this layout, never reused; accessors key their caches with it.
    package let identifier: UInt32
    /// Default values by slot.
    @exclusivity(unchecked) package internal(set) var defaults: ContiguousArray<PropertyValue> = []

    /// The slots that are properties, in order.
    @exclusivity(unchecked) private(set) var slotInfos: ContiguousArray<SlotInfo> = []
    @exclusivity(unchecked) private(set) var hasTransientSlots = false
    /// Whether rows of the entity or of a subentity have transient attributes that start with a default value.
    @exclusivity(unchecked) private(set) var fillsTransientSlots = false
    /// The transient attributes that have a default value, which is what they are when the object was read.
    @exclusivity(unchecked) private var defaultedTransients: ContiguousArray<SlotLayout> = []
    /// Whether a store may keep values of the entity in files of their own.
    @exclusivity(unchecked) private(set) var hasExternalSlots = false
    /// The slots whose edits leave something behind in the object once they are saved: to-ones and transformables.
    @exclusivity(unchecked) private(set) var keptSlots: ContiguousArray<SlotInfo> = []
    /// The indexes of to-manys that are saved.
    @exclusivity(unchecked) private(set) var storedToManys: ContiguousArray<Int> = []
    /// Values of a new object as far as all have the same: the defaults.
    @exclusivity(unchecked) private(set) var initialValues: ContiguousArray<PropertyValue?> = []
    /// The slots whose default value is evaluated for each object.
    @exclusivity(unchecked) private var freshSlots: ContiguousArray<SlotLayout> = []

    @exclusivity(unchecked) private(set) var slotsByName: [String: Int] = [:]
    @exclusivity(unchecked) private(set) var relationshipsByName: [String: Int] = [:]

    package var isRoot: Bool { parent == nil }
    package var hasSubentities: Bool { !subentities.isEmpty }
    package var slotCount: Int { slots.count }
    /// The entity and everything below it, in entity-number order.
    package var subtree: [EntityLayout] { [self] + subentities.flatMap(\.subtree) }

    package func slot(named name: String) -> SlotLayout? { slotsByName[name].flatMap { slots[$0] } }

    package func relationship(named name: String) -> RelationshipLayout? {
        relationshipsByName[name].map { relationships[$0] }
    }

    /// Whether the entity is `other` or one of its descendants.
    package func isKind(of other: EntityLayout) -> Bool {
        var candidate: EntityLayout? = self
        while let layout = candidate {
            if layout === other { return true }
            candidate = layout.parent
        }
        return false
    }

    /// Keeps an entity alive that no model owns.
    private let ownedEntity: NSEntityDescription?

    init(
        entity: NSEntityDescription, index: Int, identifier: UInt32, parent: EntityLayout?, model: ModelLayout,
        keeping ownedEntity: NSEntityDescription? = nil
    ) {
        self.ownedEntity = ownedEntity
        self.entity = entity
        name = entity.name ?? ""
        self.index = index
        self.identifier = identifier
        self.parent = parent
        self.model = model
        modelIdentifier = model.identifier
        distantRoot = parent?.root
        rootIndex = parent?.rootIndex ?? index
        slots = parent?.slots ?? []
        relationships = parent?.relationships ?? []
        slotsByName = parent?.slotsByName ?? [:]
        relationshipsByName = parent?.relationshipsByName ?? [:]
        parent?.subentities.append(self)
    }

    /// Adds the properties that the entity itself declares, in name order.
    func addOwnProperties(entityIndexByName: [String: Int]) {
        for property in entity.declaredProperties.sorted(by: { $0.name < $1.name })
        where slotsByName[property.name] == nil && relationshipsByName[property.name] == nil {
            if let attribute = property as? NSAttributeDescription {
                addSlot(for: attribute, kind: SlotKind(attribute.attributeType), entitySlot: false, relationship: nil)
            } else if let relationship = property as? NSRelationshipDescription {
                add(relationship, entityIndexByName: entityIndexByName)
            }
        }
    }

    private func add(_ relationship: NSRelationshipDescription, entityIndexByName: [String: Int]) {
        guard let destination = relationship.destinationEntity,
            let destinationIndex = entityIndexByName[destination.name ?? ""]
        else { return }
        let index = relationships.count
        var slot: Int?
        if !relationship.isToMany {
            slot = slots.count
            addSlot(
                for: relationship, kind: .toOne, entitySlot: !destination.subentities.isEmpty, relationship: index)
        }
        relationships.append(
            RelationshipLayout(
                description: relationship, index: index, slot: slot, owner: self, destinationIndex: destinationIndex))
        relationshipsByName[relationship.name] = index
    }

    private func addSlot(for property: NSPropertyDescription, kind: SlotKind, entitySlot: Bool, relationship: Int?) {
        let index = slots.count
        slotsByName[property.name] = index
        slots.append(
            SlotLayout(
                name: property.name, index: index, kind: kind, property: property,
                entitySlot: entitySlot ? index + 1 : nil, relationshipIndex: relationship, owner: self))
        if entitySlot { slots.append(nil) }
    }

    /// The values that a new object starts with.
    func makeInitialValues() -> ContiguousArray<PropertyValue?> {
        guard !freshSlots.isEmpty else { return initialValues }
        var values = initialValues
        for slot in freshSlots {
            values[slot.index] = (try? slot.propertyValue(from: slot.attribute?.freshDefault?())) ?? .null
        }
        return values
    }

    /// Calls a closure with the transient attributes that have a default value, and with that as rows have it.
    func forEachTransientDefault(_ body: (SlotLayout, PropertyValue) -> Void) {
        for slot in defaultedTransients {
            var value = defaults[slot.index]
            if let fresh = slot.attribute?.freshDefault { value = (try? slot.propertyValue(from: fresh())) ?? .null }
            if case .transformed(let box) = value {
                value = (try? slot.archived(box.value)).flatMap { $0 }.map { .data($0) } ?? .null
            }
            body(slot, value)
        }
    }

    /// Computes what depends on the subentities and the default values, once all properties are there.
    func finish() {
        widestSlotCount = subtree.map(\.slotCount).max() ?? 0
        defaults = ContiguousArray(
            slots.map { slot in
                guard let slot, let attribute = slot.attribute, let value = attribute.defaultValue else { return .null }
                return (try? slot.propertyValue(from: value)) ?? .null
            })
        initialValues = ContiguousArray(defaults.map { $0 })
        for case let slot? in slots {
            if slot.attribute?.freshDefault != nil { freshSlots.append(slot) }
            slotInfos.append(
                SlotInfo(
                    index: slot.index, kind: slot.kind, isOptional: slot.isOptional, isTransient: slot.isTransient,
                    hasRules: slot.hasRules, entitySlot: slot.entitySlot ?? -1,
                    relationship: slot.relationshipIndex ?? -1))
        }
        hasTransientSlots = slotInfos.contains { $0.isTransient }
        defaultedTransients = ContiguousArray(slots.compactMap { $0 }.filter(\.isDefaultedTransient))
        fillsTransientSlots = subtree.contains { $0.slots.contains { $0?.isDefaultedTransient == true } }
        hasExternalSlots = slots.contains { $0?.isExternal == true }
        keptSlots = slotInfos.filter { info in
            switch info.kind {
            case .toOne, .transformable, .composite, .objectID, .undefined: true
            default: false
            }
        }
        for relationship in relationships { relationship.findInverse() }
        for relationship in relationships where relationship.isToMany && !relationship.isTransient {
            storedToManys.append(relationship.index)
        }
    }
}

extension SlotKind {
    /// The numbers that an attribute of integers can hold; nil where all that a store has fit, and for other kinds.
    package var integerRange: ClosedRange<Int64>? {
        switch self {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        default: nil
        }
    }

    /// How many of an integer's 64 bits the attribute's type has not.
    package var unusedBits: UInt8 {
        switch self {
        case .integer16: 48
        case .integer32: 32
        default: 0
        }
    }

    package init(_ type: NSAttributeType) {
        switch type {
        case .integer16AttributeType: self = .integer16
        case .integer32AttributeType: self = .integer32
        case .integer64AttributeType: self = .integer64
        case .booleanAttributeType: self = .boolean
        case .doubleAttributeType: self = .double
        case .floatAttributeType: self = .float
        case .dateAttributeType: self = .date
        case .stringAttributeType: self = .string
        case .binaryDataAttributeType: self = .data
        case .UUIDAttributeType: self = .uuid
        case .URIAttributeType: self = .uri
        case .decimalAttributeType: self = .decimal
        case .transformableAttributeType: self = .transformable
        case .objectIDAttributeType: self = .objectID
        case .compositeAttributeType: self = .composite
        default: self = .undefined
        }
    }
}

extension EntityLayout: Hashable {
    package static func == (left: EntityLayout, right: EntityLayout) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
