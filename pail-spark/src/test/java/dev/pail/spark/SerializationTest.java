package dev.pail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pail.KeyChange;
import dev.pail.Pail;
import dev.pail.ShardFormat;
import dev.pail.Verification;
import dev.pail.blockstore.MemoryBlockStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** What tasks take and return, by both serializers of Spark. */
class SerializationTest {
    static Stream<Serializer> serializers() {
        SparkConf conf = new SparkConf(false);
        return Stream.of(new JavaSerializer(conf), new KryoSerializer(conf));
    }

    private static <T> T sent(Serializer serializer, T value) {
        ClassTag<T> tag = ClassTag$.MODULE$.apply(value.getClass());
        return serializer.newInstance().deserialize(serializer.newInstance().serialize(value, tag), tag);
    }

    @ParameterizedTest
    @MethodSource("serializers")
    void resultsArriveAsTheyWereSent(Serializer serializer) {
        MemoryBlockStore blocks = new MemoryBlockStore();
        Pail pail = KeySets.single(blocks, ShardFormat.v1(), Set.of("a", "ab", "b"));
        assertThat(sent(serializer, BuiltPart.of(pail)).pail()).isEqualTo(pail);
        assertThat(sent(serializer, BuiltPart.refused("a")).refused()).isEqualTo("a");
        for (KeyChange change : List.of(
                new KeyChange("a", Optional.empty(), Optional.of(KeySets.value("1"))),
                new KeyChange("b", Optional.of(KeySets.value("1")), Optional.empty()))) {
            assertThat(sent(serializer, new ChangedKey(change)).change()).isEqualTo(change);
        }
        assertThat(sent(serializer, new KeyPart("b", null)).range()).isEqualTo(new KeyPart("b", null).range());
        CheckedPail none = CheckedPail.of(Verification.of(new MemoryBlockStore(), pail.root()));
        CheckedPail all = sent(serializer, none.plus(sent(serializer, none)));
        assertThat(all.problems()).hasSize(1).isEqualTo(none.problems());
        BuildOptions options = sent(
                serializer,
                BuildOptions.of(ShardFormat.v2(100))
                        .withDuplicates(DuplicateKeys.LEAST_VALUE)
                        .withBranch("main", "why"));
        assertThat(options.format()).isEqualTo(ShardFormat.v2(100));
        assertThat(options.duplicates()).isEqualTo(DuplicateKeys.LEAST_VALUE);
        assertThat(options.branch()).isEqualTo("main");
    }
}
