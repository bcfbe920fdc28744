package dev.pail.repository.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ShardFormat;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.model.HeadUpdate;
import dev.pail.repository.model.LogEntry;
import dev.pail.repository.model.Note;
import dev.pail.repository.model.RepositoryException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Authors and messages in logs. */
class NoteTest {
    private static final InitOptions PLAIN = InitOptions.of(ShardFormat.v1()).withPlainEvents();

    private static final Head FIRST = Head.of(
            Block.of(Cid.DAG_CBOR, "1".getBytes(StandardCharsets.US_ASCII)).cid());
    private static final Cid VALUE =
            Block.of(Cid.RAW, "v".getBytes(StandardCharsets.US_ASCII)).cid();

    @TempDir
    Path folder;

    private static LogEntry entry(Note note) {
        return new LogEntry(7, Instant.EPOCH, "put", Head.empty(), FIRST, note);
    }

    private static String line(Note note) {
        String line = new String(LogLine.encode(entry(note)), StandardCharsets.US_ASCII);
        return line.substring(0, line.length() - 1);
    }

    @Test
    void linesHaveTheNoteBehindTheReason_REP26() {
        for (Note note : List.of(
                Note.of("Jörg", null),
                Note.of(null, "one\ntwo\\n"),
                Note.of("A", "x\ty"),
                Note.of("B".repeat(Note.MAX_AUTHOR), "\ud83d\ude00".repeat(Note.MAX_MESSAGE / 2)))) {
            assertThat(line(note).split("\t", -1)).hasSize(8);
            assertThat(LogLine.parse(line(note).getBytes(StandardCharsets.US_ASCII)))
                    .isEqualTo(entry(note));
        }
        assertThat(line(Note.of("J\u00f6", "a"))).contains("\tput\tJ\\u00f6\ta\t");
        assertThat(line(Note.of(" ", ""))).isEqualTo(line(Note.NONE)).contains("\tput\t");
        assertThat(line(Note.NONE).split("\t", -1)).hasSize(6);
    }

    /** A line has one form: none other is read, as its checksum is right. */
    @ParameterizedTest
    @ValueSource(strings = {"\t\t", "\tA", "\tA\t b", "\tA\tb\tc", "\tA\\u000ab\tc", "\t\\u0041\tb"})
    void otherFormsAreNotWhole_REP26(String fields) {
        String start = line(Note.NONE);
        String text = start.substring(0, start.lastIndexOf('\t')) + fields;
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.US_ASCII));
        String line = text + "\t" + "%08x".formatted(crc.getValue());

        assertThat(LogLine.parse(line.getBytes(StandardCharsets.US_ASCII))).isNull();
    }

    @Test
    void textsHaveBounds_REP26() {
        for (String author : List.of("x".repeat(Note.MAX_AUTHOR + 1), "a\nb", "a\u0007", "\ud800")) {
            assertThatThrownBy(() -> Note.of(author, null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("an author ");
        }
        for (String message : List.of("x".repeat(Note.MAX_MESSAGE + 1), "\udc00")) {
            assertThatThrownBy(() -> Note.of(null, message))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a message ");
        }
        assertThat(Note.of("  ", "\n").isEmpty()).isTrue();
    }

    @Test
    void theFirstNoteMakesLayout3AndChangesNoEvent_REP25() throws Exception {
        try (Repository plain = FileRepository.init(folder.resolve("plain"), PLAIN);
                Repository noted = FileRepository.init(folder.resolve("noted"), PLAIN)) {
            Path config = folder.resolve("noted/config");
            Cid root = plain.update("main", pail -> pail.put("a", VALUE)).root();
            noted.withNote(Note.NONE).update("main", pail -> pail.put("a", VALUE));
            assertThat(Files.readString(config)).contains("layout = 2\n");

            Repository view = noted.withNote(Note.of("Ann", "why"));
            view.update("main", pail -> pail.put("b", VALUE));
            plain.update("main", pail -> pail.put("b", VALUE));

            assertThat(Files.readString(config)).contains("layout = 3\n");
            assertThat(noted.head("main")).isEqualTo(plain.head("main"));
            assertThat(noted.root("main")).isNotEqualTo(root).isEqualTo(plain.root("main"));
            try (var log = noted.history().log("main")) {
                assertThat(log.map(LogEntry::note)).containsExactly(Note.of("Ann", "why"), Note.NONE);
            }
        }
        try (Repository again = FileRepository.open(folder.resolve("noted"))) {
            again.update("main", pail -> pail.put("c", VALUE));
            try (var log = again.history().log("main")) {
                assertThat(log.map(LogEntry::note)).containsExactly(Note.NONE, Note.of("Ann", "why"), Note.NONE);
            }
        }
    }

    @Test
    void listenersHearOfMovesWithNotes() {
        try (Repository repository = Repository.inMemory()) {
            List<HeadUpdate> heard = new ArrayList<>();
            repository.listen(heard::add);
            repository.withNote(Note.of("Ann", null)).update("main", pail -> pail.put("a", VALUE));
            assertThat(heard)
                    .singleElement()
                    .satisfies(move -> assertThat(move.entry().note()).isEqualTo(Note.of("Ann", null)));
        }
    }

    @Test
    void theAuthorIsASetting_REP3() throws Exception {
        try (Repository repository = FileRepository.init(folder.resolve("r"), ShardFormat.v1())) {
            Path config = folder.resolve("r/config");
            String before = Files.readString(config);
            FileRepository.of(repository)
                    .orElseThrow()
                    .setAuthor(Note.of("Jörg = …", null).author());
            assertThat(FileRepository.of(repository).orElseThrow().settings())
                    .containsEntry("author", "Jörg = …")
                    .containsEntry("layout", "4");
            assertThat(Files.readString(config)).isEqualTo(before + "author = Jörg = …\n");
            FileRepository.of(repository).orElseThrow().setAuthor(Optional.empty());
            assertThat(Files.readString(config)).isEqualTo(before);
            Files.writeString(config, "no setting\n");
            assertThatExceptionOfType(RepositoryException.class)
                    .isThrownBy(
                            () -> FileRepository.of(repository).orElseThrow().settings())
                    .withMessageContaining("a line without '='");
        }
    }
}
