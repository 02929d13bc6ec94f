extension NSManagedObjectModel {
    /// What `entities(forConfigurationName:)` does.
    final func members(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
        guard let configuration, configuration != Self.defaultConfigurationName else { return entities }
        return configurationMembers[configuration]
    }

    /// What `setEntities(_:forConfigurationName:)` does.
    final func setMembers(_ entities: [NSEntityDescription], forConfigurationName configuration: String) {
        requireEditable()
        for entity in entities {
            programmerError(
                unless:
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
