package dev.pail.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.pail.Batch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Operations as lines of JSON: put, del, and batches of them. */
final class Operations {
    private static final int MAX_LINE = 64 << 20;

    private final JsonFactory json = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private final InputStream in;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private long number;

    /** An operation. */
    interface Operation {
        void applyTo(Batch batch);
    }

    Operations(InputStream in) {
        this.in = in;
    }

    /** The number of the line that was read last, from 1. */
    long number() {
        return number;
    }

    /**
     * The operation on the next line that is not empty, or null behind the last.
     *
     * @throws Failure.Found if the line is none; the next can be read all the same
     */
    @Nullable
    Operation next() {
        while (readLine()) {
            number++;
            String text = decode();
            if (!text.isBlank()) {
                return parse(text);
            }
        }
        return null;
    }

    private boolean readLine() {
        line.reset();
        try {
            int b = in.read();
            if (b < 0) {
                return false;
            }
            for (; b >= 0 && b != '\n'; b = in.read()) {
                line.write(b);
                if (line.size() > MAX_LINE) {
                    throw new Failure.Found(Exit.FAILED, "syntax", "a line of more than " + MAX_LINE + " bytes", null);
                }
            }
            return true;
        } catch (IOException e) {
            throw new Failure.Found(Exit.FAILED, "io", "cannot read operations: " + e.getMessage(), null);
        }
    }

    private String decode() {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(line.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw syntax("not UTF-8");
        }
    }

    private Operation parse(String text) {
        try (JsonParser parser = json.createParser(text)) {
            parser.nextToken();
            Operation operation = operation(parser, true);
            if (parser.nextToken() != null) {
                throw syntax("something behind the operation");
            }
            return operation;
        } catch (JsonProcessingException e) {
            int column = e.getLocation() == null ? 0 : e.getLocation().getColumnNr();
            throw syntax("column " + column + ": "
                    + e.getOriginalMessage().lines().findFirst().orElse(""));
        } catch (IOException e) {
            throw syntax(String.valueOf(e.getMessage()));
        }
    }

    private static Failure.Found syntax(String message) {
        return new Failure.Found(Exit.FAILED, "syntax", "not an operation: " + message, null);
    }

    private static Operation operation(JsonParser parser, boolean batches) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw syntax("an object is expected");
        }
        String op = null;
        String key = null;
        String value = null;
        List<Operation> ops = null;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (batches && name.equals("ops") && token == JsonToken.START_ARRAY) {
                ops = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    ops.add(operation(parser, false));
                }
                continue;
            }
            if (token != JsonToken.VALUE_STRING) {
                throw syntax("\"" + name + "\" is no text");
            }
            switch (name) {
                case "op" -> op = parser.getText();
                case "key" -> key = parser.getText();
                case "value" -> value = parser.getText();
                default -> throw syntax("no \"" + name + "\" is known");
            }
        }
        return operation(op, key, value, ops);
    }

    private static Operation operation(
            @Nullable String op, @Nullable String key, @Nullable String value, @Nullable List<Operation> ops) {
        if ("put".equals(op) && key != null && value != null && ops == null) {
            return batch -> batch.put(key, Values.parse(value));
        }
        if ("del".equals(op) && key != null && value == null && ops == null) {
            return batch -> batch.delete(key);
        }
        if ("batch".equals(op) && key == null && value == null && ops != null) {
            return batch -> ops.forEach(each -> each.applyTo(batch));
        }
        throw syntax("put has a key and a value, del a key, batch has ops");
    }
}
