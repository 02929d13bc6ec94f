import OpenCoreDataKit

func explain(_ error: any Error) -> String {
    switch error {
    case DatabaseError.validation(let failures):
        failures.map { "\($0.property ?? $0.entity): \($0.reason)" }.joined(separator: "\n")
    case DatabaseError.modelNotFound(let name, _, let candidates, _):
        "No model \(name ?? ""); there are \(candidates)."
    case DatabaseError.incompatibleStore(let url, _):
        "\(url?.lastPathComponent ?? "") was made by another program."
    default:
        error.localizedDescription
    }
}
