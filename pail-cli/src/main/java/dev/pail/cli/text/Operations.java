package dev.pail.cli.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.pail.Batch;
import dev.pail.Escapes;
import dev.pail.bytes.Utf8;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Operations as JSON: put, del, and batches of them. */
public final class Operations {
    /** Failures that are the fault of a line, so that the next one may do better. */
    private static final Set<String> OF_A_LINE = Set.of(
            "key-not-allowed",
            "malformed-key",
            "shard-limit",
            "clock-limit",
            "replay-failed",
            "bad-value",
            "malformed-data",
            "malformed-document",
            "syntax");

    /** What the parser says of its own settings and of its source, which means nothing to the author of the line. */
    private static final Pattern FOR_PROGRAMMERS = Pattern.compile(
            "(?:: enable `| \\(not recognized| \\([^()]*\\[Source).*| \\(code [^()]*\\)|: (?:was expecting|expected a valid value) \\(.*");

    private static final Pattern UNENDED = Pattern.compile("Unexpected end-of-input: expected close marker for (\\w+)");

    /** Names are not kept: of those that are not known, in any number of lines, they would be too many. */
    private final JsonFactory json = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final JsonTexts texts;
    private final FileValues files;
    private final boolean isEachLine;

    /** An operation. */
    public interface Operation {
        void applyTo(Batch batch);
    }

    /** Reads files that operations name. */
    public interface FileValues {
        NewValue read(String path);
    }

    public Operations(Lines lines, JsonTexts.Layout layout, FileValues files) {
        this.files = files;
        this.texts = new JsonTexts(lines, layout);
        this.isEachLine = layout == JsonTexts.Layout.ONE_A_LINE;
    }

    /** Goes back to the beginning. */
    public void restart() {
        texts.restart();
    }

    /** The line in which the last operation begins, from 1. */
    public long line() {
        return texts.line();
    }

    /**
     * The next operation, or null behind the last.
     *
     * @throws Failure.Found if the next value is none; the one behind it can be read all the same
     */
    @Nullable
    public Operation next() {
        String text = texts.next();
        return text == null ? null : parse(text);
    }

    /** What to throw instead of an error that happened here: if a line is to blame, says which. */
    public static RuntimeException at(String place, RuntimeException error) {
        Failure failure = Failure.of(error);
        if (!isOfALine(failure)) {
            return error;
        }
        String hint = "nothing was changed" + (failure.hint() == null ? "" : "; " + failure.hint());
        return new Failure.Found(Exit.FAILED, failure.code(), place + ": " + failure.message(), hint);
    }

    public static boolean isOfALine(Failure failure) {
        return OF_A_LINE.contains(failure.code());
    }

    private Operation parse(String text) {
        try (JsonParser parser = json.createParser(text)) {
            parser.nextToken();
            if (isEachLine && parser.currentToken() == JsonToken.START_ARRAY) {
                throw notAnOperation("an object is expected, not an array: make lines with jq -c '.[]'");
            }
            Operation operation = operation(parser, Place.ALONE);
            if (parser.nextToken() != null) {
                throw notAnOperation("something behind the operation");
            }
            return operation;
        } catch (JsonProcessingException e) {
            throw notAnOperation(place(e.getLocation()) + message(e));
        } catch (IOException e) {
            throw notAnOperation(String.valueOf(e.getMessage()));
        }
    }

    /** Where in the text of all operations a place in one of them is. */
    private String place(@Nullable JsonLocation at) {
        if (at == null || at.getLineNr() <= 1) {
            return "column " + (at == null ? 0 : at.getColumnNr() + texts.column() - 1) + ": ";
        }
        return "line " + (texts.line() + at.getLineNr() - 1) + ", column " + at.getColumnNr() + ": ";
    }

    private String message(JsonProcessingException e) {
        String line = e.getOriginalMessage().lines().findFirst().orElse("");
        Matcher unended = UNENDED.matcher(line);
        if (unended.find()) {
            return "the " + unended.group(1).toLowerCase(Locale.ROOT) + " does not end"
                    + (isEachLine ? ", and --each takes one operation a line: make lines with jq -c ." : "");
        }
        return FOR_PROGRAMMERS.matcher(line).replaceAll("");
    }

    private static Failure.Found notAnOperation(String message) {
        return Lines.syntax("not an operation: " + message);
    }

    private enum Place {
        ALONE,
        IN_A_BATCH
    }

    private Operation operation(JsonParser parser, Place place) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw notAnOperation("an object is expected");
        }
        String op = null;
        String key = null;
        String value = null;
        NewValue stored = null;
        List<Operation> ops = null;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (name.equals("ops") && token == JsonToken.START_ARRAY) {
                if (place == Place.IN_A_BATCH) {
                    throw notAnOperation("a batch within a batch");
                }
                ops = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    ops.add(operation(parser, Place.IN_A_BATCH));
                }
                continue;
            }
            if (token != JsonToken.VALUE_STRING) {
                throw notAnOperation("\"" + name + "\" is no text");
            }
            switch (name) {
                case "op" -> op = parser.getText();
                case "key" -> key = parser.getText();
                case "value" -> value = parser.getText();
                case "text", "base64", "file" -> {
                    if (stored != null) {
                        throw notAnOperation("a put has one value");
                    }
                    stored = stored(name, parser);
                }
                default -> throw notAnOperation("no \"" + name + "\" is known");
            }
        }
        return operation(op, key, newValue(value, stored), ops);
    }

    private static @Nullable NewValue newValue(@Nullable String cid, @Nullable NewValue stored) {
        if (cid == null) {
            return stored;
        }
        if (stored != null) {
            throw notAnOperation("a put has one value");
        }
        return (batch, key) -> NewValue.of(Values.parse(cid)).put(batch, key);
    }

    /** A value that is not there yet. A file is read when the operation is carried out. */
    private NewValue stored(String kind, JsonParser parser) throws IOException {
        String text = parser.getText();
        return switch (kind) {
            case "text" -> NewValue.of(utf8(text));
            case "base64" -> NewValue.of(parser.getBinaryValue());
            default -> (batch, key) -> files.read(text).put(batch, key);
        };
    }

    private static byte[] utf8(String text) {
        if (Utf8.loneSurrogate(text) >= 0) {
            throw notAnOperation("the text has half of a character, a lone surrogate");
        }
        return Utf8.encode(text);
    }

    private static Operation operation(
            @Nullable String op, @Nullable String key, @Nullable NewValue value, @Nullable List<Operation> ops) {
        if ("put".equals(op) && key != null && value != null && ops == null) {
            return batch -> value.put(batch, key);
        }
        if ("del".equals(op) && key != null && value == null && ops == null) {
            return batch -> batch.delete(key);
        }
        if ("batch".equals(op) && key == null && value == null && ops != null) {
            return batch -> ops.forEach(each -> each.applyTo(batch));
        }
        throw notAnOperation("put has a key and a value, del a key, batch has ops; this is "
                + (op == null ? "without op" : Escapes.brief(op)));
    }
}
