package dev.pail.checks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.PailException;
import dev.pail.cli.terminal.Failure;
import dev.pail.server.http.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The page on errors has the kinds, the exit statuses and the HTTP statuses that the exceptions of each code have. */
class ErrorKindsTest {
    private static final List<PailException> SAMPLES = ErrorSamples.all();
    private static final Path PAGE = Modules.PROJECT.resolve("docs/errors.md");
    private static final Pattern ROW = Pattern.compile(
            "(?m)^\\| `([a-z-]+)` \\| (`[A-Z][A-Za-z`, ]+`) \\| ([a-z/, ]*) \\| ([0-9, ]*) \\| ([0-9, ]*) \\| (.+) \\|$");

    /** All that exceptions with the same code have. */
    private record Found(Set<String> types, Set<String> kinds, Set<Integer> exits, Set<Integer> statuses) {
        Found() {
            this(new TreeSet<>(), new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        }

        void add(PailException error) {
            types.add("`" + error.getClass().getSimpleName() + "`");
            kinds.add(error.kind().name().toLowerCase(Locale.ROOT).replace('_', '/'));
            exits.add(Failure.of(error).exit());
            statuses.add(Refusal.of(error).status());
        }

        String columns() {
            return listed(types) + " | " + listed(kinds) + " | " + listed(exits) + " | " + listed(statuses);
        }

        private static String listed(Set<?> values) {
            return values.stream().map(String::valueOf).collect(Collectors.joining(", "));
        }
    }

    private static Map<String, Found> found() {
        Map<String, Found> found = new TreeMap<>();
        for (PailException error : SAMPLES) {
            found.computeIfAbsent(error.code(), code -> new Found()).add(error);
        }
        return found;
    }

    @Test
    void thePageHasKindAndStatusesOfEachCode() throws IOException {
        Map<String, Found> found = found();
        String page = Files.readString(PAGE);
        Set<String> listed = new TreeSet<>();
        String right = ROW.matcher(page).replaceAll(row -> {
            String code = row.group(1);
            listed.add(code);
            Found one = found.getOrDefault(code, new Found());
            return Matcher.quoteReplacement("| `" + code + "` | " + one.columns() + " | " + row.group(6) + " |");
        });
        if (System.getProperty("pail.write") != null) {
            Files.writeString(PAGE, right);
        }
        assertThat(listed).isEqualTo(found.keySet());
        assertThat(page).isEqualTo(right);
    }

    @Test
    void eachKindIsInUse() {
        assertThat(SAMPLES.stream().map(PailException::kind)).containsAll(EnumSet.allOf(PailException.Kind.class));
    }
}
