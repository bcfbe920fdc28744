package dev.pail.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Words of a line, as a shell has them. */
class WordsTest {
    @Test
    void quotesAndBackslashesAreThoseOfAShell() {
        assertThat(Words.of("")).isEmpty();
        assertThat(Words.of("  \t \r")).isEmpty();
        assertThat(Words.of("# a comment")).isEmpty();
        assertThat(Words.of("put a b#c # d")).containsExactly("put", "a", "b#c");
        assertThat(Words.of("put 'a b' \"c 'd'\" ''")).containsExactly("put", "a b", "c 'd'", "");
        assertThat(Words.of("a\\ b \"c\\\"d\\n\" 'e\\f'")).containsExactly("a b", "c\"d\\n", "e\\f");
        assertThat(Words.of("a'b'\"c\"d")).containsExactly("abcd");
        assertThat(Words.of("$HOME * ~")).containsExactly("$HOME", "*", "~");
        for (String wrong : new String[] {"a 'b", "a \"b", "a\\", "\"a\\\""}) {
            assertThatIllegalArgumentException().isThrownBy(() -> Words.of(wrong));
        }
    }

    @Test
    void quotedWordsComeBack() {
        Random random = new Random(Randomness.seed("WordsTest"));
        String letters = "ab '\"\\#$`\t";
        for (int i = 0; i < 2000; i++) {
            List<String> words = new ArrayList<>();
            StringBuilder line = new StringBuilder();
            for (int n = random.nextInt(5); n > 0; n--) {
                StringBuilder word = new StringBuilder();
                random.ints(random.nextInt(6), 0, letters.length()).forEach(at -> word.append(letters.charAt(at)));
                words.add(word.toString());
                line.append(
                                random.nextBoolean()
                                        ? "'" + word.toString().replace("'", "'\\''") + "'"
                                        : '"' + word.toString().replaceAll("([\"\\\\$`])", "\\\\$1") + '"')
                        .append(' ');
            }
            assertThat(Words.of(line.toString())).as(line.toString()).isEqualTo(words);
        }
    }
}
