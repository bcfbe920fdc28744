package dev.pail.repository.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.Tracking;
import java.util.Arrays;
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
}
