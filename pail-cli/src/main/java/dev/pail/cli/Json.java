package dev.pail.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;

/** CIDs as fields of JSON objects. */
final class Json {
    private Json() {}

    static void writeCids(JsonGenerator json, String name, Collection<Cid> cids) throws IOException {
        json.writeArrayFieldStart(name);
        for (Cid cid : cids) {
            json.writeString(cid.toString());
        }
        json.writeEndArray();
    }

    /** Writes a field, if there is a CID. */
    static void writeCid(JsonGenerator json, String name, Optional<Cid> cid) throws IOException {
        if (cid.isPresent()) {
            json.writeStringField(name, cid.get().toString());
        }
    }
}
