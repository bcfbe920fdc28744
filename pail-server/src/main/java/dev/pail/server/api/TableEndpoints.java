package dev.pail.server.api;

import dev.pail.Entry;
import dev.pail.Escapes;
import dev.pail.KeyRange;
import dev.pail.Pail;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.server.http.Endpoint;
import dev.pail.server.http.JsonReply;
import dev.pail.server.http.Parameters;
import dev.pail.server.http.Paths;
import dev.pail.server.http.Refusal;
import dev.pail.server.http.RequestBody;
import dev.pail.table.Document;
import dev.pail.table.DocumentException;
import dev.pail.table.Filter;
import dev.pail.table.Index;
import dev.pail.table.Row;
import dev.pail.table.RowPage;
import dev.pail.table.Table;
import dev.pail.table.Tables;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers which tables a version has, and which rows; puts and deletes rows. */
final class TableEndpoints {
    /** The most keys that start as those of tables do. */
    static final int MOST_TABLES = 10_000;

    private final RequestedVersions versions;
    private final Writes writes;

    TableEndpoints(RequestedVersions versions, Writes writes) {
        this.writes = writes;
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
                for (Index index : table.declaredIndexes()) {
                    json.writeString(index.toString());
                }
                json.writeEndArray();
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    void answerRows(Request request, Response response, Callback callback) throws IOException {
        Endpoint.checkMethod(request, "GET, HEAD, PUT, DELETE");
        if (HttpMethod.PUT.is(request.getMethod()) || HttpMethod.DELETE.is(request.getMethod())) {
            writeRow(request, response, callback);
            return;
        }
        String name = Parameters.decode(request.getHttpURI().getPath().substring(Paths.TABLE.length()));
        Parameters parameters = Parameters.of(request, "at", "where", "after", "limit");
        int limit = parameters.limit();
        Optional<Filter> filter = parameters.find("where").map(Filter::parse);
        Pail pail = versions.at(parameters, "at");
        Table table = tables(pail).table(name);
        Filter asked = filter.orElse(new Filter.And(List.of()));
        RowPage page = page(table, asked, parameters.find("after"), limit);
        // An or may use an index for each side.
        String indexes = table.explain(asked).accesses().stream()
                .map(access -> access.index().toString())
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
                json.writeStringField("cid", row.cid().toString());
                json.writeFieldName("document");
                json.writeRawValue(row.document().json());
                json.writeEndObject();
            }
            json.writeEndArray();
            MapEndpoints.writeNext(json, page.next());
        });
    }

    /** Puts or deletes a row, with the entries of its indexes. */
    private void writeRow(Request request, Response response, Callback callback) throws IOException {
        String name = Parameters.decode(request.getHttpURI().getPath().substring(Paths.TABLE.length()));
        Parameters parameters = Parameters.of(request, "branch", "id", ExpectedValue.PARAMETER);
        String branch = parameters.require("branch");
        String id = parameters.text("id");
        ExpectedValue expected = ExpectedValue.of(parameters);
        Precondition precondition = writes.check(request, branch);
        UnaryOperator<Table> change;
        if (HttpMethod.DELETE.is(request.getMethod())) {
            change = table -> table.delete(id);
        } else {
            Document document = document(request);
            change = table -> table.put(id, document);
        }
        writes.make(request, response, callback, branch, precondition, pail -> {
            Table table = tables(pail).table(name);
            Optional<Cid> found = table.get(id).map(Row::cid);
            if (!expected.allows(found)) {
                throw Refusal.preconditionFailed(
                        "condition-failed",
                        "the row " + Escapes.brief(id)
                                + found.map(cid -> " has the document " + cid).orElse(" is not there"));
            }
            return change.apply(table).pail();
        });
    }

    private static Document document(Request request) throws IOException {
        try (InputStream in = RequestBody.of(request, Block.MAX_SIZE)) {
            return Document.parse(in.readAllBytes());
        } catch (DocumentException e) {
            throw Refusal.malformed("the body is no document: " + e.getMessage());
        }
    }

    private static RowPage page(Table table, Filter filter, Optional<String> after, int limit) {
        try {
            return table.page(filter, after, limit);
        } catch (IllegalArgumentException e) {
            throw Refusal.malformed(String.valueOf(e.getMessage()));
        }
    }
}
