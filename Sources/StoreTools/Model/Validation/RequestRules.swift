import OpenCoreData

/// What can be wrong with fetch requests, fetched properties and configurations.
package struct RequestRules {
    package let model: CheckedModel

    package func findings() -> [ModelFinding] {
        model.requests.flatMap { request in
            [
                problem(of: request).map { (ModelFinding.Severity.error, $0) },
                unknownKey(of: request).map { (.warning, $0) },
            ]
            .compactMap(\.self).map { severity, message in
                ModelFinding(
                    severity: severity, rule: "fetch-request", line: request.line,
                    message: "The fetch request \(request.name) \(message)")
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

    /// What a predicate asks for that objects of the entity don't have: fetching with it fails.
    private func unknownKey(of request: CheckedRequest) -> String? {
        guard let entity = model.entity(named: request.entity), let format = request.predicate,
            let predicate = try? NSPredicate(validatingFormat: format, argumentArray: [])
        else { return nil }
        for path in KeyPaths.all(in: predicate) {
            if let problem = problem(ofKeyPath: path, from: entity) { return "has a predicate that \(problem)" }
        }
        return nil
    }

    private func problem(ofKeyPath path: String, from entity: CheckedEntity) -> String? {
        var current = entity
        for key in path.split(separator: ".").map(String.init) {
            if key.hasPrefix("@") || ["self", "objectID", "entity"].contains(key) { return nil }
            // Objects of a subentity may have what the entity lacks.
            let kinds = [current] + model.entities.filter { model.isKind($0, of: current) }
            guard let property = kinds.lazy.compactMap({ model.property(key, of: $0) }).first else {
                return "names \(path), and \(current.name) has no property \(key)."
            }
            // The elements of a composite are looked at by the store.
            guard let next = model.entity(named: property.destination) else { return nil }
            current = next
        }
        return nil
    }

    private func findings(of configuration: CheckedConfiguration) -> [ModelFinding] {
        configuration.members.filter { model.entity(named: $0) == nil }.map { member in
            ModelFinding(
                severity: .error, rule: "configuration", line: configuration.line,
                message: "The configuration \(configuration.name) has the member \(member), which is not in the model.")
        }
    }
}
