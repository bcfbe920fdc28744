package dev.pail.car;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.testkit.Corpora;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that other implementations of CAR are tested with. */
class CarCorpusTest {
    private static final String GO = "go-car/v2/testdata/";
    private static final String GO_COMMAND = "go-car/cmd/car/testdata/inputs/";
    private static final String SPECIFICATION = "ipld-specs-car/specs/transport/car/fixture/";

    /** What is in a file. */
    private record Content(CarHeader header, List<Block> blocks, List<Cid> identities) {}

    private static Content read(Path file) {
        try (CarReader reader = CarReader.open(file)) {
            List<Block> blocks = new ArrayList<>();
            List<Cid> identities = new ArrayList<>();
            reader.forEach(section -> {
                if (section.cid().hashFunction() == Cid.IDENTITY) {
                    assertThat(catchThrowable(section::block)).isInstanceOf(UnsupportedHashException.class);
                    identities.add(section.cid());
                } else {
                    blocks.add(section.block());
                }
            });
            return new Content(reader.header(), blocks, identities);
        }
    }

    @ParameterizedTest
    @CsvSource({
        GO + "sample-v1.car, 1, 1, 1043, 6",
        GO + "sample-v1-noidentity.car, 1, 1, 1043, 0",
        GO + "sample-v2-indexless.car, 2, 1, 1043, 6",
        GO + "sample-wrapped-v2.car, 2, 1, 1043, 6",
        GO + "sample-rw-bs-v2.car, 2, 3, 3, 0",
        GO + "sample-unixfs-v2.car, 2, 1, 3, 0",
        GO_COMMAND + "sample-v1.car, 1, 1, 1043, 6",
        GO_COMMAND + "sample-wrapped-v2.car, 2, 1, 1043, 6",
        GO_COMMAND + "simple-unixfs.car, 1, 1, 22, 0",
        GO_COMMAND + "simple-unixfs-missing-blocks.car, 1, 1, 17, 0",
        GO_COMMAND + "wikipedia-cryptographic-hash-function.car, 1, 1, 5, 0",
        "js-car/test/go.car, 1, 2, 8, 0",
        "js-car/test/go.carv2, 2, 1, 5, 0",
        "ipld-specs-car/specs/advanced-data-layouts/hamt/fixture/alice-words/hamt.car, 1, 1, 36, 0",
        SPECIFICATION + "carv1-basic/carv1-basic.car, 1, 2, 8, 0",
        SPECIFICATION + "carv2-basic/carv2-basic.car, 2, 1, 5, 0",
        "codec-fixtures/fixtures.car, 1, 0, 273, 0",
    })
    void goodFilesAreRead(String name, int version, int roots, int blocks, int identities) {
        Path file = Corpora.find(name);
        Content content = read(file);
        assertThat(content.header.version()).isEqualTo(version);
        assertThat(content.header.roots()).hasSize(roots);
        assertThat(content.blocks).hasSize(blocks);
        assertThat(content.identities).hasSize(identities);
        try (CarBlockStore store = CarBlockStore.open(file)) {
            assertThat(store.roots()).isEqualTo(content.header.roots());
            assertThat(content.blocks)
                    .allSatisfy(block -> assertThat(
                                    store.get(block.cid()).orElseThrow().bytes())
                            .isEqualTo(block.bytes()));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                GO + "sample-corrupt-pragma.car | 16 | CAR6",
                GO + "sample-rootless-v42.car | 1 | CAR1",
                GO + "sample-v1-tailing-corrupt-section.car | 479894 | CAR6",
                GO + "sample-v1-with-zero-len-section.car | 479907 | CAR4",
                GO + "sample-v1-with-zero-len-section2.car | 20819 | CAR4",
                GO + "sample-v2-corrupt-data-and-index.car | 27 | CAR9",
                GO + "sample-index.carindex | 2 | map",
                GO + "sample-multihash-index-sorted.carindex | 2 | map",
                GO_COMMAND + "badheaderlength.car | 0 | CAR3",
                GO_COMMAND + "badsectionlength.car | 18 | CAR4",
                GO_COMMAND + "bafy2bzacebohz654namrgmwjjx4qmtwgxixsd7pn4tlanyrc3g3hwj75hlxrw.block | 907 | CAR6",
            })
    void badFilesAreRefused(String name, long offset, String rule) {
        Path file = Corpora.find(name);
        assertThatThrownBy(() -> read(file)).isInstanceOfSatisfying(MalformedDataException.class, e -> {
            assertThat(e.code()).isEqualTo("malformed-car");
            assertThat(e).hasMessageContaining(file.toString());
            assertThat(e.offset()).as(e.getMessage()).isEqualTo(offset);
            assertThat(e.rule()).contains(rule);
        });
        assertThatThrownBy(() -> CarBlockStore.open(file))
                .isInstanceOfSatisfying(
                        MalformedDataException.class, e -> assertThat(e.code()).isEqualTo("malformed-car"));
    }

