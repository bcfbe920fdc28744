package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.blockstore.MemoryBlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import dev.pail.ipld.MalformedDataException;
import dev.pail.proof.Answer;
import dev.pail.proof.Proof;
import dev.pail.proof.Query;
import dev.pail.testkit.Randomness;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The verifier of {@code examples/js}, over npm packages, beside that of the library. */
class ProofInteropTest {
    private final InteropNode node = InteropNode.required();
    private final MemoryBlockStore blocks = new MemoryBlockStore();

    /** A file that may be a proof, and what to ask of it. */
    private record Asked(String proof, Cid root, String key) {
        Asked(byte[] proof, Cid root, String key) {
            this(Base64.getEncoder().encodeToString(proof), root, key);
        }

        Map<String, String> line() {
            return Map.of("proof", proof, "root", root.toString(), "key", key);
        }

        /** What the library says: the value, {@code null} or {@code refused}. */
        String answer() {
            try {
                Answer answer = Proof.read(Base64.getDecoder().decode(proof)).verify(root, new Query.Key(key));
                return answer instanceof Answer.Present present
                        ? present.value().toString()
                        : answer instanceof Answer.Absent ? "null" : "refused";
            } catch (MalformedDataException e) {
                return "refused";
            }
        }
    }

    private static Cid value(String text) {
        return Cid.parse(Shell.cid(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static ShardFormat format(String name) {
        return name.equals("v0") ? ShardFormat.v0(3000, 8) : name.equals("v1") ? ShardFormat.v1() : ShardFormat.v2();
    }

    private Pail pail(String format, InteropKeys keys) {
        Pail pail = Pail.create(blocks, format(format));
        for (String key : keys.several(200)) {
            pail = pail.put(key, value(key));
        }
        return pail;
    }

    private List<JsonNode> verify(List<Asked> all, Object... format) {
        return node.run("verify-proofs.js", all.stream().map(Asked::line).toList(), format);
    }

    @Test
    void itHasAtMostSixtyLines() throws IOException {
        Path verifier = Path.of(System.getProperty("pail.project", "..")).resolve("examples/js/verify-proof.js");
        assertThat(Files.readAllLines(verifier)).hasSizeLessThanOrEqualTo(60);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void itFindsWhatTheLibraryFinds(String format) {
        Random random = Randomness.random("ProofInteropTest.itFindsWhatTheLibraryFinds");
        boolean isV0 = format.equals("v0");
        InteropKeys keys = new InteropKeys(random, isV0 ? InteropKeys.ASTRAL : InteropKeys.ASCII, 12);
        Pail pail = pail(format, keys);
        List<String> present = pail.entries().map(entry -> entry.key()).toList();
        List<Asked> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String known = present.get(random.nextInt(present.size()));
            String key = random.nextBoolean() ? known : keys.next(known);
            all.add(new Asked(pail.prove(key).bytes(), pail.root(), key));
        }
        List<JsonNode> answers = verify(all);
        assertThat(answers)
                .extracting(answer -> answer.path("value").asText())
                .isEqualTo(all.stream().map(Asked::answer).toList());
    }

    /** Both packages read a proof as they read any CAR. Keys are such as they find (D22 of {@code spec/deviations.md}). */
    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1"})
    void theNpmPackagesReadAProof(String format) {
        Random random = Randomness.random("ProofInteropTest.theNpmPackagesReadAProof");
        InteropKeys keys = new InteropKeys(random, InteropKeys.ASCII, 12);
        Pail pail = pail(format, keys);
        List<Asked> all = new ArrayList<>();
        pail.entries()
                .limit(100)
                .forEach(entry -> all.add(new Asked(pail.prove(entry.key()).bytes(), pail.root(), entry.key())));
        List<JsonNode> answers = verify(all, format);
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer.get("theirs")).isEqualTo(answer.get("value")));
        assertThat(answers)
                .hasSize(100)
                .noneMatch(answer -> answer.get("value").asText().equals("null"));
    }

    /** The parts of a CAR: the header, and then each CID with its block. */
    private static List<byte[]> parts(byte[] car) {
        List<byte[]> parts = new ArrayList<>();
        for (int at = 0; at < car.length; ) {
            int length = car[at] & 0x7f;
            for (int shift = 7; car[at++] < 0; shift += 7) {
                length |= (car[at] & 0x7f) << shift;
            }
            parts.add(Arrays.copyOfRange(car, at, at + length));
            at += length;
        }
        return parts;
    }

    private static byte[] car(List<byte[]> parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            int rest = part.length;
            for (; rest >= 0x80; rest >>>= 7) {
                out.write(rest | 0x80);
            }
            out.write(rest);
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] changed(List<byte[]> parts, Consumer<List<byte[]>> change) {
        List<byte[]> all = new ArrayList<>(parts);
        change.accept(all);
        return car(all);
    }

    /** So a proof must not be read without a verifier. */
    @Test
    void theNpmPackageBelievesAForgedValueAndTheVerifierDoesNot() {
        Pail pail = Pail.create(blocks, ShardFormat.v1()).put("title", value("true"));
        byte[] forged = pail.prove("title").bytes();
        byte[] cid = value("true").toBytes();
        int at = IntStream.range(0, forged.length - cid.length)
                .filter(i -> Arrays.equals(forged, i, i + cid.length, cid, 0, cid.length))
                .findFirst()
                .orElseThrow();
        System.arraycopy(value("forged").toBytes(), 0, forged, at, cid.length);
        JsonNode answer =
                verify(List.of(new Asked(forged, pail.root(), "title")), "v1").get(0);
        assertThat(answer.get("theirs").asText()).isEqualTo(value("forged").toString());
        assertThat(answer.get("refused").asText()).contains("PF11");
    }

    @ParameterizedTest
    @ValueSource(strings = {"v0", "v1", "v2"})
    void itRefusesEveryChange(String format) {
        Random random = Randomness.random("ProofInteropTest.itRefusesEveryChange");
        Pail pail = Pail.create(blocks, format.equals("v0") ? ShardFormat.v0(300, 8) : format(format));
        for (String key : List.of("aab", "aac", "aad", "ab", "b", "ba", "bb", "c", "ca", "cb")) {
            pail = pail.put(key, value(key));
        }
        byte[] sound = pail.prove("aab").bytes();
        List<byte[]> forged = new ArrayList<>();
        for (int i = 0; i < sound.length; i++) {
            byte[] changed = sound.clone();
            changed[i] ^= (byte) (1 + random.nextInt(255));
            forged.add(changed);
            forged.add(Arrays.copyOf(sound, i));
        }
        List<byte[]> parts = parts(sound);
        assertThat(car(parts)).isEqualTo(sound);
        assertThat(parts).hasSizeGreaterThan(2);
        byte[] other = parts(pail.prove("cb").bytes()).get(2);
        for (int i = 1; i <= parts.size(); i++) {
            int at = i;
            forged.add(changed(parts, all -> all.add(at, other)));
            for (int j = 1; j < parts.size(); j++) {
                int to = j;
                forged.add(changed(parts, all -> all.add(at, parts.get(to))));
                if (i < j) {
                    forged.add(changed(parts, all -> Collections.swap(all, at, to)));
                }
            }
            if (i < parts.size()) {
                forged.add(changed(parts, all -> all.remove(at)));
            }
        }
        Cid root = pail.root();
        assertRefused(
                forged.stream().map(bytes -> new Asked(bytes, root, "aab")).toList());
        assertRefused(List.of(
                new Asked(sound, pail.delete("c").root(), "aab"),
                new Asked(sound, root, "cb"),
                new Asked(new byte[0], root, "aab")));
    }

    private void assertRefused(List<Asked> all) {
        assertThat(all).extracting(Asked::answer).containsOnly("refused");
        List<JsonNode> answers = verify(all);
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i).has("refused"))
                    .as("%s: %s", i, all.get(i).proof)
                    .isTrue();
        }
    }

    private static Block shard(String prefix, int version, Consumer<DagCborWriter> entries) {
        DagCborWriter out = new DagCborWriter();
        boolean isShort = version == 2 && !prefix.isEmpty();
        if (version > 0) {
            out.map(isShort ? 2 : 5).text("prefix").text(prefix);
        } else {
            out.map(3);
        }
        out.text("entries");
        entries.accept(out);
        if (version == 0) {
            out.text("maxSize").integer(1000).text("maxKeyLength").integer(3);
        } else if (!isShort) {
            out.text("version").integer(version).text("keyChars").text("ascii");
            out.text("maxKeySize").integer(4);
        }
        return Block.of(Cid.DAG_CBOR, out.toByteArray());
    }

    private static Consumer<DagCborWriter> keys(String... keys) {
        return out -> {
            out.array(keys.length);
            Stream.of(keys).forEach(key -> out.array(2).text(key).link(value(key)));
        };
    }

    private static Consumer<DagCborWriter> link(String key, Cid below) {
        return out -> out.array(1).array(2).text(key).array(1).link(below);
    }

    private static Asked asked(Block... shards) {
        Cid root = shards[0].cid();
        DagCborWriter header = new DagCborWriter()
                .map(2)
                .text("roots")
                .array(1)
                .link(root)
                .text("version")
                .integer(1);
        List<byte[]> parts = new ArrayList<>(List.of(header.toByteArray()));
        for (Block shard : shards) {
            byte[] section = Arrays.copyOf(shard.cid().toBytes(), shard.cid().byteLength() + shard.size());
            System.arraycopy(shard.bytes(), 0, section, shard.cid().byteLength(), shard.size());
            parts.add(section);
        }
        return new Asked(car(parts), root, "aa");
    }

    /** Shards that another program has made, under their own CIDs. */
    @Test
    void itRefusesShardsThatBreakARule() {
        List<Asked> broken = new ArrayList<>();
        for (int version = 0; version <= 2; version++) {
            broken.add(asked(shard("", version, keys("b", "a"))));
            broken.add(asked(shard("", version, keys("a", "a"))));
            broken.add(asked(shard("", version, link("", value("a")))));
            broken.add(asked(shard("", version, link("b", value("a")))));
            broken.add(asked(shard("", version, keys("abcde"))));
            broken.add(asked(shard("", version, out -> out.array(1).array(1).text("a"))));
            broken.add(asked(
                    shard("", version, out -> out.array(1).array(2).text("a").integer(1))));
            broken.add(asked(
                    shard("", version, out -> out.array(1).array(2).text("a").array(0))));
            broken.add(asked(
                    shard("", version, out -> out.array(1).array(2).integer(1).link(value("a")))));
            broken.add(asked(shard("", version, out -> out.integer(1))));
            for (Block below : List.of(
                    shard("a", version, keys()),
                    shard("a", version, keys("")),
                    shard("a", version, keys("b", "a")),
                    shard("a", version == 0 ? 1 : 0, keys("a")))) {
                broken.add(asked(shard("", version, link("a", below.cid())), below));
            }
        }
        for (int version = 1; version <= 2; version++) {
            broken.add(asked(shard("", version, keys("aa", "ab"))));
            broken.add(asked(shard("", version, keys("\u00e9"))));
            broken.add(asked(shard("b", version, keys("aa"))));
            Block below = shard("b", version, keys("a"));
            broken.add(asked(shard("", version, link("a", below.cid())), below));
            Block two = shard("aa", version, keys("a"));
            broken.add(asked(shard("", version, link("aa", two.cid())), two));
        }
        broken.add(asked(shard("", 3, keys("aa"))));
        assertRefused(broken);
        List<Asked> sound = IntStream.rangeClosed(0, 2)
                .mapToObj(version -> {
                    Block below = shard("a", version, keys("a"));
                    return asked(shard("", version, link("a", below.cid())), below);
                })
                .toList();
        assertThat(sound).extracting(Asked::answer).containsOnly(value("a").toString());
        assertThat(verify(sound))
                .extracting(answer -> answer.path("value").asText())
                .containsOnly(value("a").toString());
    }
}
