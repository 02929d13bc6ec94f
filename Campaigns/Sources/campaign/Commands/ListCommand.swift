import ArgumentParser
import CampaignCore
import Foundation

/// Prints the campaigns.
struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Prints the campaigns.")

    func run() {
        for campaign in Registry.campaigns {
            print(campaign.name.padding(toLength: 12, withPad: " ", startingAt: 0) + campaign.summary)
        }
    }
}
