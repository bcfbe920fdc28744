package dev.pail.sign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Notes beside a branch: unchecked, and one behind the other. */
class HeadNoteTest {
    private static final SigningKey KEY = SigningKey.parse(SigningKeyTest.PRIVATE);

    private static Cid cid(int number) {
        return Block.of(Cid.DAG_CBOR, new byte[] {(byte) number}).cid();
    }

    private static byte[] signed(String name, long generation, SigningKey key) {
        return new SignedHead(name, generation, cid(1), Head.of(cid(2))).sign(key);
    }

    private static List<HeadNote> notes(int count) {
        List<HeadNote> notes = new ArrayList<>(IntStream.range(0, count)
                .mapToObj(i -> HeadNote.parse(signed("main", i, SigningKey.generate("example.com/" + i))))
                .toList());
        notes.sort(Comparator.comparing(HeadNote::signer));
        return notes;
    }

    @Test
    void saysWhatItClaims_SN11() {
        byte[] bytes = signed("main", 7, KEY);
        HeadNote note = HeadNote.parse(bytes);
        assertThat(note.name()).isEqualTo("main");
        assertThat(note.claim()).isEqualTo(SignedHead.open(bytes, KEY.verifierKey()));
        assertThat(note.signer()).isEqualTo(KEY.verifierKey().id()).isEqualTo("PeterNeumann+c74f20a3");
        assertThat(note.bytes()).isEqualTo(bytes);
        assertThat(note.open(KEY.verifierKey())).isEqualTo(note.claim());
        assertThat(note).isEqualTo(HeadNote.parse(bytes)).hasSameHashCodeAs(HeadNote.parse(bytes));
        bytes[5] ^= 1;
        assertThat(note.bytes()).isNotEqualTo(bytes);
    }

    /** A forged note reads as any other, and does not open. */
    @Test
    void onlyTheKeyTellsAForgedNote_SN11() {
        String forged = new String(signed("main", 7, KEY), StandardCharsets.UTF_8).replace("\n7\n", "\n8\n");
        HeadNote note = HeadNote.parse(forged.getBytes(StandardCharsets.UTF_8));
        assertThat(note.claim().generation()).isEqualTo(8);
        assertThatThrownBy(() -> note.open(KEY.verifierKey()))
                .isInstanceOf(InvalidNoteException.class)
                .hasMessageContaining("a wrong signature by PeterNeumann+c74f20a3");
    }

    @Test
    void hasOneSignature_SN11() {
        String one = new String(signed("main", 7, KEY), StandardCharsets.UTF_8);
        String line = one.substring(one.lastIndexOf('\u2014'));
        assertThatThrownBy(() -> HeadNote.parse((one + line).getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(InvalidNoteException.class)
                .hasMessageContaining("(SN11)");
        assertThatThrownBy(() -> HeadNote.parse(SignedNote.sign("tree\n1\n", KEY)))
                .isInstanceOf(InvalidNoteException.class)
                .hasMessageContaining("(SN8)");
        assertThatThrownBy(() -> HeadNote.parse(new byte[HeadNote.MAX_TOTAL + 1]))
                .isInstanceOf(InvalidNoteException.class)
                .hasMessageContaining("(SN12)");
    }

    @Test
    void manyAreReadAsTheyWereWritten_SN13() {
        for (int count : new int[] {0, 1, 2, 20}) {
            List<HeadNote> notes = notes(count);
            assertThat(HeadNote.parseAll(HeadNote.join(notes))).isEqualTo(notes);
        }
        HeadNote other = HeadNote.parse(signed("other", 1, SigningKey.generate("z")));
        List<HeadNote> mixed = new ArrayList<>(notes(1));
        mixed.add(other);
        assertThatThrownBy(() -> HeadNote.join(mixed))
                .isInstanceOf(InvalidNoteException.class)
                .hasMessageContaining("(SN13)");
    }

    @Test
    void anyOtherBytesAreRefused_SN13() {
        List<HeadNote> notes = notes(3);
        byte[] sound = HeadNote.join(notes);
        for (int end = 0; end < sound.length; end++) {
            byte[] cut = Arrays.copyOf(sound, end);
            int whole = end;
            if (HeadNote.parseAll(HeadNote.join(notes.subList(0, 1))).get(0).bytes().length == end
                    || HeadNote.join(notes.subList(0, 2)).length == end
                    || end == 0) {
                assertThat(HeadNote.join(HeadNote.parseAll(cut))).hasSize(whole);
            } else {
                assertThatThrownBy(() -> HeadNote.parseAll(cut)).isInstanceOf(InvalidNoteException.class);
            }
        }
        List<HeadNote> reversed = new ArrayList<>(notes);
        Collections.reverse(reversed);
        StringBuilder text = new StringBuilder();
        reversed.forEach(text::append);
        assertThatThrownBy(() -> HeadNote.parseAll(text.toString().getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(InvalidNoteException.class)
                .hasMessageContaining("(SN13)");
        assertThatThrownBy(() -> HeadNote.parseAll(new byte[HeadNote.MAX_TOTAL + 1]))
                .isInstanceOf(InvalidNoteException.class)
                .hasMessageContaining("(SN12)");
    }
}
