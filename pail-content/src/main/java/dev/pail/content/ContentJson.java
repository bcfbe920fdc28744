package dev.pail.content;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.pail.content.lines.Edit;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Differences as fields of a JSON object. */
public final class ContentJson {
    /** The most unchanged lines that are written above a run, and below it. */
    private static final int CONTEXT = 3;

    private ContentJson() {}

    /** Writes the lines, the fields, the names or the sizes that differ. */
    public static void write(JsonGenerator json, ContentDiff diff) throws IOException {
        if (diff instanceof ContentDiff.Lines lines) {
            writeLines(json, lines);
        } else if (diff instanceof ContentDiff.Fields fields) {
            json.writeArrayFieldStart("fields");
            for (ContentDiff.Part<String> field : fields.fields()) {
                json.writeStartObject();
                json.writeStringField("field", field.name());
                writeRaw(json, "before", field.before());
                writeRaw(json, "after", field.after());
                json.writeEndObject();
            }
            json.writeEndArray();
        } else if (diff instanceof ContentDiff.Names names) {
            json.writeArrayFieldStart("names");
            for (ContentDiff.Part<Cid> name : names.names()) {
                json.writeStartObject();
                json.writeStringField("name", name.name());
                writeCid(json, "before", name.before());
                writeCid(json, "after", name.after());
                json.writeEndObject();
            }
            json.writeEndArray();
        } else if (diff instanceof ContentDiff.Whole whole) {
            writeSize(json, "Before", whole.before());
            writeSize(json, "After", whole.after());
        }
    }

    /** Each run with the unchanged lines around it. A line between two runs is written once. */
    private static void writeLines(JsonGenerator json, ContentDiff.Lines lines) throws IOException {
        List<String> before = lines.before().lines();
        List<String> after = lines.after().lines();
        json.writeArrayFieldStart("lines");
        int written = 0;
        for (int i = 0; i < lines.edits().size(); i++) {
            Edit edit = lines.edits().get(i);
            int end = i + 1 < lines.edits().size() ? lines.edits().get(i + 1).beforeFrom() : before.size();
            int above = Math.max(written, edit.beforeFrom() - CONTEXT);
            written = Math.min(end, edit.beforeTo() + CONTEXT);
            json.writeStartObject();
            json.writeNumberField("line", edit.afterFrom() + 1);
            json.writeNumberField("lineBefore", edit.beforeFrom() + 1);
            writeTexts(json, "above", before.subList(above, edit.beforeFrom()));
            writeTexts(json, "removed", before.subList(edit.beforeFrom(), edit.beforeTo()));
            writeTexts(json, "added", after.subList(edit.afterFrom(), edit.afterTo()));
            writeTexts(json, "below", before.subList(edit.beforeTo(), written));
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void writeTexts(JsonGenerator json, String name, List<String> texts) throws IOException {
        json.writeFieldName(name);
        json.writeArray(texts.toArray(String[]::new), 0, texts.size());
    }

    private static void writeRaw(JsonGenerator json, String name, Optional<String> value) throws IOException {
        if (value.isPresent()) {
            json.writeFieldName(name);
            json.writeRawValue(value.get());
        }
    }

    private static void writeCid(JsonGenerator json, String name, Optional<Cid> cid) throws IOException {
        if (cid.isPresent()) {
            json.writeStringField(name, cid.get().toString());
        }
    }

    private static void writeSize(JsonGenerator json, String name, Content content) throws IOException {
        if (content instanceof Content.Bytes bytes && bytes.size() >= 0) {
            json.writeNumberField("size" + name, bytes.size());
        } else if (content instanceof Content.Absent) {
            json.writeBooleanField("missing" + name, true);
        }
    }
}
