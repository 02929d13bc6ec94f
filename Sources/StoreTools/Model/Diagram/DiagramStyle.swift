/// The look of a picture, by day and by night.
package enum DiagramStyle {
    /// The colors of lines, for light and dark paper. Lines that run side by side have different ones.
    package static let colors: [(light: String, dark: String)] = [
        ("#2563a8", "#7ab3ee"), ("#b4531a", "#eda06c"), ("#23793f", "#79cf94"), ("#8a3d96", "#d598e0"),
        ("#a3203c", "#f08fa0"), ("#0f7580", "#6fced8"), ("#7a6410", "#d9c25c"), ("#51518f", "#aeaef0"),
    ]

    package static var css: String {
        let day = rules(
            paper: "#ffffff", box: "#ffffff", frame: "#9aa5b1", head: "#e4ebf2", abstract: "#efe9f5", text: "#1c2733",
            faint: "#5d6b79", inherits: "#4b5563", colors: colors.map(\.light))
        let night = rules(
            paper: "#14181d", box: "#1d2329", frame: "#566270", head: "#2b3743", abstract: "#352f42", text: "#e6ebf0",
            faint: "#a0acb8", inherits: "#b5bfc9", colors: colors.map(\.dark))
        return """
            text{font-family:Helvetica,Arial,"Liberation Sans","DejaVu Sans",sans-serif;font-size:12px}
            .title{font-size:14px;font-weight:bold}
            .slanted{font-style:italic}
            .type,.note{text-anchor:end}
            .note,.legend{font-size:11px}
            .count{font-size:9px}
            .mark{font-size:10px;font-weight:bold}
            .line,.ring,.hollow,.rule{fill:none;stroke-width:1.3}
            \(day)
            @media (prefers-color-scheme:dark){
            \(night)
            }
            """
    }

    private static func rules(
        paper: String, box: String, frame: String, head: String, abstract: String, text: String, faint: String,
        inherits: String, colors: [String]
    ) -> String {
        var rules = [
            ".paper{fill:\(paper)}", ".box{fill:\(box);stroke:\(frame)}", ".head{fill:\(head);stroke:\(frame)}",
            ".abstract{fill:\(abstract)}", ".rule{stroke:\(frame)}", ".name,.title{fill:\(text)}",
            ".type,.note,.legend,.mark{fill:\(faint)}",
            ".ring,.hollow{fill:\(paper)}",
            ".inherits .line,.inherits .hollow{stroke:\(inherits)}",
        ]
        for (index, color) in colors.enumerated() {
            rules.append(".c\(index) .line,.c\(index) .ring{stroke:\(color)}")
            rules.append(".c\(index) .solid,.c\(index) .count{fill:\(color)}")
        }
        return rules.joined(separator: "\n")
    }
}
