package dev.pail.server.http;

import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;

/**
 * Refuses what pages of other origins ask for, before anything is looked up: so each of their requests has the same answer. A browser says
 * in {@code Origin} which page sends a request, or in {@code Sec-Fetch-Site} that it is one of another origin. Rule GW12.
 */
public final class ForeignPages {
    /** A browser shows the answer, an image too, to pages of the same origin only. It also keeps the answer out of their processes. */
    static final HttpField OWN_PAGES = new PreEncodedHttpField("Cross-Origin-Resource-Policy", "same-origin");

    private static final HttpField ANY_PAGE = new PreEncodedHttpField("Cross-Origin-Resource-Policy", "cross-origin");
    private static final HttpField ANY_ORIGIN = new PreEncodedHttpField("Access-Control-Allow-Origin", "*");
    private static final HttpField METHODS =
            new PreEncodedHttpField("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS");
    private static final HttpField HEADERS = new PreEncodedHttpField(
            "Access-Control-Allow-Headers", "Accept, Authorization, Cache-Control, Content-Type, If-None-Match, Range");
    private static final HttpField EXPOSED = new PreEncodedHttpField(
            "Access-Control-Expose-Headers",
            "Content-Length, Content-Range, Etag, Ipfs-Uri, X-Ipfs-Path, X-Ipfs-Roots, Content-Location");

    /** What a browser says of a request of a page of the server, or of an address that a person has typed. */
    private static final Set<String> OWN = Set.of("same-origin", "none");

    /** Which origins read the gateway. */
    public enum Gateway {
        OWN,
        ALL
    }

    private final Gateway gateway;
    private final boolean hasTokens;

    /** @param hasTokens whether requests need a token: then a proxy may have taken them by HTTPS */
    public ForeignPages(Gateway gateway, boolean hasTokens) {
        this.gateway = gateway;
        this.hasTokens = hasTokens;
    }

    /** The host that a request names. HTTP/2 has it beside the headers. */
    public static String host(Request request) {
        return String.valueOf(
                request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2
                        ? request.getHttpURI().getAuthority()
                        : request.getHeaders().get(HttpHeader.HOST));
    }

    /** Whether the path of a request is one that pages of all origins may read. Rule GW24. */
    public boolean isOpen(Request request, String path) {
        String method = request.getMethod();
        return gateway == Gateway.ALL
                && path.startsWith(Paths.GATEWAY)
                && (HttpMethod.GET.is(method) || HttpMethod.HEAD.is(method) || HttpMethod.OPTIONS.is(method));
    }

    /** Says which pages may read an answer. */
    public static void describe(HttpFields.Mutable headers, boolean isOpen) {
        if (isOpen) {
            headers.put(ANY_PAGE);
            headers.put(ANY_ORIGIN);
            headers.put(METHODS);
            headers.put(HEADERS);
            headers.put(EXPOSED);
        } else {
            headers.put(OWN_PAGES);
        }
    }

    /** Whether an answer is for pages of all origins. */
    static boolean isDescribedAsOpen(HttpFields headers) {
        return headers.contains(ANY_ORIGIN);
    }

    /**
     * Checks that no page of another origin sends a request.
     *
     * @throws Refusal if one does
     */
    public void check(Request request, String path) {
        String scheme = request.isSecure() ? "https://" : "http://";
        String host = host(request);
        for (HttpField origin : request.getHeaders().getFields(HttpHeader.ORIGIN)) {
            if (!isSame(String.valueOf(origin.getValue()), scheme, host)) {
                throw refused();
            }
        }
        HttpFields headers = request.getHeaders();
        for (String site : headers.getValuesList("Sec-Fetch-Site")) {
            if (!OWN.contains(site) && !isLinkToPage(headers, path)) {
                throw refused();
            }
        }
    }

    /** Whether a person follows a link to the page of the server, which has nothing of the repository. */
    private static boolean isLinkToPage(HttpFields headers, String path) {
        return path.equals(Paths.PAGE)
                && "navigate".equals(headers.get("Sec-Fetch-Mode"))
                && "document".equals(headers.get("Sec-Fetch-Dest"));
    }

    private static Refusal refused() {
        return Refusal.forbidden("the server answers no request that a page of another origin sends");
    }

    private boolean isSame(String origin, String scheme, String host) {
        return origin.equalsIgnoreCase(scheme + host) || (hasTokens && origin.equalsIgnoreCase("https://" + host));
    }
}
