package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What came of a command line: exit status, standard output, standard error. */
public final class Answer {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final String command;
    private final int status;
    private final byte[] out;
    private final byte[] err;

    public Answer(String command, int status, byte[] out, byte[] err) {
        this.command = command;
        this.status = status;
        this.out = out.clone();
        this.err = err.clone();
    }

    public int status() {
        return status;
    }

    /** Standard output as it is. */
    public byte[] bytes() {
        return out.clone();
    }

    /** Standard output, which must be UTF-8. */
    public String text() {
        return decode(out);
    }

    /** Standard error, which must be UTF-8. */
    public String err() {
        return decode(err);
    }

    /** The lines of standard output. Each must be terminated. */
    public List<String> lines() {
        return lines(text());
    }

    /** The only line of standard output. */
    public String line() {
        assertThat(lines()).as(command).hasSize(1);
        return lines().get(0);
    }

    /** The JSON objects on the lines of standard output. */
    public List<JsonNode> json() {
        return lines().stream().map(Answer::parse).toList();
    }

    /** Done, without a word on standard error but that linked blocks were left out, as values are absent in most tests, or that conflicts are open. */
    public Answer done() {
        assertThat(withoutLeftOut()).as(command).isEmpty();
        assertThat(status).as(command).isZero();
        return this;
    }

    private String withoutLeftOut() {
        return err().replaceAll("(?m)^(?:warning: left out|[0-9]+ conflicts? (?:is|are) open,) .*\\n", "");
    }

    /** Refused with this exit status, without any data; the message and the hint are returned. */
    public String refused(int expected) {
        assertThat(text()).as(command + ": standard output").isEmpty();
        return failed(expected);
    }

    /** Failed with this exit status, perhaps after some data; the message and the hint are returned. */
    public String failed(int expected) {
        List<String> lines = lines(withoutLeftOut());
        assertThat(status).as("%s: %s", command, lines).isEqualTo(expected);
        assertThat(lines).as(command).hasSizeBetween(1, 2);
        assertThat(lines.get(0)).as(command).startsWith("error: ").hasSizeGreaterThan(10);
        assertThat(lines.subList(1, lines.size())).as(command).allMatch(line -> line.startsWith("hint: "));
        assertNoTrace(err());
        return err();
    }

    /** Refused under {@code --json} with this exit status: the one object that says why. */
    public JsonNode refusedInJson(int expected) {
        assertThat(text()).as(command + ": standard output").isEmpty();
        return failedInJson(expected);
    }

    /** Failed under {@code --json} with this exit status, perhaps after some data: the one object that says why. */
    public JsonNode failedInJson(int expected) {
        assertThat(status).as("%s: %s", command, err()).isEqualTo(expected);
        List<String> lines = lines(err());
        assertThat(lines).as(command).hasSize(1);
        JsonNode failure = parse(lines.get(0));
        assertThat(failure.properties())
                .as(command)
                .allMatch(field -> field.getValue().isTextual());
        assertThat(failure.fieldNames())
                .toIterable()
                .startsWith("error", "code")
                .isSubsetOf("error", "code", "hint");
        assertNoTrace(lines.get(0));
        return failure;
    }

    private void assertNoTrace(String text) {
        assertThat(text).as(command).doesNotContain("\tat ", "Exception", "java.", "a defect in pail");
    }

    public static JsonNode parse(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("not JSON: " + text, e);
        }
    }

    private List<String> lines(String text) {
        assertThat(text).as(command).matches("(?s)|.*\n");
        return text.isEmpty()
                ? List.of()
                : List.of(text.substring(0, text.length() - 1).split("\n", -1));
    }

    private static String decode(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UncheckedIOException("not UTF-8", e);
        }
    }

    @Override
    public String toString() {
        return command + ": " + status + "\n" + new String(out, StandardCharsets.UTF_8)
                + new String(err, StandardCharsets.UTF_8);
    }
}
