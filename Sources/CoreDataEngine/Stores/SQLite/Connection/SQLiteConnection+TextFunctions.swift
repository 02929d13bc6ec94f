import CSQLite
import Foundation

extension SQLiteConnection {
    func registerTextFunctions() throws {
    }
}
