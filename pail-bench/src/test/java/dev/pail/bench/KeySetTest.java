package dev.pail.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeySetTest {
    @ParameterizedTest
    @EnumSource
    void keysAreDistinct(KeySet set) {
        List<String> keys = set.keys(20_000);

        assertThat(keys).hasSize(20_000);
        assertThat(new HashSet<>(keys)).hasSize(20_000);
    }

    @Test
    void keysAreTheSameOnEveryMachine() {
        assertThat(Entries.of(KeySet.W1, 1_000, Entries.Order.GIVEN).digest())
                .isEqualTo("41e9b4c07ec4918d3b1b54fa1cd4041da9289cde39d14ff7b5dbf64f58afaa78");
        assertThat(Entries.of(KeySet.W2, 1_000, Entries.Order.GIVEN).digest())
                .isEqualTo("33bad5978f05a891ba6ff1045126522de0e4ae7e3b2c712bcf3226fa5d380040");
        assertThat(Entries.of(KeySet.W3, 1_000, Entries.Order.GIVEN).digest())
                .isEqualTo("49052c38778292858f578c0a86968369cbd277524bd0620f36934a1304b15318");
    }

    @Test
    void randomKeysAreLettersAndDigitsOfAllLengths() {
        List<String> keys = KeySet.W1.keys(20_000);

        assertThat(keys).allMatch(key -> key.matches("[A-Za-z0-9]{1,64}"));
        assertThat(keys.stream().map(String::length).distinct()).hasSize(64);
    }

    @Test
    void pathsAreThoseOfAFewHundredUsers() {
        List<String> keys = KeySet.W2.keys(20_000);

        assertThat(keys).allMatch(key -> key.matches("users/u\\d{6}/photos/\\d{4}/\\d{2}/img_\\d{6}\\.jpg"));
        assertThat(keys.stream().map(key -> key.substring(0, 14)).distinct()).hasSize(300);
        assertThat(keys).isNotEqualTo(keys.stream().sorted().toList());
    }

    @Test
    void timesAscend() {
        List<String> keys = KeySet.W3.keys(20_000);

        assertThat(keys).allMatch(key -> key.matches("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z/\\d{6}"));
        assertThat(keys).isSorted();
        assertThat(keys.get(0)).isEqualTo("2024-07-01T00:00:00.000Z/000000");
    }
}
