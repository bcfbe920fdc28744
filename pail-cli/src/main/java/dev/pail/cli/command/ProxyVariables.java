package dev.pail.cli.command;

import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The proxies of the environment, as curl takes them: {@code https_proxy} or {@code HTTPS_PROXY} for https, {@code http_proxy} alone for
 * http, as a server may set the other by a header, and {@code no_proxy} or {@code NO_PROXY}.
 */
final class ProxyVariables {
    private static final Pattern LOOPBACK = Pattern.compile("localhost|127(?:\\.[0-9]{1,3}){3}|\\[?::1]?");
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}");
    private static final int PORT = 1080;
    private static final int LAST_PORT = 65_535;
    private static final int BITS = 32;

    private final Terminal terminal;

    ProxyVariables(Terminal terminal) {
        this.terminal = terminal;
    }

    /**
     * A way to a server.
     *
     * @param proxy which may be none
     * @param login the user and password for it
     */
    record Way(Proxy proxy, Optional<PasswordAuthentication> login) {}

    /** The way to a server that the environment asks for; empty if it says nothing. */
    Optional<Way> to(URL url) {
        boolean isHttps = url.getProtocol().equalsIgnoreCase("https");
        String variable = isHttps ? first("https_proxy", "HTTPS_PROXY") : first("http_proxy");
        String proxy = variable == null ? null : terminal.environment(variable);
        if (variable == null || proxy == null) {
            return Optional.empty();
        }
        return Optional.of(isDirect(url) ? new Way(Proxy.NO_PROXY, Optional.empty()) : way(variable, proxy));
    }

    private @Nullable String first(String... names) {
        return Arrays.stream(names)
                .filter(name -> terminal.environment(name) != null)
                .findFirst()
                .orElse(null);
    }

    private static Way way(String variable, String proxy) {
        URI uri;
        try {
            uri = new URI(proxy.contains("://") ? proxy : "http://" + proxy);
        } catch (URISyntaxException e) {
            throw malformed(variable);
        }
        if (uri.getHost() == null || uri.getPort() > LAST_PORT || !"http".equalsIgnoreCase(uri.getScheme())) {
            throw malformed(variable);
        }
        int port = uri.getPort() < 0 ? PORT : uri.getPort();
        String host = uri.getHost().replaceAll("[\\[\\]]", "");
        return new Way(
                new Proxy(Proxy.Type.HTTP, new InetSocketAddress(host, port)),
                Optional.ofNullable(uri.getRawUserInfo()).map(ProxyVariables::login));
    }

    private static PasswordAuthentication login(String user) {
        String[] parts = user.split(":", 2);
        return new PasswordAuthentication(
                decoded(parts[0]), decoded(parts.length > 1 ? parts[1] : "").toCharArray());
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    /** The value may have a password, so it is not repeated. */
    private static Failure.Found malformed(String variable) {
        return Failure.usage(variable + " is http://HOST:PORT, or http://USER:PASSWORD@HOST:PORT");
    }

    private boolean isDirect(URL url) {
        String host = url.getHost().toLowerCase(Locale.ROOT);
        // A proxy elsewhere has another localhost.
        if (LOOPBACK.matcher(host).matches()) {
            return true;
        }
        String variable = first("no_proxy", "NO_PROXY");
        String list = variable == null ? null : terminal.environment(variable);
        int port = url.getPort() < 0 ? url.getDefaultPort() : url.getPort();
        return list != null
                && Stream.of(list.toLowerCase(Locale.ROOT).split("[,\\s]+"))
                        .filter(entry -> !entry.isEmpty())
                        .anyMatch(entry -> covers(entry, host.replaceAll("[\\[\\]]", ""), port));
    }

    /** Whether an entry is for a host: {@code *}, a name and all below it, an address, a range of addresses; perhaps with a port. */
    private static boolean covers(String entry, String host, int port) {
        String name = entry;
        int colon = entry.lastIndexOf(':');
        boolean hasPort = colon >= 0 && (entry.indexOf(':') == colon || entry.charAt(colon - 1) == ']');
        if (hasPort && entry.substring(colon + 1).matches("[0-9]{1,5}")) {
            if (Integer.parseInt(entry.substring(colon + 1)) != port) {
                return false;
            }
            name = entry.substring(0, colon);
        }
        name = name.replaceAll("[\\[\\]]", "").replaceFirst("^\\*?\\.", "");
        return name.equals("*") || host.equals(name) || isBelow(host, name) || isInRange(host, name);
    }

    private static boolean isBelow(String host, String name) {
        return !name.isEmpty() && !ADDRESS.matcher(host).matches() && host.endsWith("." + name);
    }

    /** Whether an address is in a range such as {@code 10.0.0.0/8}. */
    private static boolean isInRange(String host, String range) {
        String[] parts = range.split("/", 2);
        if (parts.length != 2
                || !parts[1].matches("[0-9]{1,2}")
                || !ADDRESS.matcher(parts[0]).matches()
                || !ADDRESS.matcher(host).matches()) {
            return false;
        }
        int bits = Math.min(BITS, Integer.parseInt(parts[1]));
        return bits == 0 || bits(host) >>> (BITS - bits) == bits(parts[0]) >>> (BITS - bits);
    }

    private static long bits(String address) {
        return Arrays.stream(address.split("\\.")).mapToLong(Long::parseLong).reduce(0, (all, each) -> all << 8 | each);
    }
}
