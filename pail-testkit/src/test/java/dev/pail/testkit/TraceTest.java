package dev.pail.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.ShardFormat;
import dev.pail.StoreLockedException;
import dev.pail.disk.Disk;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the library tells the system logger and Flight Recorder. These tests are no module, so they see the logger of Java. */
class TraceTest {
    private static final Cid VALUE = Block.of(Cid.RAW, new byte[] {1}).cid();

    private final Logger logger = Logger.getLogger("dev.pail");
    private final ConcurrentLinkedQueue<LogRecord> records = new ConcurrentLinkedQueue<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            records.add(line);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @TempDir
    Path folder;

    @BeforeEach
    void listen() {
        handler.setLevel(Level.ALL);
        logger.addHandler(handler);
        logger.setUseParentHandlers(false);
        FileRepository.init(folder, ShardFormat.v1()).close();
    }

    @AfterEach
    void stop() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
        logger.setLevel(null);
    }

    private void change() {
        try (Repository repository = FileRepository.open(folder)) {
            assertThat(repository
                            .update("main", pail -> pail.put("a", VALUE))
                            .pail()
                            .get("a"))
                    .contains(VALUE);
        }
    }

    @Test
    void warnsOfAFailureThatTheCallerDoesNotSee() throws IOException {
        Files.writeString(folder.resolve("gc"), "damaged\n");
        change();

        assertThat(records).isNotEmpty().allSatisfy(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.WARNING);
            assertThat(line.getMessage())
                    .contains("garbage collector", folder.resolve("gc").toString());
            assertThat(line.getThrown()).hasMessageContaining("gc");
        });
    }

    @Test
    void isSilentWhereNothingFails() {
        change();

        assertThat(records).isEmpty();
    }

    @Test
    void tellsOfSyncsAndCollectionsAtDebug() {
        logger.setLevel(Level.FINE);
        change();
        try (Repository repository = FileRepository.open(folder)) {
            repository.maintenance().garbageCollection().run();
        }

        List<String> lines = records.stream()
                .filter(line -> line.getLevel().equals(Level.FINE))
                .map(LogRecord::getMessage)
                .toList();
        assertThat(lines).anyMatch(line -> line.startsWith("synced " + folder.resolve("logs")));
        assertThat(lines).anyMatch(line -> line.startsWith("collected garbage in " + folder));
    }

    @Test
    void tellsOfAWaitForTheLockAtDebug() throws IOException {
        logger.setLevel(Level.FINE);
        Path lock = folder.resolve("LOCK");
        try (Disk.Lock held = Disk.system().tryLock(lock, "a test").orElseThrow();
                Repository repository = FileRepository.open(folder, Duration.ZERO)) {
            assertThat(held).isNotNull();
            assertThatThrownBy(
                            () -> repository.maintenance().garbageCollection().run())
                    .isInstanceOf(StoreLockedException.class);
        }

        assertThat(records)
                .anyMatch(line -> line.getMessage().startsWith("waited for the lock " + folder.resolve("LOCK")));
    }

    @Test
    void recordsSyncsAndCollectionsForFlightRecorder() throws IOException {
        Path file = folder.resolveSibling(folder.getFileName() + ".jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            change();
            try (Repository repository = FileRepository.open(folder)) {
                repository.maintenance().garbageCollection().run();
            }
            recording.stop();
            recording.dump(file);
        }

        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        Files.delete(file);
        assertThat(events.stream()
                        .filter(event -> event.getEventType().getName().equals("dev.pail.Sync"))
                        .map(event -> event.getString("file"))
                        .collect(Collectors.toSet()))
                .anyMatch(path -> path.startsWith(folder.resolve("logs").toString()));
        assertThat(events.stream()
                        .filter(event -> event.getEventType().getName().equals("dev.pail.Collection"))
                        .map(event -> event.getString("location")))
                .containsExactly(folder.toString());
    }
}
