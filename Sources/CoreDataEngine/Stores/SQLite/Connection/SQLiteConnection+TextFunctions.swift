extension SQLiteConnection {
    func registerTextFunctions() throws {}
    func registerCollations() throws {}
}
