package dev.pail.repository.model;

import dev.pail.PailException;
import dev.pail.car.CarImport;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Objects;

/**
 * A CAR that does not fit a branch. Its blocks were imported; no branch was moved or created.
 *
 * <pre>{@code
 * try {
 *     repository.take("main", car, ImportOptions.DEFAULT);
 * } catch (ImportException e) {
 *     if (e.reason() == ImportException.Reason.SEVERAL_VERSIONS) {
 *         repository.branches().create("taken", repository.resolve(e.versions().get(0).toString()));
 *     }
 * }
 * }</pre>
 */
public final class ImportException extends PailException {
    /** The reason why the CAR does not fit the branch. */
    public enum Reason {
        /** The bytes of blocks do not match their CIDs. */
        DAMAGED("damaged-store", Kind.DAMAGED),
        /** The CAR names no version, and there is no branch of this name to leave as it is. */
        NO_VERSION("car-file", Kind.MALFORMED),
        /** The CAR names several versions without a history. */
        SEVERAL_VERSIONS("car-file", Kind.MALFORMED),
        /** The CAR names a version without a history, and the branch has a history. */
        NO_HISTORY("unrelated-histories", Kind.CONFLICT);

        private final String code;
        private final Kind kind;

        Reason(String code, Kind kind) {
            this.code = code;
            this.kind = kind;
        }
    }

    private final Reason reason;
    private final CarImport blocks;
    private final List<Cid> versions;

    public ImportException(Reason reason, String message, CarImport blocks, List<Cid> versions) {
        super(message);
        this.reason = Objects.requireNonNull(reason, "reason");
        this.blocks = Objects.requireNonNull(blocks, "blocks");
        this.versions = List.copyOf(versions);
    }

    @Override
    public String code() {
        return reason.code;
    }

    @Override
    public Kind kind() {
        return reason.kind;
    }

    /** Returns the reason why the CAR does not fit the branch. */
    public Reason reason() {
        return reason;
    }

    /** Returns the result of importing the blocks. */
    public CarImport blocks() {
        return blocks;
    }

    /** The roots of the versions without a history that the CAR names. */
    public List<Cid> versions() {
        return versions;
    }
}
