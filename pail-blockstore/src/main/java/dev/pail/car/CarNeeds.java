package dev.pail.car;

import dev.pail.MalformedBlockException;
import dev.pail.bytes.Utf8;
import dev.pail.clock.Event;
import dev.pail.dag.Links;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The section of a CAR that says what its readers must understand (Rule CAR14): an identity CID, which readers that know nothing of it pass
 * over.
 */
final class CarNeeds {
    /** That events may be described. Repositories have the same word. */
    static final String EVENTS = "events";

    private static final String BEGIN = "pail needs: ";
    private static final Set<String> KNOWN = Set.of(EVENTS);

    private CarNeeds() {}

    /** The CID of the section. */
    static Cid section(String words) {
        byte[] text = Utf8.encode(BEGIN + words);
        byte[] cid = new byte[4 + text.length];
        // Version 1, raw, identity, and how many bytes follow.
        cid[0] = 1;
        cid[1] = (byte) Cid.RAW;
        cid[2] = (byte) Cid.IDENTITY;
        cid[3] = (byte) text.length;
        System.arraycopy(text, 0, cid, 4, text.length);
        return Cid.fromBytes(cid);
    }

    /** Finds a word in the CID of a section that is not known here; null if there is none. */
    static @Nullable String unknown(Cid section) {
        return !is(section)
                ? null
                : Arrays.stream(text(section).substring(BEGIN.length()).split(",", -1))
                        .map(String::strip)
                        .filter(word -> !KNOWN.contains(word))
                        .findFirst()
                        .orElse(null);
    }

    /** Whether a section with this CID says what readers must understand. */
    static boolean is(Cid section) {
        return section.hashFunction() == Cid.IDENTITY
                && section.codec() == Cid.RAW
                && text(section).startsWith(BEGIN);
    }

    private static String text(Cid section) {
        return new String(section.digest(), StandardCharsets.UTF_8);
    }

    /** Writes the section before the first described event. So a CAR of plain events has none. */
    static Consumer<Block> writer(CarWriter writer) {
        boolean[] isWritten = new boolean[1];
        return block -> {
            if (!isWritten[0] && isDescribed(block)) {
                isWritten[0] = true;
                writer.writeIdentity(section(EVENTS));
            }
            writer.write(block);
        };
    }

    private static boolean isDescribed(Block block) {
        try {
            return Links.isEvent(block) && Event.fromBlock(block).isDescribed();
        } catch (MalformedBlockException e) {
            // A value that only looks like an event.
            return false;
        }
    }
}
