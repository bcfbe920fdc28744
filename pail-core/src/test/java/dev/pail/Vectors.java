package dev.pail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The conformance vectors in {@code spec/vectors}. */
public final class Vectors {
    private Vectors() {}

    /** The folder of the whole project. */
    public static Path project() {
        String project = System.getProperty("pail.project");
        return project == null ? Path.of("").toAbsolutePath().getParent() : Path.of(project);
    }

    static List<JsonNode> cases(String file) {
        try {
            List<JsonNode> cases = new ArrayList<>();
            new ObjectMapper()
                    .readTree(project().resolve("spec/vectors").resolve(file).toFile())
                    .forEach(cases::add);
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static ShardFormat format(JsonNode vector) {
        JsonNode config = vector.get("config");
        return switch (vector.get("format").asText()) {
            case "v0" ->
                ShardFormat.v0(
                        config.path("maxSize").asInt(512 * 1024),
                        config.path("maxKeyLength").asInt(64));
            case "v1" -> ShardFormat.v1(config.path("maxKeySize").asInt(4096));
            case "v2" -> ShardFormat.v2(config.path("maxKeySize").asInt(4096));
            default -> throw new IllegalArgumentException(vector.get("format").asText());
        };
    }

    static Cid value(JsonNode value) {
        return value.isInt() ? value(value.asInt()) : Cid.parse(value.asText());
    }

    /** The value that a number stands for: the raw block of its decimal digits. */
    public static Cid value(int number) {
        return Block.of(Cid.RAW, String.format(Locale.ROOT, "%d", number).getBytes(StandardCharsets.US_ASCII))
                .cid();
    }
}
