package dev.pail.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.JsonParser;
import dev.pail.Batch;
import dev.pail.ConditionFailedException;
import dev.pail.Pail;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations as the command and the server read them. */
class OperationReaderTest {
    private static final OperationReader READER = new OperationReader(text -> {
        Cid cid = Cid.parse(text);
        return (batch, key) -> batch.put(key, cid);
    });

    private static Pail applied(Repository repository, String text) throws IOException {
        Batch batch = repository.pail().batch();
        try (JsonParser json = OperationReader.parser(text)) {
            json.nextToken();
            READER.read(json, change -> change.applyTo(batch));
        }
        return batch.commit();
    }

    /** With or without padding, and with line breaks, as tools write it. */
    @ParameterizedTest
    @ValueSource(strings = {"c3dpbQ==", "c3dpbQ", "c3dp\\nbQ=="})
    void base64IsTakenAsToolsWriteIt(String base64) throws IOException {
        try (Repository repository = Repository.inMemory()) {
            Pail pail = applied(repository, "{\"op\":\"put\",\"key\":\"a\",\"base64\":\"" + base64 + "\"}");
            assertThat(pail.getBytes("a")).contains("swim".getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void changesOfABatchComeInOrder() throws IOException {
        try (Repository repository = Repository.inMemory()) {
            Pail pail = applied(
                    repository,
                    "{\"ops\":[{\"op\":\"put\",\"key\":\"a\",\"text\":\"1\"},{\"op\":\"del\",\"key\":\"a\"},"
                            + "{\"op\":\"put\",\"key\":\"b\",\"value\":\"bafkqaaa\"}],\"op\":\"batch\"}");
            assertThat(pail.get("a")).isEmpty();
            assertThat(pail.get("b")).contains(Cid.parse("bafkqaaa"));
        }
    }

    /** A condition sees the operations before it. */
    @Test
    void conditionsHoldOfAKeyThen() throws IOException {
        try (Repository repository = Repository.inMemory()) {
            Pail pail = applied(
                    repository,
                    "{\"ops\":[{\"op\":\"put\",\"key\":\"a\",\"value\":\"bafkqaaa\",\"ifAbsent\":true},"
                            + "{\"op\":\"put\",\"key\":\"b\",\"text\":\"2\"},"
                            + "{\"op\":\"del\",\"key\":\"a\",\"if\":\"bafkqaaa\"}],\"op\":\"batch\"}");
            assertThat(pail.get("a")).isEmpty();
            assertThat(pail.get("b")).isPresent();
            assertThatExceptionOfType(ConditionFailedException.class)
                    .isThrownBy(() ->
                            applied(repository, "{\"if\":\"bafkqaaa\",\"op\":\"put\",\"key\":\"a\",\"text\":\"1\"}"))
                    .satisfies(e -> assertThat(e.found()).isEmpty());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"op\":\"put\",\"key\":\"a\",\"file\":\"/etc/passwd\"}",
                "{\"op\":\"put\",\"key\":\"a\",\"base64\":\"c3dpb?\"}",
                "{\"op\":\"put\",\"key\":\"a\",\"text\":\"1\",\"base64\":\"\"}",
                "{\"op\":\"batch\",\"ops\":[{\"op\":\"batch\",\"ops\":[]}]}",
                "{\"op\":\"put\",\"key\":\"a\",\"text\":\"1\",\"if\":\"x\"}",
                "{\"op\":\"put\",\"key\":\"a\",\"text\":\"1\",\"if\":true}",
                "{\"op\":\"put\",\"key\":\"a\",\"text\":\"1\",\"if\":\"bafkqaaa\",\"ifAbsent\":true}",
                "{\"op\":\"put\",\"key\":\"a\",\"text\":\"1\",\"ifAbsent\":false}",
                "{\"op\":\"batch\",\"ops\":[],\"ifAbsent\":true}"
            })
    void malformedOperationsAreRefused(String text) {
        try (Repository repository = Repository.inMemory()) {
            assertThatExceptionOfType(MalformedOperationException.class).isThrownBy(() -> applied(repository, text));
        }
    }
}
