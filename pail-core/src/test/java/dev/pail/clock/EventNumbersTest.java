package dev.pail.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.Vectors;
import dev.pail.ipld.Cid;
import dev.pail.testkit.Randomness;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against a map of CIDs, and the texts of these. */
class EventNumbersTest {
    private final Random random = new Random(Randomness.seed("EventNumbersTest"));

    /** An event whose digest begins as another one, for some bits. */
    private Cid event(byte[] other) {
        byte[] bytes = other.clone();
        int bit = random.nextInt(256);
        bytes[4 + bit / 8] ^= (byte) (0x80 >> bit % 8);
        for (int i = 4 + bit / 8 + 1; i < bytes.length; i++) {
            bytes[i] = (byte) random.nextInt();
        }
        return Cid.fromBytes(bytes);
    }

    @Test
    void numbersAndOrderAreThoseOfTheCids_M14() {
        EventNumbers numbers = new EventNumbers();
        Map<Cid, Integer> plain = new LinkedHashMap<>();
        List<Cid> cids = new ArrayList<>();
        byte[] first = new byte[36];
        System.arraycopy(new byte[] {1, 0x71, 0x12, 32}, 0, first, 0, 4);
        for (int i = 0; i < 5_000; i++) {
            Cid cid =
                    event(i == 0 ? first : cids.get(random.nextInt(cids.size())).toBytes());
            assertThat(numbers.of(cid)).isEqualTo(plain.getOrDefault(cid, EventNumbers.NONE));
            if (plain.putIfAbsent(cid, cids.size()) == null) {
                cids.add(cid);
            }
            assertThat(numbers.add(cid)).isEqualTo(plain.get(cid));
        }
        assertThat(numbers.size()).isEqualTo(cids.size());
        for (int i = 0; i < cids.size(); i++) {
            assertThat(numbers.cid(i)).isEqualTo(cids.get(i));
            int other = random.nextInt(cids.size());
            assertThat(Integer.signum(numbers.compareTexts(i, other)))
                    .isEqualTo(Integer.signum(
                            cids.get(i).toString().compareTo(cids.get(other).toString())));
        }
    }

    @Test
    void rejectsWhatNamesNoEvent_M1() {
        EventNumbers numbers = new EventNumbers();
        assertThatIllegalArgumentException().isThrownBy(() -> numbers.add(Vectors.value(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> numbers.of(Vectors.value(1)));
    }
}
