package dev.pail.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.DagCborWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text that is signed: one for each head. */
class SignedHeadTest {
    private static final SigningKey KEY = SigningKey.parse(SigningKeyTest.PRIVATE);
    private static final Cid ROOT = cid(-1);

    private static Cid cid(int number) {
        return Block.of(Cid.DAG_CBOR, new DagCborWriter().integer(number).toByteArray())
                .cid();
    }

    private static Head head(int events) {
        return Head.of(IntStream.range(0, events).mapToObj(SignedHeadTest::cid).toList());
    }

    private static SignedHead opened(String text) {
        return SignedHead.open(SignedNote.sign(text, KEY), KEY.verifierKey());
    }

    private static AbstractThrowableAssert<?, ?> assertRefused(String text) {
        return assertThatThrownBy(() -> opened(text)).isInstanceOf(InvalidNoteException.class);
    }

    private static String text(String name, String generation, Cid root, List<Cid> events) {
        StringBuilder text = new StringBuilder("pail/" + name + "\n" + generation + "\n" + root + "\n");
        events.forEach(event -> text.append(event).append('\n'));
        return text.toString();
    }

    @Test
    void signsOneLineForEachPart_SN8() {
        Head head = head(3);
        byte[] note = new SignedHead("main", 7, ROOT, head).sign(KEY);
        assertThat(new String(note, StandardCharsets.UTF_8))
                .startsWith(text("main", "7", ROOT, head.events()) + "\n\u2014 PeterNeumann x08go");
        assertThat(SignedHead.open(note, KEY.verifierKey())).isEqualTo(new SignedHead("main", 7, ROOT, head));
    }

    @Test
    void comesBackAsItWas_SN8_SN9() {
        long seed = Long.getLong("pail.seed", System.nanoTime());
        System.out.println("SignedHeadTest: -Dpail.seed=" + seed);
        Random random = new Random(seed);
        String letters = "abyzABYZ0189._-/";
        for (int i = 0; i < 200; i++) {
            StringBuilder name = new StringBuilder();
            int length = 1 + random.nextInt(100);
            random.ints(length, 0, letters.length()).forEach(at -> name.append(letters.charAt(at)));
            long generation = random.nextLong() >>> (1 + random.nextInt(63));
            SignedHead head =
                    new SignedHead(name.toString(), generation, cid(random.nextInt()), head(1 + random.nextInt(20)));
            SigningKey key = SigningKey.generate("example.com/" + i);
            assertThat(SignedHead.open(head.sign(key), key.verifierKey())).isEqualTo(head);
            assertThatThrownBy(() -> SignedHead.open(head.sign(key), KEY.verifierKey()))
                    .hasMessageContaining("no signature by PeterNeumann");
        }
    }

    @Test
    void hasUpTo1000Events_SN9() {
        SignedHead most = new SignedHead("a".repeat(100), Long.MAX_VALUE, ROOT, head(1000));
        assertThat(SignedHead.open(most.sign(KEY), KEY.verifierKey())).isEqualTo(most);
        assertThatIllegalArgumentException().isThrownBy(() -> new SignedHead("a", 1, ROOT, head(1001)));
        assertThatIllegalArgumentException().isThrownBy(() -> new SignedHead("a", 1, ROOT, Head.empty()));
        assertRefused(text("a", "1", ROOT, head(1001).events())).hasMessageContaining("(SN8)");
        assertRefused(text("a", "1", ROOT, List.of())).hasMessageContaining("(SN8)");
        assertRefused("pail/a\n1\n" + "\n".repeat(200_000)).hasMessageContaining("(SN8)");
    }

    @Test
    void refusesOtherValues_SN9() {
        Cid raw = Block.of(Cid.RAW, new byte[1]).cid();
        assertThatIllegalArgumentException().isThrownBy(() -> new SignedHead("a", -1, ROOT, head(1)));
        assertThatIllegalArgumentException().isThrownBy(() -> new SignedHead("a", 1, raw, head(1)));
        for (String name : new String[] {"", "a b", "a\nb", "\u00e9", "a+b", "a@{1}", "a".repeat(101)}) {
            assertThatIllegalArgumentException().isThrownBy(() -> new SignedHead(name, 1, ROOT, head(1)));
            assertRefused(text(name, "1", ROOT, head(1).events()));
        }
        assertRefused(text("a", "1", raw, head(1).events())).hasMessageContaining("(SN9)");
        assertRefused(text("a", "1", ROOT, List.of(raw))).hasMessageContaining("(M1)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "+1", "01", "1 ", "0x1", "9223372036854775808", "\u0661", "1.0"})
    void refusesOtherNumbers_SN8(String generation) {
        assertRefused(text("a", generation, ROOT, head(1).events()));
    }

    @Test
    void refusesOtherForms_SN8() {
        List<Cid> events = head(3).events();
        String sound = text("a", "1", ROOT, events);
        assertThat(opened(sound).head().events()).isEqualTo(events);
        List<Cid> reversed = new ArrayList<>(events);
        Collections.reverse(reversed);
        assertRefused(text("a", "1", ROOT, reversed)).hasMessageContaining("events in order (SN8)");
        assertRefused(sound + events.get(2) + "\n").hasMessageContaining("(SN8)");
        assertRefused(sound + "\n");
        assertRefused("\n" + sound);
        assertRefused(sound.replace("pail/", "sail/")).hasMessageContaining("(SN8)");
        assertRefused(sound.replace(ROOT.toString(), ROOT.toString().toUpperCase(java.util.Locale.ROOT)));
        assertRefused(sound.replace(ROOT.toString(), "/ipfs/" + ROOT));
        assertRefused("go.sum database tree\n1\nAAAA\n");
    }

    /** Some bytes may be free to change in the text of another signer, but not in what one signs. */
    @Test
    void refusesEveryChangedByte_SN7() {
        byte[] note = new SignedHead("main", 7, ROOT, head(2)).sign(KEY);
        for (int i = 0; i < note.length; i++) {
            for (int bit = 0; bit < 8; bit++) {
                note[i] ^= (byte) (1 << bit);
                assertThatThrownBy(() -> SignedHead.open(note, KEY.verifierKey()))
                        .isInstanceOf(InvalidNoteException.class);
                note[i] ^= (byte) (1 << bit);
            }
        }
    }
}
