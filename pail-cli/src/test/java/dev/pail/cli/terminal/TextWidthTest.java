package dev.pail.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.cli.Shell;
import dev.pail.testkit.disk.MemoryTempDir;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many columns texts take, and that tables align. */
class TextWidthTest {
    @TempDir(factory = MemoryTempDir.class)
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "'', 0",
        "abc, 3",
        "é, 1",
        "e\u0301, 1",
        "日本語, 6",
        "한국, 4",
        "\u1100\u1161\u11a8, 2",
        "ＡＢ, 4",
        "ｱｲ, 2",
        "😀!, 3",
        "𠀀, 2",
        "✓, 1",
        "…, 1",
        "かﾞ, 3",
        "か\u3099, 2",
        "\u0e01\u0e34, 1",
    })
    void countsColumns(String text, int columns) {
        assertThat(TextWidth.of(text)).isEqualTo(columns);
    }

    @Test
    void tablesAlignWideAndCombiningCharacters() {
        Shell shell = Shell.withRepository(folder);
        shell.run("table", "create", "people").done();
        shell.run("table", "put", "people", "a", "{\"n\":\"日本\",\"z\":\"end\"}").done();
        shell.run("table", "put", "people", "b", "{\"n\":\"e\u0301e\u0301\",\"z\":\"end\"}")
                .done();
        shell.run("table", "put", "people", "c", "{\"n\":\"abcd\",\"z\":\"end\"}")
                .done();

        assertThat(shell.run("table", "scan", "people").done().lines())
                .containsExactly("id  n     z", "a   日本  end", "b   e\u0301e\u0301    end", "c   abcd  end");
    }
}
