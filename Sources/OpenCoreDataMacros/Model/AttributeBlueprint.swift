import CoreDataPlatform

/// What a class says about an attribute.
struct AttributeBlueprint {
    let type: NSAttributeDescription.AttributeType
    let isOptional: Bool
    let transformerName: String?
    let defaultValue: Any?
    let freshDefault: (() -> Any?)?
    let options: [AttributeOption]
    let least: (any AttributeLimit)?
    let most: (any AttributeLimit)?
    let pattern: String?

    init<Value>(
        _ form: AttributeForm<Value>, default value: DefaultValue<Value>, options: [AttributeOption] = [],
        least: (any AttributeLimit)? = nil, most: (any AttributeLimit)? = nil, pattern: String? = nil
    ) {
        type = form.type
        isOptional = form.isOptional
        transformerName = form.transformerName
        self.options = options
        self.least = least
        self.most = most
        self.pattern = pattern
        let modelValue = form.modelValue
        switch value.content {
        case .none: (defaultValue, freshDefault) = (nil, nil)
        case .constant(let value): (defaultValue, freshDefault) = (modelValue(value), nil)
        case .fresh(let make): (defaultValue, freshDefault) = (nil, { modelValue(make()) })
        }
    }

    private var derivation: String? {
        options.lazy.compactMap { if case .derived(let expression) = $0.kind { expression } else { nil } }.first
    }

    func makeDescription(path: String) throws -> NSAttributeDescription {
        let description = try makeEmptyDescription(path: path)
        description.type = type
        description.isOptional = isOptional || derivation != nil
        description.valueTransformerName = transformerName
        description.defaultValue = defaultValue
        #if !canImport(ObjectiveC)
        description.freshDefault = freshDefault
        #endif
        for option in options {
            switch option.kind {
            case .externalStorage: description.allowsExternalBinaryDataStorage = true
            case .transient: description.isTransient = true
            case .preservedAfterDeletion: description.preservesValueInHistoryOnDeletion = true
            case .unique, .derived, .transformable: break
            }
        }
        let limits = ValidationLimits(
            type: type.rawValue, least: try modelLimit(least, path), most: try modelLimit(most, path), pattern: pattern)
        description.setValidation(predicates: limits.predicates, warnings: limits.warnings)
        return description
    }

    /// A derived attribute has no value before the first save, so that it is always optional.
    private func makeEmptyDescription(path: String) throws -> NSAttributeDescription {
        guard let derivation else { return NSAttributeDescription() }
        let description = NSDerivedAttributeDescription()
        let expression = NSExpression(format: derivation, argumentArray: [])
        if let error = expression.formatError {
            throw BlueprintError.make("The derivation '\(derivation)' of '\(path)' is not valid.", underlying: error)
        }
        description.derivationExpression = expression
        return description
    }

    private func modelLimit(_ limit: (any AttributeLimit)?, _ path: String) throws -> Any? {
        guard let limit else { return nil }
        if let value = limit.limit(of: type) { return value }
        throw BlueprintError.make("The limit \(limit) of '\(path)' does not fit the type of the attribute.")
    }
}
