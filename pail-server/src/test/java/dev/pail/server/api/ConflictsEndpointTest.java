package dev.pail.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.clock.Description;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.MergeOptions;
import dev.pail.repository.model.Note;
import dev.pail.server.JsonValues;
import dev.pail.server.Served;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Open conflicts over the JSON API. */
@Timeout(120)
class ConflictsEndpointTest {
    private static final String[] ANY = {"If-Match", "*"};

    private static Cid cid(String text) {
        return Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8)).cid();
    }

    private static void put(Repository repository, String branch, String key, String text) {
        repository.update(branch, before -> before.putBytes(key, text.getBytes(StandardCharsets.UTF_8)));
    }

    private static void disagree(Repository repository) {
        put(repository, "main", "a", "0");
        put(repository, "main", "b", "0");
        repository.branches().create("draft", repository.head("main"));
        Repository ann = repository.withNote(Note.of("Ann", "mine"));
        put(ann, "main", "a", "1");
        put(ann, "main", "b", "1");
        repository.update("draft", before -> before.delete("a"));
        put(repository, "draft", "b", "2");
        var unused = repository.merge("main", "draft", MergeOptions.DEFAULT);
    }

    private static HttpResponse<byte[]> decide(Served served, String key, String take, String... headers)
            throws IOException {
        return served.ask(
                "POST", "/v1/conflicts?branch=main&key=" + key + "&take=" + take, BodyPublishers.noBody(), headers);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> conflicts(HttpResponse<byte[]> response) {
        assertThat(response.statusCode()).as(Served.text(response)).isEqualTo(200);
        return (List<Map<String, Object>>) JsonValues.object(response.body()).get("conflicts");
    }

    @Test
    @SuppressWarnings("unchecked")
    void bothSidesAreListed() throws IOException {
        try (Served served = new Served()) {
            disagree(served.repository);
            List<Map<String, Object>> open = conflicts(served.get("/v1/conflicts"));
            assertThat(open).extracting(each -> each.get("key")).containsExactly("a", "b");
            assertThat(open.get(0).get("base")).isEqualTo(cid("0").toString());
            List<Map<String, Object>> sides =
                    (List<Map<String, Object>>) open.get(0).get("sides");
            assertThat(sides).hasSize(2);
            Map<String, Object> ann = sides.stream()
                    .filter(side -> side.containsKey("value"))
                    .findFirst()
                    .orElseThrow();
            assertThat(ann)
                    .containsEntry("author", "Ann")
                    .containsEntry("message", "mine")
                    .containsEntry("value", cid("1").toString())
                    .containsKeys("time", "event");
            Map<String, Object> first = JsonValues.object(
                    served.get("/v1/conflicts?branch=main&limit=1").body());
            assertThat(first).containsEntry("count", 2L).containsEntry("next", "a");
            assertThat(conflicts(served.get("/v1/conflicts?limit=1&after=a")))
                    .extracting(each -> each.get("key"))
                    .containsExactly("b");
            assertThat(conflicts(served.get("/v1/conflicts?branch=draft"))).isEmpty();
            assertThat(served.get("/v1/conflicts?branch=nope").statusCode()).isEqualTo(404);
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void aSideIsTaken() throws IOException {
        try (Served served = new Served()) {
            disagree(served.repository);
            Map<String, Object> b =
                    conflicts(served.get("/v1/conflicts?after=a")).get(0);
            Map<String, Object> other = ((List<Map<String, Object>>) b.get("sides"))
                    .stream()
                            .filter(side -> !b.get("now").equals(side.get("value")))
                            .findFirst()
                            .orElseThrow();
            assertThat(decide(served, "b", String.valueOf(other.get("event"))).statusCode())
                    .isEqualTo(428);
            assertThat(decide(served, "b", "nothing", ANY).statusCode()).isEqualTo(404);
            assertThat(decide(served, "b", String.valueOf(other.get("event")), ANY)
                            .statusCode())
                    .isEqualTo(200);
            assertThat(served.repository.pail().get("b").map(Cid::toString)).contains((String) other.get("value"));
            assertThat(decide(served, "b", "base", ANY).statusCode()).isEqualTo(404);
            assertThat(decide(served, "a", "base", ANY).statusCode()).isEqualTo(200);
            assertThat(served.repository.pail().get("a")).contains(cid("0"));
            assertThat(conflicts(served.get("/v1/conflicts"))).isEmpty();
        }
    }

    @Test
    void theValueThatStandsMayStay() throws IOException {
        try (Served served = new Served()) {
            disagree(served.repository);
            Cid root = served.repository.root("main");
            for (String key : List.of("a", "b")) {
                assertThat(decide(served, key, "now", ANY).statusCode()).isEqualTo(200);
            }
            assertThat(served.repository.root("main")).isEqualTo(root);
            assertThat(conflicts(served.get("/v1/conflicts"))).isEmpty();
        }
    }

    /** Other programs may write authors and messages that no note takes. */
    @Test
    @SuppressWarnings("unchecked")
    void aStrangeDescriptionIsListed() throws IOException {
        try (Served served = new Served()) {
            put(served.repository, "main", "a", "0");
            served.repository.branches().create("draft", served.repository.head("main"));
            put(served.repository, "main", "a", "1");
            Description strange = new Description(
                    Optional.of("Eve\u0007"), Optional.of("m".repeat(Description.MAX_MESSAGE)), Optional.empty());
            served.repository.change(
                    "draft", "x", ours -> ours.described(strange).put("a", cid("2")));
            var unused = served.repository.merge("main", "draft", MergeOptions.DEFAULT);
            List<Map<String, Object>> sides = (List<Map<String, Object>>)
                    conflicts(served.get("/v1/conflicts")).get(0).get("sides");
            assertThat(sides).extracting(side -> side.get("author")).contains("Eve");
        }
    }
}
