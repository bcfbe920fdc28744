package dev.pail.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.repository.Repository;
import dev.pail.server.Served;
import dev.pail.server.access.TokensTest;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page and its files, with any content. */
@Timeout(120)
class ExplorerTest {
    private static final Map<String, String> TYPES = Map.of(
            "html",
            "text/html",
            "css",
            "text/css",
            "js",
            "text/javascript",
            "svg",
            "image/svg+xml",
            "txt",
            "text/plain");

    @TempDir
    Path folder;

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = ExplorerTest.class.getResourceAsStream("explorer/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }

    private static List<String> names() throws IOException {
        return new String(resource("files.txt"), StandardCharsets.UTF_8).lines().toList();
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** A browser asks for all of them at once, and not for each when it has read the one before. */
    @Test
    void thePageNamesAllModules() throws IOException {
        String page = new String(resource("index.html"), StandardCharsets.UTF_8);
        assertThat(names().stream().filter(name -> name.endsWith(".js")))
                .isNotEmpty()
                .allSatisfy(name ->
                        assertThat(page).contains("<link rel=\"modulepreload\" href=\"/explorer/" + name + "\">"));
    }

    /** The files {@code dist/preact.mjs} and {@code hooks/dist/hooks.mjs} of preact 11.2.0, and {@code dist/htm.module.js} of htm 3.1.1. */
    @Test
    void theLibrariesAreThoseOfNpm() throws IOException {
        Map<String, String> hashes = Map.of(
                "vendor/preact.js",
                "bdcbd9abdf2c77c5c45326eab42191e949222d479d0d5f69467387a77040cb55",
                "vendor/hooks.js",
                "e862ab2973aa6455eaa0f77c5d832d2157d6be59a17c8ba546550a575b58c6b4",
                "vendor/htm.js",
                "ab33dd3f38059b9be4d5f5350128eefb2356639c4e0bbe9d9e8b3ba75847e9e4");
        assertThat(names().stream().filter(name -> name.startsWith("vendor/") && name.endsWith(".js")))
                .containsExactlyInAnyOrderElementsOf(hashes.keySet());
        for (Map.Entry<String, String> each : hashes.entrySet()) {
            assertThat(HexFormat.of().formatHex(sha256(resource(each.getKey()))))
                    .as(each.getKey())
                    .isEqualTo(each.getValue());
        }
    }

    /** Of the bytes between the tags, found without the code that is tested. */
    private static String policy(String page) {
        String tag = "<script type=\"importmap\">";
        int from = page.indexOf(tag) + tag.length();
        String map = page.substring(from, page.indexOf("</script>", from));
        return "default-src 'none'; script-src 'self' 'sha256-"
                + Base64.getEncoder().encodeToString(sha256(map.getBytes(StandardCharsets.UTF_8)))
                + "'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'";
    }

    private static void assertHeaders(HttpResponse<byte[]> response, byte[] bytes) throws IOException {
        assertThat(Served.header(response, "Content-Security-Policy"))
                .isEqualTo(policy(new String(resource("index.html"), StandardCharsets.UTF_8)));
        assertThat(Served.header(response, "Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(Served.header(response, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(Served.header(response, "Cross-Origin-Opener-Policy")).isEqualTo("same-origin");
        assertThat(Served.header(response, "Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
        assertThat(Served.header(response, "X-Frame-Options")).isEqualTo("DENY");
        assertThat(Served.header(response, "Cache-Control")).isEqualTo("no-cache");
        assertThat(Served.header(response, "ETag"))
                .isEqualTo('"' + HexFormat.of().formatHex(sha256(bytes)) + '"');
        assertThat(response.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
    }

    private static void assertFile(Served served, String path, String name) throws IOException {
        byte[] bytes = resource(name);
        String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1)) + "; charset=utf-8";
        HttpResponse<byte[]> response = served.get(path);
        assertThat(response.statusCode()).as(path).isEqualTo(200);
        assertThat(response.body()).isEqualTo(bytes);
        assertThat(Served.header(response, "Content-Type")).isEqualTo(type);
        assertHeaders(response, bytes);
        HttpResponse<byte[]> head = served.ask("HEAD", path);
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(Served.header(head, "Content-Type")).isEqualTo(type);
        assertThat(Served.header(head, "Content-Length")).isEqualTo("" + bytes.length);
        assertHeaders(head, bytes);
        HttpResponse<byte[]> known = served.get(path, "If-None-Match", Served.header(response, "ETag"));
        assertThat(known.statusCode()).isEqualTo(304);
        assertThat(known.body()).isEmpty();
        assertHeaders(known, bytes);
        assertThat(served.get(path, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
    }

    @Test
    void thePageAndItsFilesAreServed_GW21() throws IOException {
        try (Served served = new Served()) {
            assertFile(served, "/", "index.html");
            assertFile(served, "/?at=main", "index.html");
            assertThat(names()).isNotEmpty();
            for (String name : names()) {
                assertFile(served, "/explorer/" + name, name);
            }
        }
    }

    /** The page is at one path, and only names of the list are files. */
    @Test
    void nothingElseIsServed_GW21() throws IOException {
        String name = names().get(0);
        try (Served served = new Served()) {
            for (String path : List.of(
                    "//",
                    "/none",
                    "/index.html",
                    "/explorer",
                    "/explorer/",
                    "/explorer/files.txt",
                    "/explorer/" + name + "/",
                    "/explorer//" + name,
                    "/explorer/./" + name,
                    "/explorer/%2e%2e/package-info.class",
                    "/explorer/../Explorer.class",
                    "/explorer/none.js")) {
                assertThat(served.send("GET " + path + " HTTP/1.1\r\nHost: " + served.host()
                                + "\r\nConnection: close\r\n\r\n"))
                        .as(path)
                        .startsWith("HTTP/1.1 404");
            }
            for (String path : List.of("/", "/explorer/" + name)) {
                for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS")) {
                    assertThat(served.ask(method, path).statusCode()).isEqualTo(405);
                }
            }
        }
    }

    @Test
    void pagesOfOtherOriginsGetNothing_GW12() throws IOException {
        try (Served served = new Served()) {
            for (String path : List.of("/", "/explorer/" + names().get(0))) {
                assertThat(served.get(path, "Origin", "http://evil.example").statusCode())
                        .isEqualTo(403);
                assertThat(served.get(path, "Origin", "http://" + served.host()).statusCode())
                        .isEqualTo(200);
                assertThat(served.send("GET " + path + " HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
                        .startsWith("HTTP/1.1 403");
            }
        }
    }

    @Test
    void thePageNeedsNoTokenAndAllElseDoes_GW16_GW21() throws IOException {
        Path tokens = Files.writeString(folder.resolve("tokens"), TokensTest.sha256("secret") + " read ** ann\n");
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
        try (Served served = new Served(Repository.inMemory(), options -> options.withTokens(tokens))) {
            assertFile(served, "/", "index.html");
            String name = names().get(0);
            assertFile(served, "/explorer/" + name, name);
            assertThat(served.get("/explorer/none.js").statusCode()).isEqualTo(404);
            assertThat(served.get("/", "Origin", "http://evil.example").statusCode())
                    .isEqualTo(403);
            for (String path : List.of("/v1/state", "/v1/node?cid=bafkqaaa", "/v1/tags", "/v1/keys", "/none")) {
                assertThat(served.get(path).statusCode()).as(path).isEqualTo(401);
            }
        }
    }
}
