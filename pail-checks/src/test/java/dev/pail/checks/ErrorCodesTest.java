package dev.pail.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page on errors names each code that there is, once, and none that there is not. */
class ErrorCodesTest {
    private static final Pattern OF_CLASS = Pattern.compile("String code\\(\\) \\{\\s*return \"([a-z-]+)\"");
    private static final Pattern OF_REASON =
            Pattern.compile("\\n {8}[A-Z_]+\\(\"([a-z-]+)\"(?:, Kind\\.[A-Z_]+)?\\)[,;]");
    private static final Pattern OF_COMMAND = Pattern.compile(
            "new (?:JavaFailure\\(|(?:Failure\\.Found|Found|Failure)\\(\\s*Exit\\.[A-Z]+,)\\s*\"([a-z-]+)\"");
    private static final Pattern LISTED = Pattern.compile("\\n\\| `([a-z-]+)` \\|");

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }

    @Test
    void thePageListsAll() throws IOException {
        Set<String> used = new TreeSet<>(Set.of("usage"));
        for (Path module : Modules.published()) {
            try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
                for (Path file :
                        files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    String text = Files.readString(file);
                    used.addAll(found(OF_CLASS, text));
                    used.addAll(found(OF_COMMAND, text));
                    if (file.toString().endsWith("Exception.java")) {
                        used.addAll(found(OF_REASON, text));
                    }
                }
            }
        }
        assertThat(found(LISTED, Files.readString(Modules.PROJECT.resolve("docs/errors.md"))))
                .containsExactlyInAnyOrderElementsOf(used);
        assertThat(used).contains("no-such-branch", "ref-moved", "missing-block");
    }
}
