package dev.pail.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.ipld.Cid;
import dev.pail.server.Served;
import dev.pail.server.ServerOptions;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a page of another origin learns from a server, by what a browser sends for it. */
@Timeout(120)
class ForeignPagesTest {
    private static final String ABSENT = "bafkreicdqo6hrhezh5yl2jipom52s5yco2p43wyfx4h5dfsh7oqgdboq6a";

    /** All of a response but its time. */
    private static Map<String, List<String>> shown(HttpResponse<byte[]> response) {
        Map<String, List<String>> shown = response.headers().map().entrySet().stream()
                .filter(each -> !each.getKey().equalsIgnoreCase("date"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        shown.put("", List.of(response.statusCode() + " " + Served.text(response)));
        return shown;
    }

    @Test
    void aForeignPageHasTheSameAnswerForEverything_GW12() {
        try (Served served = new Served()) {
            served.repository.update("main", pail -> pail.putBytes("a", "x".getBytes(StandardCharsets.UTF_8)));
            Cid root = served.repository.root("main");
            for (String[] page : new String[][] {
                {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"},
                {"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "script"},
                {"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"},
                {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"},
            }) {
                List<Map<String, List<String>>> answers = List.of(
                                "/v1/value?key=a",
                                "/v1/value?key=b",
                                "/v1/value?key=a&format=raw",
                                "/v1/keys",
                                "/v1/nothing",
                                "/v1/branches/main",
                                "/v1/branches/nothing")
                        .stream()
                        .map(path -> shown(served.get(path, page)))
                        .toList();
                assertThat(answers).allMatch(answers.get(0)::equals);
                assertThat(answers.get(0).get("").get(0)).startsWith("403 ");
                assertThat(shown(served.get("/ipfs/" + root + "?format=raw", page)))
                        .isEqualTo(shown(served.get("/ipfs/" + ABSENT + "?format=raw", page)));
            }
            for (String[] own : new String[][] {{"Sec-Fetch-Site", "none"}, {"Sec-Fetch-Site", "same-origin"}, {}}) {
                HttpResponse<byte[]> value = served.get("/v1/value?key=a", own);
                assertThat(value.statusCode()).isEqualTo(200);
                assertThat(Served.header(value, "Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
            }
            HttpResponse<byte[]> block = served.get("/ipfs/" + root + "?format=raw");
            assertThat(Served.header(block, "Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
        }
    }

    @Test
    void aLinkLeadsToThePage_GW12() {
        try (Served served = new Served()) {
            String[] link = {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"
            };
            assertThat(served.get("/", link).statusCode()).isEqualTo(200);
            link[5] = "iframe";
            assertThat(served.get("/", link).statusCode()).isEqualTo(403);
        }
    }

    @Test
    void anOpenGatewayIsOpenForBlocksAlone_GW24() {
        try (Served served = new Served(dev.pail.repository.Repository.inMemory(), ServerOptions::withOpenGateway)) {
            Cid cid = served.raw("milk");
            String[] page = {"Origin", "http://a.example", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "cors"};
            HttpResponse<byte[]> block = served.get("/ipfs/" + cid + "?format=raw", page);
            assertThat(Served.text(block)).isEqualTo("milk");
            assertThat(Served.header(block, "Access-Control-Allow-Origin")).isEqualTo("*");
            assertThat(Served.header(block, "Cross-Origin-Resource-Policy")).isEqualTo("cross-origin");
            HttpResponse<byte[]> absent = served.get(
                    "/ipfs/" + "bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy" + "?format=raw", page);
            assertThat(absent.statusCode()).isEqualTo(404);
            assertThat(Served.header(absent, "Access-Control-Allow-Origin")).isEqualTo("*");
            assertThat(Served.header(absent, "Cross-Origin-Resource-Policy")).isEqualTo("cross-origin");
            HttpResponse<byte[]> asked = served.ask("OPTIONS", "/ipfs/" + cid, page);
            assertThat(asked.statusCode()).isEqualTo(204);
            assertThat(Served.header(asked, "Access-Control-Allow-Methods")).isEqualTo("GET, HEAD, OPTIONS");
            for (String path : List.of("/v1/info", "/healthz", "/metrics", "/", "/ipfs")) {
                HttpResponse<byte[]> refused = served.get(path, page);
                assertThat(refused.statusCode()).as(path).isEqualTo(403);
                assertThat(Served.header(refused, "Access-Control-Allow-Origin"))
                        .isEmpty();
            }
            assertThat(served.ask("POST", "/ipfs/" + cid, page).statusCode()).isEqualTo(403);
        }
        try (Served served = new Served()) {
            HttpResponse<byte[]> block = served.get("/ipfs/" + served.raw("milk") + "?format=raw");
            assertThat(Served.header(block, "Access-Control-Allow-Origin")).isEmpty();
        }
    }
}
