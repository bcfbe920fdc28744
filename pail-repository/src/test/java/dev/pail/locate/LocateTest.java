package dev.pail.locate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.ShardFormat;
import dev.pail.repository.model.Need;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocateTest {
    @Test
    void aUrlHasParameters() {
        StoreUrl url = StoreUrl.of("x://u@h/p?a=1%202&b=%3D+&c=");
        assertThat(url.parameters())
                .containsEntry("a", "1 2")
                .containsEntry("b", "=+")
                .containsEntry("c", "")
                .hasSize(3);
        assertThat(StoreUrl.of("x://h").parameters()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x://u:secret@h/ p", "x://h?secret", "x://h?a=secret&a=2"})
    void aRefusalHasNoSecret(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StoreUrl.of(url))
                .satisfies(e -> assertThat(e).message().doesNotContain("secret"));
    }

    @Test
    void aFormatIsALine() {
        for (ShardFormat format : new ShardFormat[] {ShardFormat.v0(), ShardFormat.v1(), ShardFormat.v2(1000)}) {
            for (Set<Need> needs : List.of(Set.<Need>of(), Set.of(Need.EVENTS))) {
                FormatLine line = new FormatLine(format, needs);
                assertThat(FormatLine.read(line.text())).isEqualTo(line);
            }
        }
        assertThat(new FormatLine(ShardFormat.v2(1000), Set.of()).text()).isEqualTo("v2 maxKeySize=1000");
        assertThat(new FormatLine(ShardFormat.v2(1000), Set.of(Need.EVENTS)).text())
                .isEqualTo("v2 maxKeySize=1000 needs=events");
    }

    @Test
    void aNeedThatIsNotKnownIsNamed_PG17_DE12() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FormatLine.read("v1 maxKeySize=64 needs=events,trees"))
                .withMessageContaining("\"trees\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "v9", "v1 maxKeySize", "v1 maxKeySize=x", "v1  maxKeySize=64", "v1 maxKeySize=-1"})
    void whatIsNoFormatIsRefused(String line) {
        assertThatIllegalArgumentException().isThrownBy(() -> FormatLine.read(line));
    }
}
