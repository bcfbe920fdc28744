package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pail.Entry;
import dev.pail.Pail;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Terminal;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A repository that is used with the command {@code pail}, run within this process. */
record InteropRepository(Path folder) {
    /** What a command wrote to standard output. */
    static final class Output {
        private final byte[] bytes;

        private Output(byte[] bytes) {
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }

        String text() {
            return new String(bytes, StandardCharsets.UTF_8).strip();
        }

        List<JsonNode> lines() {
            return Arrays.stream(text().split("\n", -1))
                    .filter(line -> !line.isEmpty())
                    .map(InteropRepository::json)
                    .toList();
        }
    }

    static InteropRepository init(Path folder, String... options) {
        InteropRepository repository = new InteropRepository(folder);
        String[] arguments =
                Stream.concat(Stream.of("init"), Arrays.stream(options)).toArray(String[]::new);
        repository.pail(arguments);
        return repository;
    }

    private static JsonNode json(String line) {
        try {
            return InteropNode.JSON.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a command that must succeed. */
    Output pail(String... arguments) {
        return pail(new byte[0], arguments);
    }

    /** Runs a command that must succeed, with this standard input. */
    Output pail(byte[] input, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Terminal terminal = new Terminal(
                new Terminal.Streams(new ByteArrayInputStream(input), out, err), Map.of(), folder.getParent());
        String[] all = Stream.concat(Stream.of("-C", folder.toString()), Arrays.stream(arguments))
                .toArray(String[]::new);
        int status = Cli.run(terminal, all);
        assertThat(status)
                .as(() -> "pail " + List.of(arguments) + ": " + err.toString(StandardCharsets.UTF_8))
                .isEqualTo(Exit.DONE);
        return new Output(out.toByteArray());
    }

    Path blocks() {
        return folder.resolve("blocks");
    }

    Cid root() {
        return Cid.parse(pail("root").text());
    }

    /** Moves the branch to a root that another implementation has made. */
    void standAt(Cid root) {
        try (Repository repository = FileRepository.open(folder)) {
            repository.replace(Repository.MAIN, "move to " + root, pail -> Pail.open(repository.blocks(), root));
        }
    }

    List<Entry> list() {
        return entries(pail("ls", "--json").lines());
    }

    static List<Entry> entries(Iterable<JsonNode> lines) {
        Stream.Builder<Entry> entries = Stream.builder();
        lines.forEach(line -> entries.add(
                new Entry(line.get("key").asText(), Cid.parse(line.get("value").asText()))));
        return entries.build().toList();
    }

    /** The names of the files in the folder of blocks. */
    Set<String> files() {
        try (Stream<Path> files = Files.walk(blocks())) {
            return files.filter(Files::isRegularFile)
                    .map(file -> blocks().relativize(file).toString())
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The raw block of a text. */
    static Block raw(String text) {
        return Block.of(Cid.RAW, text.getBytes(StandardCharsets.UTF_8));
    }
}
