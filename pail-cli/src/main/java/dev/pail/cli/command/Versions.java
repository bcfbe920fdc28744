package dev.pail.cli.command;

import dev.pail.BlockStore;
import dev.pail.Pail;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.HistoryEntry;
import dev.pail.repository.model.Revision;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The versions that a command reads. One of them is the version asked for: that of {@code --at}, or else the current one. */
public interface Versions extends AutoCloseable {
    /** How versions are named. */
    String HOW =
            "HEAD, a branch, a tag, an event or its first characters, a root, REVISION~N (N changes back), @N or BRANCH@N (N moves ago), @TIME or"
                    + " BRANCH@TIME (at the end of 2026-11-20, \"2026-11-20 14:30\", yesterday); @{N} and @{TIME} mean the same";

    /** The blocks of all versions. */
    BlockStore blocks();

    /** The root of the version asked for. Its block is not looked at, where that can be. */
    Cid root();

    /** The version asked for. */
    Pail pail();

    /** The version asked for, with its newest events, if it has any. */
    Revision revision();

    /** The version that a text names. */
    Revision find(String text);

    /** The newest events of the version asked for, if it has any. Its shards are not looked at, where that can be. */
    Optional<Head> head();

    /** The newest events of the version that a text names, if it has any. Its shards are not looked at. */
    Optional<Head> headOf(String text);

    /** The version that follows from a head, computed from its events. */
    Pail pailAt(Head head);

    /**
     * The events of a head and all that they follow, newest first.
     *
     * @param keys the keys whose changes alone are wanted; null for all
     */
    Stream<HistoryEntry> history(Head head, @Nullable Predicate<String> keys);

    /** How many conflicts are open in the version asked for; empty if it has no events, or not all of them. */
    OptionalLong openConflicts();

    @Override
    void close();

    /** What to say of a version that has no events. */
    static Failure.Found withoutHistory(String root) {
        return new Failure.Found(
                Exit.FAILED,
                "no-such-version",
                "a root without a history: " + root,
                "name a branch or an event, as pail log shows them");
    }

    /** What to say of a CAR file or a gateway whose version has no events. */
    static Failure.Found withoutHistory() {
        return new Failure.Found(
                Exit.FAILED, "no-such-version", "a version without a history", "see its versions with: pail root");
    }
}
