package dev.pail.cli.terminal;

import static java.util.Map.entry;

import dev.pail.BlockException;
import dev.pail.ErasedBlockException;
import dev.pail.MalformedBlockException;
import dev.pail.PailException;
import dev.pail.ipld.MalformedDataException;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.RepositoryException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What to do about a failure of the library, with the commands that do it. */
public final class FailureHints {
    /** By code. The library gives a hint of its own for other codes, or none. */
    private static final Map<String, String> HINTS = Map.ofEntries(
            entry("malformed-document", "nothing was changed"),
            entry("malformed-key", "it is no key of a namespace; see all keys as they are with: pail ls"),
            entry(
                    "clock-limit",
                    "if it is a number of events, give Java more memory with: JDK_JAVA_OPTIONS=-Xmx4g pail ..., or merge by content with: "
                            + "pail merge REVISION --base REVISION; or move to the other "
                            + "with: pail reset REVISION, or take it from a CAR file as a branch with: pail import FILE -b NAME"),
            entry(
                    "unsupported-hash",
                    "pail hands out no bytes that it cannot compare with their CID; read the block with an IPFS tool"),
            entry(
                    "damaged-store",
                    "see what is lost with: pail verify --all; of a damaged segment, pail unpack saves all else"),
            entry(
                    "missing-block",
                    "take it in from a copy with: pail import FILE.car; see what else is missing with: pail verify --all"),
            entry("corrupt-block", "see what else is damaged with: pail verify --all"),
            entry("malformed-car", "get the file again, or write it again with the program that made it"),
            entry(
                    "store-locked",
                    "wait for the other writer, or give --lock-timeout; do not remove LOCK: it is free when that process ends"),
            entry("merge-conflict", "nothing was changed; choose with --policy ours or theirs"),
            entry(
                    "unrelated-histories",
                    "if they belong together, give the same command --allow-unrelated-histories, which carries no deletions over; "
                            + "to take those in, too, name the version that both began with: pail merge REVISION --base REVISION"),
            entry("ref-moved", "look where the branch stands now, and try again"),
            entry("ref-uncertain", "see where the branch stands with: pail log"),
            entry("not-fast-forward", "take them in with: pail pull; then: pail push; or: pail push --merge"),
            entry(
                    "unrelated-remote",
                    "replace its history with: pail push --force; or merge, which carries no deletions over, with: "
                            + "pail pull --allow-unrelated-histories; then: pail push"),
            entry(
                    "other-format",
                    "replace the branch there, if all its readers know this format, with: pail push --convert; or go back "
                            + "to the format that it has, with: pail undo"),
            entry("remote-moved", "see what it has with: pail fetch; then push again"),
            entry("remote-refused", "give a token that may do this in PAIL_TOKEN, or in ~/.config/pail/tokens"),
            entry("no-such-table", "make it with: pail table create NAME, or see what is there with: pail table ls"),
            entry(
                    "no-such-index",
                    "declare it with: pail table index TABLE FIELD, or look at all rows with: pail table scan"),
            entry("row-exists", "nothing was changed"),
            entry(
                    "not-unique",
                    "change one of the rows first, or remove the index with: pail table index TABLE FIELDS --drop"),
            entry("row-misfit", "change the row, or see what the schema says with: pail table schema TABLE"),
            entry("no-such-schema", "give the table one with: pail table schema TABLE --column 'FIELD TYPE'"),
            entry(
                    "same-table-number",
                    "load the rows of one, as they were before the merge (--at), into a table of another name, then drop it here: "
                            + "the other keeps all rows"),
            entry("bad-filter", "for example: age >= 30 and address.city == \"Oslo\""));

    private FailureHints() {}

    static @Nullable String of(PailException error) {
        String hint = HINTS.get(error.code());
        if (hint != null) {
            return hint;
        }
        if (error instanceof RepositoryException repository) {
            return inShell(repository.advice());
        }
        return switch (error.code()) {
            case "erased-block" -> ofErased((ErasedBlockException) error);
            case "damaged-file" ->
                error.getCause() instanceof MalformedDataException
                        ? "the bytes are those of the CID, so every copy has the same; print the block of a value as it is with: pail cat KEY --raw"
                        : "fetch the block from a copy: pail import FILE.car; see what else is missing or damaged with: pail verify --values";
            // To rename the key of a table would be to lose it.
            case "not-a-table-key" ->
                "keys that start with T, P, F or R are those of tables: "
                        + (error.getCause() instanceof BlockException
                                ? "if this is one, take in its block from a copy with: pail import; if not, rename it"
                                : "rename this one, or keep tables in a repository of their own");
            case "malformed-event" -> isForeign(error) ? "only events that put, delete or batch lead to a pail" : null;
            default -> error.hint().isPresent() ? error.hint().get() : NetworkHints.of(error);
        };
    }

    private static String ofErased(ErasedBlockException error) {
        return error.kind() == PailException.Kind.STATE
                ? "if it may come in again, lift the mark with: pail erase --allow " + error.cid()
                : "it was removed on purpose; see when and why with: pail erase";
    }

    static boolean isForeign(PailException error) {
        return error instanceof MalformedBlockException block
                && block.subject() == MalformedBlockException.Subject.FOREIGN_EVENT;
    }

    /** A hint, with the command for what it says of Java. */
    public static String inShell(Hint hint) {
        return hint.words() + hint.call().map(FailureHints::command).orElse("");
    }

    private static String command(Hint.Call call) {
        return "pail "
                + switch (call.action()) {
                    case CREATE_BRANCH -> "branch " + call.name();
                    case REMOVE_BRANCH -> "branch -d " + call.name();
                    case SWITCH_TO -> "switch " + call.name();
                    case REMOVE_TAG -> "tag -d " + call.name();
                    case RECOVER -> "reset @{0} -b " + call.name();
                    case HISTORY -> "log";
                    case LOG -> "log --head -b " + call.name();
                    case CONFLICTS -> "conflicts -b " + call.name();
                    case CHANGES -> "watch -b " + call.name();
                    case COLLECT -> "gc";
                    case VERIFY -> "verify --all";
                    case DESCRIBE_EVENTS -> "config set events described";
                    case REBUILD -> "recover";
                };
    }
}
