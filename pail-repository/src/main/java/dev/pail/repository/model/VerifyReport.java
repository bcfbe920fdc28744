package dev.pail.repository.model;

import dev.pail.PailException;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The result of {@link dev.pail.repository.Repository#verify} and {@link dev.pail.repository.CarVersions#verify}. Each block is counted once. Immutable.
 *
 * <pre>{@code
 * VerifyReport report = repository.verify(VerifyOptions.DEFAULT);
 * for (VerifyReport.Problem problem : report.problems()) {
 *     System.out.println(problem.kind() + " " + problem.subject() + " " + problem.place() + ": " + problem.cause().getMessage());
 * }
 * for (VerifyReport.WayBack way : report.waysBack()) {
 *     repository.move(repository.snapshot(way.branch()), way.head(), "back to the newest whole version");
 * }
 * }</pre>
 *
 * @param versions the number of versions checked
 * @param events the number of sound events
 * @param shards the number of sound shards
 * @param entries the number of entries in them
 * @param values the number of values that are sound blocks
 * @param absentValues the number of values that are not in the block store, or that cannot be verified
 * @param below the number of blocks below values that are in the block store
 * @param absentBelow the number of blocks below values that are not in the block store, or that cannot be verified
 * @param erased the number of values, and of blocks below values, that were erased; they are not absent
 * @param unremoved the number of erased blocks whose bytes may still be here: {@link dev.pail.repository.Erasing#finish} removes them
 * @param bytes the size of all blocks that were read, in bytes
 * @param damaged the number of problems that are missing or damaged blocks and files
 * @param unreadable the number of problems that are read errors
 * @param promised the number of absent blocks, as far as they are known, that the remote of a {@link Part} promises; they are no problems, and not lost
 * @param untold the number of absent blocks of a {@link Part} that may be promised or lost, as its remote was not reached; each is an unreadable problem
 * @param problems the first {@link #MOST_PROBLEMS} problems; {@link VerifyOptions#problems} gets all
 * @param heads the versions of branches, then of tags, if their roots are known; for a CAR, the versions that its roots name
 * @param waysBack for each branch whose newest version has lost an event or a shard, the newest complete version, if it is
 *     within the last 1,000 ref updates
 */
public record VerifyReport(
        long versions,
        long events,
        long shards,
        long entries,
        long values,
        long absentValues,
        long below,
        long absentBelow,
        long erased,
        long unremoved,
        long bytes,
        long damaged,
        long unreadable,
        long promised,
        long untold,
        List<Problem> problems,
        List<Version> heads,
        List<WayBack> waysBack) {
    /** The maximum number of problems in a report. */
    public static final int MOST_PROBLEMS = 1000;

    public VerifyReport {
        problems = List.copyOf(Objects.requireNonNull(problems, "problems"));
        heads = List.copyOf(Objects.requireNonNull(heads, "heads"));
        waysBack = List.copyOf(Objects.requireNonNull(waysBack, "waysBack"));
    }

    /** Whether there is no problem. */
    public boolean isSound() {
        return damaged == 0 && unreadable == 0;
    }

    /** The kind of a problem. */
    public enum Kind {
        /** A block is not there. */
        MISSING,
        /** A block does not match its CID or breaks a rule of its format, or a file is damaged. */
        DAMAGED,
        /** A read failed, so the check does not know what is there. */
        UNREADABLE
    }

    /** The subject of a problem. */
    public enum Subject {
        /** An event. The place is the branch or tag. */
        EVENT,
        /** A shard. The place is the prefix of its keys. */
        SHARD,
        /** A block that the version of a head of several events is made of. The place is the branch or tag. */
        VERSION,
        /** A value. The place is its key. */
        VALUE,
        /** A block below a value. The place is the key of the value. */
        BELOW,
        /** A stored block that no version that was checked leads to. It has no place. */
        STORED,
        /** What is stored of a branch. The place is its name. */
        HEAD,
        /** A log. The place is the name of the branch. */
        LOG,
        /** A tag. The place is its name. */
        TAG,
        /** The name of the current branch. */
        CURRENT,
        /** What the garbage collector has noted. */
        COLLECTION,
        /** The list of lost blocks. */
        LOST,
        /** The records of erased blocks. */
        ERASED,
        /** Part of the block store, so that it is unknown which blocks were there. */
        STORE
    }

    /**
     * A problem.
     *
     * @param cid the block; empty if the problem is about a file or a part of the store
     * @param place its place: see {@link Subject}. Empty if there is none
     */
    public record Problem(Kind kind, Subject subject, Optional<Cid> cid, String place, PailException cause) {
        public Problem {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(subject, "subject");
            Objects.requireNonNull(cid, "cid");
            Objects.requireNonNull(place, "place");
            Objects.requireNonNull(cause, "cause");
        }
    }

    /** The kind of name of a version. */
    public enum Name {
        BRANCH,
        TAG,
        CAR
    }

    /**
     * A version that was checked.
     *
     * @param name the name of the branch or tag; empty for a CAR
     */
    public record Version(Name kind, String name, Cid root) {
        public Version {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(root, "root");
        }
    }

    /**
     * The newest complete version of a branch.
     *
     * @param updates the number of ref updates since then: {@code branch@{updates}}
     * @param head the events of the version
     */
    public record WayBack(String branch, int updates, Head head) {
        public WayBack {
            Objects.requireNonNull(branch, "branch");
            Objects.requireNonNull(head, "head");
        }
    }
}
