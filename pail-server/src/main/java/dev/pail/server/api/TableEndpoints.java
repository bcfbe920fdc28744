package dev.pail.server.api;

import dev.pail.Entry;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Refusal;
import dev.pail.table.FieldPath;
import dev.pail.table.Filter;
import dev.pail.table.Row;
import dev.pail.table.RowPage;
import dev.pail.table.Table;
import dev.pail.table.Tables;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers which tables a version has, and which rows. */
final class TableEndpoints {
    static final String TABLE = "/v1/table/";

    /** The most keys that start as those of tables do. */
    static final int MOST_TABLES = 10_000;

    private final RequestedVersions versions;

    TableEndpoints(RequestedVersions versions) {
        this.versions = versions;
    }

    /** To find tables, each key is read that starts as theirs do. */
    private static Tables tables(Pail pail) {
        try (Stream<Entry> entries = pail.entries(KeyRange.prefix("T"))) {
            if (entries.limit(MOST_TABLES + 1L).count() > MOST_TABLES) {
                throw Refusal.tooMuch("more than " + MOST_TABLES + " keys start with T, as those of tables do");
            }
        }
        return Tables.of(pail);
    }

    void answerTables(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        Pail pail = versions.at(Parameters.of(request, "at"), "at");
        List<Table> tables = tables(pail).list();
        JsonReply.send(request, response, callback, HttpStatus.OK_200, json -> {
            json.writeStringField("root", pail.root().toString());
            json.writeArrayFieldStart("tables");
            for (Table table : tables) {
                json.writeStartObject();
                json.writeStringField("name", table.name());
                json.writeArrayFieldStart("indexes");
                for (FieldPath field : table.indexes()) {
                    json.writeString(field.text());
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    void answerRows(Request request, Response response, Callback callback) {
        Endpoint.checkMethod(request, "GET, HEAD");
        String name = Parameters.decode(request.getHttpURI().getPath().substring(TABLE.length()));
        Parameters parameters = Parameters.of(request, "at", "where", "after", "limit");
        int limit = parameters.limit();
        Optional<Filter> filter = parameters.find("where").map(Filter::parse);
        Pail pail = versions.at(parameters, "at");
        Table table = tables(pail).table(name);
        Filter asked = filter.orElse(new Filter.And(List.of()));
        RowPage page = page(table, asked, parameters.find("after"), limit);
        // An or may use an index for each side.
        String indexes = table.explain(asked).accesses().stream()
                .map(access -> access.field().text())
                .distinct()
                .collect(Collectors.joining(", "));
        JsonReply.send(request, response, callback, HttpStatus.OK_200, json -> {
            json.writeStringField("root", pail.root().toString());
            json.writeStringField("table", table.name());
            if (!indexes.isEmpty()) {
                json.writeStringField("index", indexes);
            }
            json.writeArrayFieldStart("rows");
            for (Row row : page.rows()) {
                json.writeStartObject();
                json.writeStringField("id", row.id());
                json.writeFieldName("document");
                json.writeRawValue(row.document().json());
                json.writeEndObject();
            }
            json.writeEndArray();
            MapEndpoints.writeNext(json, page.next());
        });
    }

    private static RowPage page(Table table, Filter filter, Optional<String> after, int limit) {
        try {
            return table.page(filter, after, limit);
        } catch (IllegalArgumentException e) {
            throw Refusal.malformed(String.valueOf(e.getMessage()));
        }
    }
}
