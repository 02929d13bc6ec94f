extension ModelPlanner {
    private static func slot(_ plan: ClassPlan, _ name: String) -> String {
        "\(SlotNames.container(of: plan.className)).\(SlotNames.slot(of: name))"
    }

    /// The property of an attribute; `nil` when its class is no type.
    mutating func property(_ attribute: ModelAttribute, _ plan: ClassPlan) -> PropertyPlan? {
        let slot = Self.slot(plan, attribute.name)
        if let scalar = Self.boxedScalar(attribute) {
            let type: SwiftType = .named(scalar == "Decimal" ? "NSDecimalNumber" : "NSNumber")
            let declared = isOptional(attribute) ? .optional(type) : type
            return PropertyPlan(
                name: attribute.name, type: declared,
                body: AccessorBody(boxing: scalar, type: declared, slot: slot))
        }
        guard let type = type(of: attribute) else {
            complain(
                attribute.line,
                "the class '\(attribute.customClassName ?? "")' of the attribute '\(plan.entityName).\(attribute.name)' "
                    + "isn't a Swift type")
            return nil
        }
        let body = AccessorBody(
            type: type, key: attribute.name, slot: slot, owner: plan.className, isManagedClass: { _ in false })
        return PropertyPlan(name: attribute.name, type: type, body: body)
    }

    /// The number in the slot of an attribute that is not a scalar.
    private static func boxedScalar(_ attribute: ModelAttribute) -> String? {
        if attribute.type == .decimal { return "Decimal" }
        return attribute.usesScalar ? nil : scalarName(attribute.type)
    }

    private static func scalarName(_ type: ModelAttributeType) -> String? {
        switch type {
        case .integer16: "Int16"
        case .integer32: "Int32"
        case .integer64: "Int64"
        case .double: "Double"
        case .float: "Float"
        case .boolean: "Bool"
        default: nil
        }
    }

    private func isOptional(_ attribute: ModelAttribute) -> Bool {
        settings.optionality == .xcode || attribute.isOptional || !attribute.hasDefault
    }

    /// The type of an attribute that is no number in a box.
    private func type(of attribute: ModelAttribute) -> SwiftType? {
        if let scalar = Self.scalarName(attribute.type) { return .named(scalar) }
        if attribute.type == .date, attribute.usesScalar { return .named("TimeInterval") }
        let type: SwiftType
        switch attribute.type {
        case .string: type = .named("String")
        case .date: type = .named("Date")
        case .binary: type = .named("Data")
        case .uuid: type = .named("UUID")
        case .uri: type = .named("URL")
        case .composite: return .optional(.dictionary(.named("String"), .any))
        case .objectID: return .optional(.named("NSManagedObjectID"))
        case .transformable, .undefined:
            guard let string = attribute.customClassName else { return .optional(.named("NSObject")) }
            let name = string.hasPrefix(".") ? String(string.dropFirst()) : string
            guard let parsed = SwiftTypeParser.type(name), Self.isWellNamed(parsed) else { return nil }
            return .optional(parsed.unwrapped)
        default: return nil
        }
        return isOptional(attribute) ? .optional(type) : type
    }

    private static func isWellNamed(_ type: SwiftType) -> Bool {
        switch type {
        case .any, .anyObject: true
        case .optional(let wrapped): isWellNamed(wrapped)
        case .named(let path, let arguments):
            path.allSatisfy(SwiftIdentifier.isValid) && arguments.allSatisfy(isWellNamed)
        }
    }

    // MARK: Relationships

    mutating func property(_ relationship: ModelRelationship, _ plan: ClassPlan, _ entity: ModelEntity)
        -> PropertyPlan
    {
        if let destination = relationship.destination, !document.entities.contains(where: { $0.name == destination }) {
            complain(
                relationship.line,
                "the relationship '\(entity.name).\(relationship.name)' leads to the entity '\(destination)', "
                    + "which is not in the model")
        }
        let element = type(ofEntity: relationship.destination)
        let type: SwiftType =
            if !relationship.isToMany {
                .optional(element)
            } else if settings.collections == .foundation {
                .optional(collection(relationship))
            } else {
                collection(relationship)
            }
        let slot = Self.slot(plan, relationship.name)
        // Arrays of objects are ordered relationships here, so they have a slot too.
        let body =
            type.element(of: "Array") != nil
            ? AccessorBody(slotType: type, slot)
            : AccessorBody(
                type: type, key: relationship.name, slot: slot, owner: plan.className,
                isManagedClass: { $0 == element.simpleName })
        return PropertyPlan(name: relationship.name, type: type, body: body)
    }

    /// The type of the members of a to-many.
    private func collection(_ relationship: ModelRelationship) -> SwiftType {
        let element = type(ofEntity: relationship.destination)
        return switch (settings.collections, relationship.isOrdered) {
        case (.foundation, false): .named("NSSet")
        case (.foundation, true): .named("NSOrderedSet")
        case (.swift, false): .set(element)
        case (.swift, true): .array(element)
        }
    }

    func toMany(_ relationship: ModelRelationship) -> ToManyPlan {
        ToManyPlan(
            name: relationship.name, elementType: type(ofEntity: relationship.destination),
            collectionType: collection(relationship), isOrdered: relationship.isOrdered)
    }

    // MARK: Fetched properties and templates

    func property(_ fetched: ModelFetchedProperty, _ plan: ClassPlan) -> PropertyPlan {
        let type: SwiftType = .optional(.array(type(ofEntity: fetched.destination)))
        var body = AccessorBody(
            type: type, key: fetched.name, slot: "", owner: plan.className, isManagedClass: { _ in false })
        body.setter = nil
        return PropertyPlan(name: fetched.name, type: type, body: body)
    }

    mutating func templates(for entity: ModelEntity) -> [TemplatePlan] {
        var result: [TemplatePlan] = []
        for request in document.fetchRequests where request.entity == entity.name {
            let words = request.name.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
            let joined = words.map { SwiftIdentifier.capitalized(String($0)) }.joined()
            let name = "fetchRequestFor\(joined)"
            guard SwiftIdentifier.isValid(name), !joined.isEmpty else {
                complain(
                    request.line, "the fetch request '\(request.name)' has a name that can't be the name of a function")
                continue
            }
            result.append(
                TemplatePlan(
                    name: request.name, functionName: name, variables: Self.variables(of: request.predicate ?? "")))
        }
        return result
    }

    /// The names behind `$` in the format of a predicate, those in quotes left out.
    private static func variables(of predicate: String) -> [String] {
        var result: [String] = []
        var quote: Character?
        var rest = Substring(predicate)
        while let character = rest.popFirst() {
            if let open = quote {
                if character == "\\" { rest = rest.dropFirst() }
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "$" {
                let name = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
                if SwiftIdentifier.isValid(name), !result.contains(name) { result.append(name) }
            }
        }
        return result
    }
}
