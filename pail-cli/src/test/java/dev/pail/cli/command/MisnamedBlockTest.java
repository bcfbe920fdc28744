package dev.pail.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Shell;
import dev.pail.cli.terminal.Exit;
import dev.pail.testkit.disk.MemoryTempDir;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Folders of blocks that another program has laid out. */
class MisnamedBlockTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    private Shell shell;

    @BeforeEach
    void makeRepository() {
        shell = Shell.withRepository(folder);
        shell.feed("one", "put", "a", "--file", "-").done();
        shell.feed("two", "put", "b", "--file", "-").done();
    }

    private Path blocks() {
        return folder.resolve(".pail/blocks");
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(blocks())) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    /** The name of a block in the layouts that are met; {@code B} is the multibase. */
    private String moved(String layout, String name) {
        String bare = name.substring(1);
        int last = bare.length() - 2;
        String folderOf = bare.substring(last);
        String nextToLast = bare.substring(last - 1, last + 1);
        return switch (layout) {
            case "kubo" -> nextToLast + "/" + bare;
            case "without B" -> folderOf + "/" + bare;
            case "small" -> (folderOf + "/" + name).toLowerCase(Locale.ROOT);
            case "small file" -> folderOf + "/" + name.toLowerCase(Locale.ROOT);
            case "small folder" -> folderOf.toLowerCase(Locale.ROOT) + "/" + name;
            case "small kubo" -> (nextToLast + "/" + bare).toLowerCase(Locale.ROOT);
            case "flat" -> name;
            default -> throw new IllegalArgumentException(layout);
        };
    }

    private void move(String layout) throws IOException {
        for (Path file : files()) {
            String name = file.getFileName().toString().replace(".data", "");
            Path to = blocks().resolve(moved(layout, name) + ".data");
            Files.createDirectories(to.getParent());
            Files.move(file, to);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "kubo, Kubo",
        "without B, Kubo",
        "small, small letters",
        "small file, small letters",
        "small folder, small letters",
        "small kubo, Kubo",
        "flat, another folder"
    })
    void aBlockUnderAnotherNameIsFoundForTheHint_REP8(String layout, String told) throws IOException {
        List<Path> before = files();
        move(layout);
        for (String command : List.of("ls", "cat a", "log", "verify", "put c " + Shell.cid(1))) {
            String hint = shell.run(command.split(" ")).failed(Exit.DAMAGED);
            assertThat(hint)
                    .as(command)
                    .contains("hint: the block is in blocks/", told)
                    .doesNotContain("import");
            String wanted = hint.replaceAll("(?s).*pail reads (blocks/\\S+): .*", "$1");
            assertThat(before).contains(folder.resolve(".pail").resolve(wanted));
            String found = hint.replaceAll("(?s).*the block is in (blocks/[^,]+), .*", "$1");
            assertThat(folder.resolve(".pail").resolve(found)).exists();
        }
    }

    @Test
    void aBlockThatIsNotThereIsNot() throws IOException {
        Files.writeString(blocks().resolve("SHARDING"), "/repo/flatfs/shard/v1/next-to-last/2\n");
        for (Path file : files()) {
            if (file.toString().endsWith(".data")) {
                Files.delete(file);
            }
        }
        assertThat(shell.run("ls").failed(Exit.DAMAGED)).contains("pail import FILE.car");
        assertThat(shell.run("verify").failed(Exit.DAMAGED)).doesNotContain("the block is in");
    }

    @Test
    void aValueUnderAnotherNameIsFoundForTheHint() throws IOException {
        for (Path file : files()) {
            String name = file.getFileName().toString();
            if (name.contains(
                    dev.pail.ipld.Cid.parse(Shell.cid("one".getBytes(java.nio.charset.StandardCharsets.US_ASCII)))
                            .multihashName())) {
                Files.move(file, file.resolveSibling(name.substring(1)));
            }
        }
        assertThat(shell.run("cat", "b").done().text()).isEqualTo("two");
        assertThat(shell.run("cat", "a").refused(Exit.DAMAGED)).contains("Kubo", "rename");
    }
}
