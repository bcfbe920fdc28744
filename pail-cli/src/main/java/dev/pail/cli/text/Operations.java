package dev.pail.cli.text;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.pail.bytes.Utf8;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.values.MalformedOperationException;
import dev.pail.values.OperationReader;
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
            "condition-failed",
            "malformed-data",
            "malformed-document",
            "syntax");

    /** What the parser says of its own settings and of its source, which means nothing to the author of the line. */
    private static final Pattern FOR_PROGRAMMERS = Pattern.compile(
            "(?:: enable `| \\(not recognized| \\([^()]*\\[Source).*| \\(code [^()]*\\)|: (?:was expecting|expected a valid value) \\(.*");

    private static final Pattern UNENDED = Pattern.compile("Unexpected end-of-input: expected close marker for (\\w+)");

    private static final Pattern DAG_JSON_LINK = Pattern.compile("\\{\\s*\"/\"");

    private final JsonTexts texts;
    private final OperationReader reader;
    private final ValueTexts values;
    private final FileValues files;
    private final boolean isEachLine;

    /** The text of the operation that is read. */
    private String text = "";

    /** Reads files that operations name. */
    public interface FileValues {
        NewValue read(String path);
    }

    public Operations(Lines lines, JsonTexts.Layout layout, ValueTexts values, FileValues files) {
        this.reader = new OperationReader(new GivenValues());
        this.values = values;
        this.files = files;
        this.texts = new JsonTexts(lines, layout);
        this.isEachLine = layout == JsonTexts.Layout.ONE_A_LINE;
    }

    /** Goes back to the beginning. */
    public void restart() {
        texts.restart();
        values.restart();
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
    public OperationReader.@Nullable Change next() {
        String next = texts.next();
        if (next == null) {
            return null;
        }
        text = next;
        return parse();
    }

    /** What to throw instead of an error that happened here: if a line is to blame, says which. */
    public static RuntimeException at(String place, RuntimeException error) {
        Failure failure = Failure.of(error);
        if (!isOfALine(failure)) {
            return error;
        }
        String hint = "nothing was changed" + (failure.hint() == null ? "" : "; " + failure.hint());
        // Wrong usage is that of the command, and not of its input.
        int exit = failure.exit() == Exit.USAGE ? Exit.FAILED : failure.exit();
        return new Failure.Found(exit, failure.code(), place + ": " + failure.message(), hint);
    }

    public static boolean isOfALine(Failure failure) {
        return OF_A_LINE.contains(failure.code());
    }

    private OperationReader.Change parse() {
        try (JsonParser parser = OperationReader.parser(text)) {
            parser.nextToken();
            if (isEachLine && parser.currentToken() == JsonToken.START_ARRAY) {
                throw notAnOperation("an object is expected, not an array: make lines with jq -c '.[]'");
            }
            List<OperationReader.Change> changes = new ArrayList<>(1);
            reader.read(parser, changes::add);
            if (parser.nextToken() != null) {
                throw notAnOperation("something behind the operation");
            }
            return batch -> changes.forEach(change -> change.applyTo(batch));
        } catch (MalformedOperationException e) {
            throw notAnOperation(e.text());
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

    /** The values of an operation. Files are read when it is carried out. */
    private final class GivenValues implements OperationReader.Values {
        @Override
        public OperationReader.Value cid(String given) {
            return values.read(given)::put;
        }

        @Override
        public OperationReader.Value file(String path) {
            return (batch, key) -> files.read(path).put(batch, key);
        }

        /** A value that is no text: the text of it, as {@code table load --raw} keeps it. */
        @Override
        public OperationReader.Value json(JsonParser json) throws IOException {
            if (!values.takesTexts()) {
                return OperationReader.Values.super.json(json);
            }
            if (json.currentToken() == JsonToken.VALUE_NULL) {
                throw new MalformedOperationException("\"value\" is null; del removes a key");
            }
            if (!json.currentToken().isStructStart()) {
                return NewValue.of(Utf8.encode(json.getText()))::put;
            }
            int from = (int) json.currentTokenLocation().getCharOffset();
            json.skipChildren();
            String whole = text.substring(from, (int) json.currentLocation().getCharOffset());
            if (DAG_JSON_LINK.matcher(whole).lookingAt()) {
                throw new MalformedOperationException("\"value\" is a link of dag-json: give the CID alone, as a text");
            }
            return NewValue.of(Utf8.encode(whole))::put;
        }
    }
}
