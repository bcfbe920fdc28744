package dev.pail.cli.terminal;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** Fields of JSON objects. */
public final class Json {
    private Json() {}

    public static void writeCids(JsonGenerator json, String name, Collection<Cid> cids) throws IOException {
        writeTexts(json, name, cids.stream().map(Cid::toString).toList());
    }

    public static void writeTexts(JsonGenerator json, String name, Collection<String> texts) throws IOException {
        json.writeArrayFieldStart(name);
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }

    /** Writes a field for each number. */
    public static void writeNumbers(JsonGenerator json, Map<String, ? extends Number> numbers) throws IOException {
        for (Map.Entry<String, ? extends Number> number : numbers.entrySet()) {
            json.writeFieldName(number.getKey());
            json.writeNumber(number.getValue().toString());
        }
    }

    /** Writes a field, if there is a CID. */
    public static void writeCid(JsonGenerator json, String name, Optional<Cid> cid) throws IOException {
        if (cid.isPresent()) {
            json.writeStringField(name, cid.get().toString());
        }
    }
}
