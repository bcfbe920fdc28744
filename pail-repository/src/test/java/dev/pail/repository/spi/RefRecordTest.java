package dev.pail.repository.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.Tracking;
import dev.pail.sign.HeadNote;
import dev.pail.sign.SignedHead;
import dev.pail.sign.SigningKey;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The bytes of the records of refs. */
class RefRecordTest {
    private static final Head ONE =
            Head.of(Block.of(Cid.DAG_CBOR, new byte[] {1}).cid());

    @Test
    void aRemoteTrackingRefHasARecord_REF6() {
        Tracking tracking = new Tracking(7, false, ONE);
        byte[] record = RefRecord.tracking(Optional.of(tracking));
        assertThat(RefRecord.readTracking(record)).contains(tracking);
        assertThat(RefRecord.readTracking(RefRecord.tracking(Optional.empty()))).isEmpty();
        for (int length = 0; length < record.length; length++) {
            byte[] part = Arrays.copyOf(record, length);
            assertThatExceptionOfType(MalformedDataException.class).isThrownBy(() -> RefRecord.readTracking(part));
        }
    }

    @Test
    void signedHeadsHaveARecord_REF9() {
        HeadNote note = HeadNote.parse(
                new SignedHead("main", 1, ONE.events().get(0), ONE).sign(SigningKey.generate("example.com/ann")));
        byte[] record = RefRecord.headNotes(List.of(note));
        assertThat(RefRecord.readHeadNotes(record)).containsExactly(note);
        assertThat(RefRecord.readHeadNotes(RefRecord.headNotes(List.of()))).isEmpty();
        for (int length = 0; length < record.length; length++) {
            byte[] part = Arrays.copyOf(record, length);
            assertThatExceptionOfType(MalformedDataException.class).isThrownBy(() -> RefRecord.readHeadNotes(part));
        }
        record[record.length - 1] = 'x';
        assertThatExceptionOfType(MalformedDataException.class)
                .isThrownBy(() -> RefRecord.readHeadNotes(record))
                .withMessageContaining("SN13");
    }
}
