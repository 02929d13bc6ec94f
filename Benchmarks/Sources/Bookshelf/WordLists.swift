/// The words that names, titles and summaries are made of. All text is in composed form (NFC).
enum WordLists {
    static let title = words(
        """
        River Silent Garden Winter Café Stone Ocean Letter Shadow Golden Broken Mirror Forest Naïve Summer Engine
        Harbor Island Memory Paper Queen Rebel Secret Thunder Über Velvet Whisper Yellow Zenith Autumn Bridge Candle
        Desert Empire Façade Ghost Hollow Iron Journey Kingdom Lantern Mountain Night Orchard Palace Résumé Saffron Tower
        Umbra Voyage Willow Crystal Ember DÉCAFE Falcon Granite Horizon Indigo Jasmine Kettle Lagoon Marble Nectar Opal
        """)

    static let summary = words(
        """
        ancient balance captain decades evening factory gallery harvest imagine justice kitchen library machine natural
        observe package quality railway science teacher uniform village weather younger account believe century develop
        economy finance general history improve journal knowing leading mention network opinion passage quarter reality
        section thought utility variety welcome yellowy address bedroom collect deliver effects forward greater housing
        inspire justify keeping limited manager neutral operate perfect
        """)

    static let given = words(
        """
        Ada Bruno Clara David Elena Felix Greta Hugo Irene Jonas Karin Louis Marta Nils Olga Pablo
        Quinn Rosa Stefan Tessa Ugo Vera Walter Xenia Yusuf Zoe Amelie Boris Celine Dmitri Esther Frida
        """)

    static let family = words(
        """
        Abbott Becker Castro Dubois Eriksen Fischer Garcia Hansen Ivanov Jansen Keller Lambert Moreau Novak Olsen Petrov
        Quiroga Rossi Sato Tanaka Ulrich Vargas Weber Xavier Young Zimmer Almeida Bianchi Costa Durand Engel Ferrari
        """)

    static let countries = words("US GB FR DE ES IT JP BR SE CA")

    private static func words(_ string: String) -> [String] {
        string.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init)
    }
}
