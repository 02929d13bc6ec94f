import CampaignCore
import Foundation
import OpenCoreData
import TestSupport

/// One import of objects that may contradict each other.
struct ImportedTeamsRun {
    let command: URL
    let model: URL
    let folder: URL
    let teams: ImportedTeams

    func check(_ trial: Trial, isPlanted: Bool) throws {
        let input = folder.appendingPathComponent("teams.ndjson")
        let store = folder.appendingPathComponent("Teams.sqlite")
        let errors = folder.appendingPathComponent("errors")
        try Data(teams.lines.utf8).write(to: input)
        var arguments = ["import", store.path, input.path, "--model", model.path]
        if teams.skipsValidation { arguments.append("--skip-validation") }
        let end = try ChildProcess(
            command, arguments, environment: ["SWIFT_BACKTRACE": "enable=no"], errors: errors
        ).wait(atMostSeconds: 120)
        let words = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
        guard case .exited(let status)? = end else {
            throw CampaignFailure("An import dies or hangs: \(String(describing: end))", words)
        }
        let expected = teams.expected
        guard status == 0 else {
            guard !FileManager.default.fileExists(atPath: store.path) else {
                throw CampaignFailure("A refused import leaves a store", words)
            }
            // A name that is there twice in one object is no valid JSON, which has a place.
            guard words.contains("/p") || words.contains("appears twice") else {
                throw CampaignFailure("A refused import names no object", words)
            }
            guard expected == nil, !isPlanted else {
                throw CampaignFailure("An import refuses what can be imported", words + teams.lines)
            }
            return trial.count("refused a contradiction")
        }
        guard let expected else { throw CampaignFailure("An import takes what contradicts itself", teams.lines) }
        for relation in ImportedTeams.Relation.allCases {
            try compare(relation, expected, isPlanted && relation == .team, store)
        }
        let findings = try StoreChecker.findings(inStoreAt: store, model: ImportedTeams.model())
            .filter { $0.kind != .inverse }
        guard findings.isEmpty else {
            throw CampaignFailure("The checker finds something", findings.map(\.message).joined(separator: "\n"))
        }
        trial.count("imported what was said")
    }

    private func compare(
        _ relation: ImportedTeams.Relation, _ expected: [String: [ImportedTeams.Relation: [String]]],
        _ isPlanted: Bool, _ store: URL
    ) throws {
        let stored = try ImportedTeams.stored(relation, in: store)
        for object in teams.objects where object.entity == relation.owner {
            let found = stored[object.name] ?? []
            let wanted = isPlanted ? ["nobody"] : expected[object.name]?[relation] ?? []
            let order = relation.isOrdered ? teams.order(of: object.name, relation) : nil
            guard found.sorted() == wanted, order == nil || order == found else {
                throw CampaignFailure(
                    "\(relation) of \(object.name) is \(found), not \(order ?? wanted)", teams.lines)
            }
        }
    }
}
