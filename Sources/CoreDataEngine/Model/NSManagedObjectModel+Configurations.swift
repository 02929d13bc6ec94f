extension NSManagedObjectModel {
    /// Returns the entities of a configuration.
    ///
    /// - Parameter configuration: the name of a configuration; nil for all entities of the model.
    /// - Returns: the entities, or nil when there is no configuration of that name.
    public func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration, configuration != Self.defaultConfigurationName else { return entities }
        return configurationMembers[configuration]
    }

    /// Makes entities the members of a configuration, which is created when it is not there.
    ///
    /// - Parameters:
    ///   - entities: entities of this model.
    ///   - configuration: the name of the configuration.
    public func setEntities(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        requireEditable()
        for entity in entities {
            precondition(
                entity.owner === self,
                "The entity '\(entity.name ?? "")' cannot be in configuration '\(configuration)': "
                    + "it does not belong to the model.")
        }
        if configurationMembers.updateValue(entities, forKey: configuration) == nil {
            configurationNames.append(configuration)
        }
    }

    /// The name under which Apple's framework knows the configuration that holds all entities.
    package static var defaultConfigurationName: String { "PF_DEFAULT_CONFIGURATION_NAME" }
}
