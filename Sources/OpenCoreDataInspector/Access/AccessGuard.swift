#if Inspector
import EventStreams
import HTTPTypes
import Hummingbird

/// Accepts only requests that come from the inspector's own page, opened with the token.
struct AccessGuard<Context: RequestContext>: RouterMiddleware {
    let access: InspectorAccess
    /// Two inspectors on one machine share a host, and so their cookies.
    let cookieName: String

    func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            if let answer = try admission(request) {
                response = answer
            } else {
                response = try await next(request, context)
            }
        } catch {
            response = JSONResponse.failure(error, for: request)
        }
        for (name, value) in SecurityHeaders.all where response.headers[name] == nil {
            response.headers[name] = value
        }
        return response
    }

    /// Nil for a request that may pass; the answer to one that brings the token in its address.
    private func admission(_ request: Request) throws -> Response? {
        // The first one is the authority; a second one is left among the headers.
        guard request.headers[.otherHost] == nil else {
            throw InspectorError(.badRequest, "A request names one host.")
        }
        guard access.allows(authority: request.head.authority) else {
            throw InspectorError(.misdirectedRequest, "This server doesn't answer to that host name.")
        }
        try checkOrigin(request)
        guard let token = access.token else { return nil }
        if let given = request.uri.queryParameters["token"] {
            guard request.method == .get, token.matches(given) else { throw InspectorError.unauthorized }
            return redirect(request, token)
        }
        if let header = request.headers[.authorization], header.hasPrefix("Bearer "),
            token.matches(header.dropFirst("Bearer ".count))
        {
            return nil
        }
        guard let cookie = request.cookies[cookieName], token.matches(cookie.value) else {
            throw InspectorError.unauthorized
        }
        return nil
    }

    /// What changes something comes from the page itself.
    private func checkOrigin(_ request: Request) throws {
        let foreign = InspectorError(.forbidden, "Requests from other sites are refused.")
        if let origin = request.headers[.origin] {
            guard let authority = request.head.authority,
                origin.lowercased().hasSuffix("://" + authority.lowercased()),
                ["http", "https"].contains(origin.split(separator: ":").first.map { $0.lowercased() })
            else { throw foreign }
        }
        let site = request.headers[SecurityHeaders.fetchSite]
        let isNavigation = request.method == .get && request.headers[SecurityHeaders.fetchMode] == "navigate"
        if let site, !["same-origin", "none"].contains(site), !isNavigation { throw foreign }
        guard request.method != .get, request.method != .head else { return }
        guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
            throw InspectorError(.unsupportedMediaType, "A change has to be sent as JSON.")
        }
    }

    /// The token leaves the address, so that it does not stay in the browser's history or a copied link.
    private func redirect(_ request: Request, _ token: AccessToken) -> Response {
        let path = request.uri.path
        let cookie = "\(cookieName)=\(token.string); Path=\(path); HttpOnly; SameSite=Strict"
        return Response(
            status: .seeOther,
            headers: [
                .location: PageFiles.folderName(of: path) + "/", .setCookie: cookie, .cacheControl: "no-store",
            ])
    }
}

/// What every answer says to the browser.
enum SecurityHeaders {
    static let fetchSite = name("Sec-Fetch-Site")
    static let fetchMode = name("Sec-Fetch-Mode")

    static let all: [(HTTPField.Name, String)] = [
        (
            name("Content-Security-Policy"),
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
        ),
        (name("X-Content-Type-Options"), "nosniff"),
        (name("X-Frame-Options"), "DENY"),
        (name("Referrer-Policy"), "no-referrer"),
        (name("Cross-Origin-Resource-Policy"), "same-origin"),
        (name("Cross-Origin-Opener-Policy"), "same-origin"),
        (name("Permissions-Policy"), "camera=(), microphone=(), geolocation=()"),
        (.cacheControl, "no-store"),
    ]

    private static func name(_ string: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(string) else {
            fatalError("\(string) is not the name of a header.")
        }
        return name
    }
}
#endif
