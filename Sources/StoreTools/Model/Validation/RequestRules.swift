import OpenCoreData

/// What can be wrong with fetch requests, fetched properties and configurations.
package struct RequestRules {
    package let model: CheckedModel

    package func findings() -> [ModelFinding] {
        model.requests.compactMap { request in
            problem(of: request).map {
                ModelFinding(
                    severity: .error, rule: "fetch-request", line: request.line,
                    message: "The fetch request \(request.name) \($0)")
            }
        } + model.configurations.flatMap(findings)
    }

    package func findings(ofFetchedProperty property: CheckedProperty, of entity: CheckedEntity) -> [ModelFinding] {
        let message: String
        if let element = property.element.children(named: "fetchRequest").first {
            guard let problem = problem(of: CheckedRequest(element)) else { return [] }
            message = "The fetched property \(problem)"
        } else {
            message = "The fetched property has no fetch request."
        }
        return [
            ModelFinding(
                severity: .error, rule: "fetched-property", entity: entity.name, property: property.name,
                line: property.line, message: message)
        ]
    }

    private func problem(of request: CheckedRequest) -> String? {
        guard let name = request.entity else { return "has no entity." }
        guard model.entity(named: name) != nil else { return "fetches \(name), which is not in the model." }
        guard let format = request.predicate else { return nil }
        do {
            _ = try NSPredicate(validatingFormat: format, argumentArray: [])
            return nil
        } catch {
            return "has a predicate that is not valid: \(Sentence.clause(of: error))."
        }
    }

    private func findings(of configuration: CheckedConfiguration) -> [ModelFinding] {
        configuration.members.filter { model.entity(named: $0) == nil }.map { member in
            ModelFinding(
                severity: .error, rule: "configuration", line: configuration.line,
                message: "The configuration \(configuration.name) has the member \(member), which is not in the model.")
        }
    }
}
