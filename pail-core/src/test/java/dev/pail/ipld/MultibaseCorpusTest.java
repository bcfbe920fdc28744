package dev.pail.ipld;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.testkit.Corpora;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The test vectors of multibase: each row of a file is the text at its head, in one base. */
class MultibaseCorpusTest {
    /** Bases in which no common tool writes CIDs. */
    private static final Set<String> NOT_READ =
            Set.of("base2", "base8", "base10", "base32z", "base256emoji", "base45", "proquint");

    @TestFactory
    Stream<DynamicTest> rows() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (Stream<Path> files = Files.list(Corpora.find("multibase/tests"))) {
            for (Path file : files.sorted().toList()) {
                List<String> lines = Files.readAllLines(file);
                byte[] plain = plain(second(lines.get(0)));
                for (String line : lines.subList(1, lines.size())) {
                    String base = line.substring(0, line.indexOf(','));
                    String name = file.getFileName() + ": " + base;
                    tests.add(DynamicTest.dynamicTest(name, () -> check(base, second(line), plain)));
                }
            }
        }
        assertThat(tests).hasSizeGreaterThan(70);
        return tests.stream();
    }

    private static void check(String base, String text, byte[] plain) {
        if (NOT_READ.contains(base)) {
            Refusals.refusal(text, text.length(), () -> Multibases.decode(text));
        } else {
            assertThat(Multibases.decode(text)).isEqualTo(plain);
        }
    }

    private static String second(String line) {
        return line.substring(line.indexOf('"') + 1, line.lastIndexOf('"'));
    }

    private static byte[] plain(String column) {
        return column.replace("\\x00", "\0").getBytes(StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RBB8",
                "RQED8WEX0",
                "plusab-babad",
                "plusab",
                "Qm",
                "001100001",
                "7141",
                "997",
                "hcf",
                "1abc",
                "/abc",
                "\0abc",
                "\ud83d\ude80\ud83c\udfc3"
            })
    void refusesOtherBases_I6(String text) {
        Refusals.refusal(text, text.length(), () -> Multibases.decode(text));
    }

    @Test
    void writesWhatItReads() {
        for (int length = 1; length < 70; length++) {
            byte[] bytes = Cids.filled(length);
            assertThat(Multibases.base32(bytes))
                    .isEqualTo(TextBases.ENCODERS.get("base32").apply(bytes));
            assertThat(Multibases.base58btc(bytes))
                    .isEqualTo(TextBases.ENCODERS.get("base58btc").apply(bytes));
        }
    }
}
