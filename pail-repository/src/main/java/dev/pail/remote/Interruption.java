package dev.pail.remote;

import dev.pail.BlockStore;
import dev.pail.bytes.Utf8;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.Tracking;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * A note that a transfer of a branch broke off after some blocks had come. It is a block that nothing links to, beside those that came: if
 * the collector takes these away, it takes the note with them. Rule SY14. Immutable.
 */
final class Interruption {
    /** What broke off. */
    enum Of {
        FETCH,
        PUSH
    }

    private final Block note;

    private Interruption(Block note) {
        this.note = note;
    }

    /** The note for a transfer that began in this state of a remote-tracking ref. A later state has another note. */
    static Interruption of(Of what, String ref, Optional<Tracking> seen) {
        String state = seen.map(tracking -> new String(tracking.toBytes(), StandardCharsets.US_ASCII))
                .orElse("nothing\n");
        return new Interruption(Block.of(
                Cid.RAW,
                Utf8.encode("a pail " + what.name().toLowerCase(Locale.ROOT) + " broke off: " + ref + '\n' + state)));
    }

    void write(BlockStore blocks) {
        blocks.put(note);
    }

    boolean isNoted(BlockStore blocks) {
        return blocks.has(note.cid());
    }
}
