package dev.pail.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.Pail;
import dev.pail.server.JsonValues;
import dev.pail.server.Served;
import dev.pail.table.Column;
import dev.pail.table.Document;
import dev.pail.table.FieldPath;
import dev.pail.table.Schema;
import dev.pail.table.Tables;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Differences of values, names of tables and rows, and writes of rows over the JSON API. */
@Timeout(120)
class ContentApiTest {
    private static Map<String, Object> json(HttpResponse<byte[]> response) {
        assertThat(response.statusCode()).as(Served.text(response)).isEqualTo(200);
        return JsonValues.object(response.body());
    }

    private static void put(Served served, String key, String text) {
        served.repository.update("main", pail -> pail.putBytes(key, text.getBytes(StandardCharsets.UTF_8)));
    }

    private static Pail people(Pail pail) {
        return Tables.of(pail)
                .create("people")
                .createIndex(FieldPath.parse("age"))
                .pail();
    }

    private static HttpResponse<byte[]> putRow(Served served, String document, String... headers) throws IOException {
        return served.ask("PUT", "/v1/table/people?branch=main&id=ann", BodyPublishers.ofString(document), headers);
    }

    @Test
    void aDifferenceHasLines() throws IOException {
        try (Served served = new Served()) {
            put(served, "a", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
            put(served, "a", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n10\n");
            Map<String, Object> diff = json(served.get("/v1/diff/value?from=main@%7b1%7d&key=a"));
            assertThat(diff).containsKeys("from", "to", "key", "before", "after");
            List<Map<String, Object>> runs = JsonValues.objects(diff, "lines");
            assertThat(runs).hasSize(2);
            assertThat(runs.get(0))
                    .containsEntry("line", 5L)
                    .containsEntry("lineBefore", 5L)
                    .containsEntry("above", List.of("2\n", "3\n", "4\n"))
                    .containsEntry("removed", List.of("5\n"))
                    .containsEntry("added", List.of("five\n"))
                    .containsEntry("below", List.of("6\n", "7\n", "8\n"));
            // A line between two runs is in the answer once.
            assertThat(runs.get(1))
                    .containsEntry("above", List.of("9\n"))
                    .containsEntry("removed", List.of())
                    .containsEntry("added", List.of("10\n"))
                    .containsEntry("below", List.of());
        }
    }

    @Test
    void aDifferenceHasFieldsOrSizes() throws IOException {
        try (Served served = new Served()) {
            put(served, "a", "{\"x\":1,\"y\":\"z\"}");
            put(served, "a", "{\"x\":2,\"y\":\"z\"}");
            assertThat(JsonValues.objects(json(served.get("/v1/diff/value?from=main@%7b1%7d&to=main&key=a")), "fields"))
                    .containsExactly(Map.of("field", "x", "before", 1L, "after", 2L));
            put(served, "a", "\0bytes");
            assertThat(json(served.get("/v1/diff/value?from=main@%7b1%7d&to=main&key=a")))
                    .containsEntry("sizeAfter", 6L)
                    .doesNotContainKeys("fields", "lines");
            assertThat(served.get("/v1/diff/value?from=main&to=main&key=none").statusCode())
                    .isEqualTo(404);
            assertThat(served.get("/v1/diff/value?key=a").statusCode()).isEqualTo(400);
        }
    }

    @Test
    void changesNameTablesAndRows() throws IOException {
        try (Served served = new Served()) {
            served.repository.update("main", ContentApiTest::people);
            served.repository.update(
                    "main",
                    pail -> Tables.of(pail)
                            .table("people")
                            .put("ann", Document.parse("{\"age\":3}"))
                            .pail());
            put(served, "Title", "x");
            List<Map<String, Object>> changes =
                    JsonValues.objects(json(served.get("/v1/diff?from=main@%7b2%7d&to=main")), "changes");
            assertThat(changes)
                    .filteredOn(change -> !change.containsKey("index"))
                    .hasSize(2);
            assertThat(changes)
                    .filteredOn(change -> "people".equals(change.get("table")))
                    .singleElement()
                    .extracting(change -> change.get("row"))
                    .isEqualTo("ann");
            assertThat(changes)
                    .filteredOn(change -> "Title".equals(change.get("key")))
                    .singleElement()
                    .satisfies(change -> assertThat(change).doesNotContainKeys("table", "index"));
            List<Map<String, Object>> events = JsonValues.objects(json(served.get("/v1/history")), "events");
            assertThat(JsonValues.objects(events.get(1), "ops"))
                    .extracting(op -> op.get("row") + " " + op.get("index"))
                    .contains("ann null", "null true");
            // A table that was dropped is named by the version before.
            served.repository.update(
                    "main", pail -> Tables.of(pail).drop("people").pail());
            assertThat(JsonValues.objects(json(served.get("/v1/diff?from=main@%7b1%7d&to=main")), "changes"))
                    .extracting(change -> change.get("table"))
                    .contains("people");
        }
    }

    @Test
    void aRowThatDoesNotFitItsSchemaIsRefused() throws IOException {
        try (Served served = new Served()) {
            served.repository.update("main", ContentApiTest::people);
            served.repository.update(
                    "main",
                    pail -> Tables.of(pail)
                            .table("people")
                            .withSchema(Schema.of(List.of(Column.parse("age integer"))))
                            .pail());
            HttpResponse<byte[]> refused = putRow(served, "{\"age\":\"x\"}", "If-Match", "*");
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(new String(refused.body(), StandardCharsets.UTF_8))
                    .contains("\"row-misfit\"")
                    .contains("the column \\\"age\\\" has \\\"x\\\", and takes an integer");
            assertThat(putRow(served, "{\"age\":3}", "If-Match", "*").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void aRowIsPutAndDeletedWithItsIndexes() throws IOException {
        try (Served served = new Served()) {
            served.repository.update("main", ContentApiTest::people);
            assertThat(putRow(served, "{\"age\":3}").statusCode()).isEqualTo(428);
            assertThat(putRow(served, "{\"age\":3}", "If-Match", "\"7\"").statusCode())
                    .isEqualTo(412);
            assertThat(json(putRow(served, "{\"age\":3}", "If-Match", "\"1\""))).containsEntry("generation", 2L);
            assertThat(json(served.get("/v1/table/people?where=age=3"))).containsEntry("index", "age");
            assertThat(JsonValues.objects(json(served.get("/v1/table/people?where=age=3")), "rows"))
                    .hasSize(1);
            for (String wrong : List.of("", "[]", "{\"age\":3", "{\"age\":3}x")) {
                assertThat(putRow(served, wrong, "If-Match", "*").statusCode())
                        .as(wrong)
                        .isEqualTo(400);
            }
            String row = "/v1/table/people?branch=main&id=ann";
            assertThat(json(served.ask("DELETE", row, "If-Match", "\"2\""))).containsEntry("generation", 3L);
            assertThat(served.repository.root("main"))
                    .isEqualTo(people(Pail.create(served.blocks(), served.repository.format()))
                            .root());
            assertThat(served.ask("DELETE", "/v1/table/none?branch=main&id=ann", "If-Match", "*")
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void aRowIsChangedOnlyIfItHasTheDocumentThatWasRead() throws IOException {
        try (Served served = new Served()) {
            served.repository.update("main", ContentApiTest::people);
            String row = "/v1/table/people?branch=main&id=ann";
            BodyPublisher three = BodyPublishers.ofString("{\"age\":3}");
            assertThat(served.ask("PUT", row + "&if=absent", three, "If-Match", "*")
                            .statusCode())
                    .isEqualTo(200);
            HttpResponse<byte[]> again = served.ask("PUT", row + "&if=absent", three, "If-Match", "*");
            assertThat(again.statusCode()).isEqualTo(412);
            assertThat(new String(again.body(), StandardCharsets.UTF_8))
                    .contains("condition-failed", "the row \\\"ann\\\" has the document ");
            Object cid = JsonValues.objects(json(served.get("/v1/table/people")), "rows")
                    .get(0)
                    .get("cid");
            BodyPublisher four = BodyPublishers.ofString("{\"age\":4}");
            assertThat(served.ask("PUT", row + "&if=" + cid, four, "If-Match", "*")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(served.ask("DELETE", row + "&if=" + cid, "If-Match", "*").statusCode())
                    .isEqualTo(412);
            assertThat(served.ask("DELETE", row + "&if=x", "If-Match", "*").statusCode())
                    .isEqualTo(400);
            assertThat(JsonValues.objects(json(served.get("/v1/table/people")), "rows")
                            .get(0)
                            .get("document"))
                    .hasToString("{age=4}");
        }
    }
}
