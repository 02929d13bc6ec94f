import OpenCoreDataKit

let ownLayout = Layout(
    hasWriter: true, mainOn: .store, draftsOn: .writer, merging: .intoMain,
    policies: Layout.Policies(main: .mergeByPropertyStoreTrumpMergePolicyType))

let configurationWithLayout = Database.Configuration(name: "Library", layout: .siblings)