    /** That no file of the folders is left out. */
    @Test
    void everyFileIsNamedAbove() throws IOException {
        Set<String> endings = Set.of("car", "carv2", "carindex", "block");
        long files = 0;
        for (String folder : List.of("go-car", "js-car", "ipld-specs-car")) {
            try (Stream<Path> found = Files.walk(Corpora.find(folder))) {
                files += found.map(Path::toString)
                        .filter(name -> endings.contains(name.substring(name.lastIndexOf('.') + 1)))
                        .count();
            }
        }
        assertThat(files).isEqualTo(16 + 11);
    }

    @ParameterizedTest
    @ValueSource(strings = {"carv1-basic", "carv2-basic"})
    void offsetsAndSizesAreThoseOfTheFixture(String name) throws IOException {
        Path folder = Corpora.find(SPECIFICATION + name);
        JsonNode expected =
                new ObjectMapper().readTree(folder.resolve(name + ".json").toFile());
        List<String> blocks = new ArrayList<>();
        for (JsonNode block : expected.get("blocks")) {
            blocks.add(block.get("cid").get("/").asText() + " (" + block.get("blockLength") + " bytes at offset "
                    + block.get("offset") + ")");
        }
        try (CarReader reader = CarReader.open(folder.resolve(name + ".car"))) {
            List<String> sections = new ArrayList<>();
            reader.forEach(section -> sections.add(section.toString()));
            assertThat(sections).isEqualTo(blocks);
        }
    }

    @Test
    void fixturesAreTheBlocksInTheFilesBeside() throws IOException {
        Path folder = Corpora.find("codec-fixtures/fixtures");
        for (Block block : read(folder.resolveSibling("fixtures.car")).blocks) {
            try (Stream<Path> files = Files.walk(folder)) {
                Path file = files.filter(each -> each.getFileName().toString().startsWith(block.cid() + "."))
                        .findFirst()
                        .orElseThrow();
                assertThat(file).hasBinaryContent(block.bytes());
            }
        }
    }

    /** A writer gives the same bytes for what a file of version 1 in canonical form has. */
    @Test
    void whatIsWrittenAgainIsTheSame() throws IOException {
        Path file = Corpora.find(GO + "sample-v1-noidentity.car");
        Content content = read(file);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (CarWriter writer = CarWriter.of(out, "", content.header.roots())) {
            content.blocks.forEach(writer::write);
        }
        assertThat(out.toByteArray()).isEqualTo(Files.readAllBytes(file));
    }

    /** What Go's fuzzer found: {@code []byte("...")} in a text file. */
    @ParameterizedTest
    @ValueSource(strings = {"go-car/testdata/fuzz", "go-car/v2/testdata/fuzz"})
    void whatGoFuzzFoundIsReadOrRefused(String folder) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(Corpora.find(folder))) {
            files = found.filter(Files::isRegularFile).toList();
        }
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            List<String> lines =
                    Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList();
            for (String line : lines.subList(1, lines.size())) {
                byte[] bytes = goBytes(line);
                assertThat(bytes).isNotEmpty();
                CarMutationTest.check(bytes, Set.of());
            }
        }
    }

    private static byte[] goBytes(String line) {
        String text = line.substring(line.indexOf('"') + 1, line.lastIndexOf('"'));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) != '\\') {
                out.write(text.charAt(i));
                continue;
            }
            char escaped = text.charAt(++i);
            if (escaped == 'x') {
                out.write(Integer.parseInt(text.substring(i + 1, i + 3), 16));
                i += 2;
            } else if (escaped >= '0' && escaped <= '7') {
                out.write(Integer.parseInt(text.substring(i, i + 3), 8));
                i += 2;
            } else {
                int known = "abtnvfr\\\"'".indexOf(escaped);
                assertThat(known).as("escape " + escaped).isNotNegative();
                out.write("\u0007\b\t\n\u000b\f\r\\\"'".charAt(known));
            }
        }
        return out.toByteArray();
    }
}
