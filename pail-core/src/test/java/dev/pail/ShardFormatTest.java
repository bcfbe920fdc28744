package dev.pail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.shard.Layout;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ShardFormatTest {
    static Stream<ShardFormat> formats() {
        return Stream.of(
                ShardFormat.v0(), ShardFormat.v1(), ShardFormat.v2(), ShardFormat.v0(64, 1), ShardFormat.v2(7));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void aFormatIsItsNameAndConfiguration(ShardFormat format) {
        assertThat(ShardFormat.of(format.name(), format.configuration())).isEqualTo(format);
        assertThat(ShardFormat.named(format.name()).configuration().keySet())
                .isEqualTo(format.configuration().keySet());
    }

    @Test
    void onlyItsOwnSettingsAreTaken() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShardFormat.of("v1", Map.of("maxSize", 64)))
                .withMessage("format v1 has [maxKeySize], and not [maxSize]");
        assertThatIllegalArgumentException().isThrownBy(() -> ShardFormat.of("v0", Map.of("maxSize", 64)));
        assertThatIllegalArgumentException().isThrownBy(() -> ShardFormat.of("v2", Map.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShardFormat.of("v1", Map.of("maxKeySize", 0)))
                .withMessageContaining("maxKeySize is from 1 to 4096");
    }

    @Test
    void otherNamesAreNotKnown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ShardFormat.named("v3"))
                .withMessage("format \"v3\" is not known");
    }

    /** A root with many fields is refused by their number, before any of them is read. */
    @Test
    void rejectsRootWithMoreFieldsThanAnyFormatHas_S2() {
        byte[][] fields = new byte[12][];
        for (int i = 0; i < fields.length; i += 2) {
            fields[i] = HostileCbor.text("f" + i);
            fields[i + 1] = HostileCbor.integer(i);
        }
        Block root = Block.of(Cid.DAG_CBOR, HostileCbor.map(fields));
        assertThatExceptionOfType(MalformedBlockException.class)
                .isThrownBy(() -> Layout.detect(root))
                .withMessageContaining("at most 5 fields (S2)");
    }
}
