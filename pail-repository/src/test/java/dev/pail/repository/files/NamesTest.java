package dev.pail.repository.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.repository.model.RefName;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Which names branches and tags may have, beside a pattern that says the same. */
class NamesTest {
    private static final Pattern NAME =
            Pattern.compile("(?=.{1,100}$)[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)*");

    private static void compare(String name) {
        assertThat(RefName.isValid(name)).as(name).isEqualTo(NAME.matcher(name).matches());
    }

    @Test
    void everyCharacterInEveryPlace() {
        compare("");
        for (int c = 0; c <= 0xffff; c++) {
            for (String around : List.of("", "a", ".")) {
                compare((char) c + around);
                compare(around + (char) c);
                compare("b" + (char) c + around);
            }
        }
    }

    @Test
    void slashesPartNamesAndCountThree_REP25() {
        for (String name :
                List.of("a/b", "a//b", "/a", "a/", "a/b/c", "a/.b", "a/-b", "../a", "a/..", "a.lock/x", "/")) {
            compare(name);
        }
        assertThat(RefName.isValid("a/" + "x".repeat(96))).isTrue();
        assertThat(RefName.isValid("a/" + "x".repeat(97))).isFalse();
        assertThat(HeadFiles.fileName("feature/a/b")).isEqualTo("feature%2Fa%2Fb");
        assertThat(HeadFiles.nameOf("feature%2Fa%2Fb")).isEqualTo("feature/a/b");
        assertThat(RefName.isValid(HeadFiles.nameOf("a%2fb"))).isFalse();
        assertThat(RefName.isValid("a%2Fb")).isFalse();
    }

    @Test
    void atMostAHundredCharacters() {
        for (int length = 98; length <= 102; length++) {
            compare("x".repeat(length));
            compare("x" + "-".repeat(length - 1));
            compare(".".repeat(length));
        }
    }
}
