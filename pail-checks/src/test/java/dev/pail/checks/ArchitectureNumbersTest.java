package dev.pail.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Each number in ARCHITECTURE.md is that of a constant, which a comment behind it names by its class and field: {@code 8 MiB<!-- Class#FIELD -->}.
 */
class ArchitectureNumbersTest {
    /** What is no number of the code: figures of measurements, the picture, names, the numbers of steps. */
    private static final Pattern NO_NUMBERS =
            Pattern.compile("(?ms)^## Fast paths.*?(?=^## )|^```.*?^```|`[^`]*`|^[0-9]+\\. |\\bS3\\b|\\bv[0-9]\\b");

    /** Rules, alone or from one to another. */
    private static final Pattern RULES =
            Pattern.compile("\\b[A-Z]+[0-9]+(?:\\.[0-9]+)?(?: (?:to|and) [A-Z]+[0-9]+(?:\\.[0-9]+)?)?");

    private static final Pattern NUMBER = Pattern.compile(
            "\\b([0-9][0-9,.]*[0-9]|[0-9]|two|three|four|five|six|seven|eight|nine|ten|hundred|thousand)\\b( [KM]iB\\b)?(?:<!-- ([\\w.$]+)#(\\w+) -->)?"
                    + "(\\s+\\w+)?",
            Pattern.CASE_INSENSITIVE);

    /** What the page itself counts. */
    private static final List<String> COUNTED =
            List.of("Five walks", "three versions", "three waits", "two histories", "two copies");

    private static final Map<String, Integer> UNITS = Map.of("", 0, " KiB", 10, " MiB", 20);

    private static List<String> complaints(String page) throws ReflectiveOperationException {
        String text = RULES.matcher(NO_NUMBERS.matcher(page).replaceAll("")).replaceAll("");
        List<String> complaints = new ArrayList<>();
        for (MatchResult number : NUMBER.matcher(text).results().toList()) {
            if (number.group(3) == null) {
                if (!COUNTED.contains(number.group().replaceAll("\\s+", " "))) {
                    complaints.add(number.group() + ": no constant is named behind it");
                }
                continue;
            }
            Field field = Class.forName(number.group(3)).getDeclaredField(number.group(4));
            field.setAccessible(true);
            String unit = number.group(2) == null ? "" : number.group(2);
            String digits = number.group(1).replace(",", "");
            long value = ((Number) field.get(null)).longValue();
            if (!digits.matches("[0-9]+") || Long.parseLong(digits) << UNITS.get(unit) != value) {
                complaints.add(number.group() + ": the code has " + value);
            }
        }
        return complaints;
    }

    @Test
    void theNumbersOfThePageAreThoseOfTheCode() throws IOException, ReflectiveOperationException {
        String page = Files.readString(Modules.PROJECT.resolve("ARCHITECTURE.md"));
        assertThat(complaints(page)).isEmpty();
        assertThat(Pattern.compile("#\\w+ -->").matcher(page).results().count()).isGreaterThanOrEqualTo(7);
    }

    @Test
    void aNumberOfNoConstantOrAnotherIsFound() throws ReflectiveOperationException {
        String right = "At most 8 MiB<!-- dev.pail.repository.update.StagedBlocks#MAX_STAGED --> of blocks.";
        assertThat(complaints(right)).isEmpty();
        assertThat(complaints(right.replace("8 MiB", "16 MiB"))).hasSize(1);
        assertThat(complaints("After eight lost races")).hasSize(1);
        assertThat(complaints("It stages 8 MiB of blocks")).hasSize(1);
    }
}
