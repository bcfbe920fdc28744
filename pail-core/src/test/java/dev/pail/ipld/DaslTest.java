package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pail.testkit.Corpora;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The cases of dasl-testing for dag-cbor, for CBOR in general, and for CIDs. Those for other profiles alone (RFC 8949
 * preferred serialization, dCBOR, CDE, CBOR Core) contradict dag-cbor and do not apply.
 */
class DaslTest {
    private static final Set<String> PROFILES = Set.of("dag-cbor", "basic", "dasl-cid");

    /**
     * Well-formed CIDs that DASL leaves out on purpose. A value of a pail is any CID: of version 0, with any codec, with
     * any hash function.
     */
    private static final Set<String> BEYOND_DASL = Set.of(
            "CIDv0",
            "CIDv1 that isn't raw or cbor",
            "disallowed hash type (SHA-1)",
            "empty CID",
            "short hash digest",
            "long hash digest");

    /** For each "invalid_out" the closest thing that the writer can be asked for. */
    private static final Map<String, Consumer<DagCborWriter>> ATTEMPTS = Map.of(
            "NaN", writer -> writer.number(Double.NaN),
            "Inf", writer -> writer.number(Double.POSITIVE_INFINITY),
            "-Inf", writer -> writer.number(Double.NEGATIVE_INFINITY),
            "negative zero", writer -> writer.number(-0.0),
            "bignum", writer -> writer.integer(BigInteger.ONE.shiftLeft(64)),
            "map with int key", writer -> writer.map(1).integer(0).integer(0),
            "simple value 'undefined'", DagCborWriter::nothing,
            "unassigned simple value", DagCborWriter::nothing,
            "tagged object (datetime)", writer -> writer.text("2025-05-26T16:18:17-04:00"));

    @TestFactory
    Stream<DynamicTest> cases() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (Stream<Path> files = Files.list(Corpora.find("dasl-testing/fixtures/cbor"))) {
            for (Path file : files.sorted().toList()) {
                for (JsonNode each : new ObjectMapper().readTree(file.toFile())) {
                    if (applies(each)) {
                        String name = each.get("type").asText() + ": "
                                + each.get("name").asText();
                        tests.add(DynamicTest.dynamicTest(file.getFileName() + ": " + name, () -> check(each)));
                    }
                }
            }
        }
        assertThat(tests).hasSizeGreaterThan(50);
        return tests.stream();
    }

    private static boolean applies(JsonNode each) {
        for (JsonNode tag : each.get("tags")) {
            if (PROFILES.contains(tag.asText())) {
                return true;
            }
        }
        return false;
    }

    private static void check(JsonNode each) {
        String name = each.get("name").asText();
        byte[] data = HexFormat.of().parseHex(each.get("data").asText());
        switch (each.get("type").asText()) {
            case "roundtrip" -> checkCopied(data);
            case "invalid_in" -> {
                if (BEYOND_DASL.contains(name)) {
                    checkCopied(data);
                } else {
                    Refusals.ofDagCbor(data);
                }
            }
            case "invalid_out" -> checkNotWritten(name, data);
            default -> throw new IllegalArgumentException(each.toString());
        }
    }

    private static void checkCopied(byte[] data) {
        Transcoder.check(data);
        assertThat(Transcoder.transcode(data)).isEqualTo(data);
    }

    private static void checkNotWritten(String name, byte[] data) {
        assertThat(ATTEMPTS).containsKey(name);
        DagCborWriter writer = new DagCborWriter();
        byte[] written;
        try {
            ATTEMPTS.get(name).accept(writer);
            written = writer.toByteArray();
        } catch (MalformedDataException refused) {
            return;
        }
        assertThat(written).isNotEqualTo(data);
        checkCopied(written);
    }
}
