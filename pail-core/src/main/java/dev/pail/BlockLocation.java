package dev.pail;

import java.util.Objects;
import java.util.Optional;

/**
 * Where a store has a block. A block that is whole in a segment has a {@link RowLoc}, where its bytes are and nothing else.
 *
 * <pre>{@code
 * BlockLocation found = LocatedBlocks.locate(pail.blocks(), value);
 * System.out.println(found.rowLoc().map(RowLoc::toString).orElse(found.form().text()));
 * }</pre>
 *
 * @param form how the block is stored
 * @param rowLoc the place of its bytes, if it is whole in a segment and ten bytes hold the place
 * @param file the path of the segment, if the block is in one
 */
public record BlockLocation(Form form, Optional<RowLoc> rowLoc, Optional<String> file) {
    /** How a block is stored. */
    public enum Form {
        /** Its bytes are in a segment. */
        WHOLE("whole in a segment"),
        /** A segment has the difference from another block. */
        DELTA("a delta in a segment"),
        /** A segment has the difference from another block, packed. */
        PACKED_DELTA("a packed delta in a segment"),
        /** Its bytes are in a segment whose number is too great for ten bytes. */
        TOO_WIDE("whole in a segment whose number is greater than " + RowLoc.MAX_SECTION),
        /** It is in a file of its own. */
        FILE("in a file of its own"),
        /** It is in memory, since the update that put it has not ended. */
        STAGED("not written yet"),
        /** It is no block of a store: its CID has the bytes. */
        INLINE("in the map itself"),
        /** It is in a store without segments. */
        ELSEWHERE("in a store without segments");

        private final String text;

        Form(String text) {
            this.text = text;
        }

        /** Returns the form in words. */
        public String text() {
            return text;
        }
    }

    /** @throws IllegalArgumentException if another form than {@link Form#WHOLE} has a place, or that has none */
    public BlockLocation {
        Objects.requireNonNull(form, "form");
        Objects.requireNonNull(rowLoc, "rowLoc");
        Objects.requireNonNull(file, "file");
        if (rowLoc.isPresent() != (form == Form.WHOLE)) {
            throw new IllegalArgumentException("a place is that of a block that is whole in a segment");
        }
    }

    /** Returns the location of a block that is in no segment. */
    public static BlockLocation without(Form form) {
        return new BlockLocation(form, Optional.empty(), Optional.empty());
    }
}
