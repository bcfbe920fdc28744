package dev.pail.server.api;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.pail.Batch;
import dev.pail.Escapes;
import dev.pail.PailException;
import dev.pail.ipld.Cid;
import dev.pail.server.http.Refusal;
import dev.pail.values.MalformedOperationException;
import dev.pail.values.OperationReader;
import java.io.IOException;

/** Applies operations behind each other, as one a line, or in one array. It holds one change at a time. For one use. */
final class Operations {
    private static final OperationReader READER = new OperationReader(Operations::value);

    private final JsonParser parser;
    private final Batch batch;
    private long number;

    private Operations(JsonParser parser, Batch batch) {
        this.parser = parser;
        this.batch = batch;
    }

    /**
     * Applies all operations of a text in UTF-8 to a batch.
     *
     * @throws Refusal if it is malformed, or the format does not take a key; it says which operation
     */
    static void apply(byte[] text, Batch batch) {
        try (JsonParser parser = OperationReader.parser(text)) {
            new Operations(parser, batch).readAll();
        } catch (JsonProcessingException e) {
            JsonLocation at = e.getLocation();
            String place = at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr() + ": ";
            throw malformed(place + e.getOriginalMessage().lines().findFirst().orElse("not JSON"));
        } catch (IOException e) {
            throw malformed("not JSON in UTF-8: " + e.getMessage());
        }
    }

    private static Refusal malformed(String message) {
        return Refusal.malformed("the operations are malformed: " + message);
    }

    private void readAll() throws IOException {
        JsonToken first = parser.nextToken();
        if (first == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                read();
            }
            if (parser.nextToken() != null) {
                throw malformed("something is behind the array");
            }
            return;
        }
        for (JsonToken token = first; token != null; token = parser.nextToken()) {
            read();
        }
    }

    private void read() throws IOException {
        number++;
        try {
            READER.read(parser, change -> change.applyTo(batch));
        } catch (MalformedOperationException e) {
            throw malformed("operation " + number + ": " + e.text());
        } catch (PailException e) {
            throw Refusal.of(e).at("operation " + number);
        }
    }

    private static OperationReader.Value value(String text) {
        Cid cid = RequestedVersions.parse(text)
                .orElseThrow(() -> new MalformedOperationException("the value is no CID: " + Escapes.brief(text)));
        return (batch, key) -> batch.put(key, cid);
    }
}
