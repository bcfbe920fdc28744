package dev.pail.cli.terminal;

import dev.pail.CorruptBlockException;
import dev.pail.ErasedBlockException;
import dev.pail.KeyNotAllowedException;
import dev.pail.MalformedShardException;
import dev.pail.MergeConflictException;
import dev.pail.MissingBlockException;
import dev.pail.NoMergeRulesException;
import dev.pail.OperationInterruptedException;
import dev.pail.PailException;
import dev.pail.ShardLimitException;
import dev.pail.StoreDamagedException;
import dev.pail.StoreLockedException;
import dev.pail.car.MalformedCarException;
import dev.pail.clock.ClockLimitException;
import dev.pail.clock.MalformedEventException;
import dev.pail.clock.ReplayException;
import dev.pail.clock.UnrelatedHistoriesException;
import dev.pail.ipld.MalformedDataException;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.keys.MalformedKeyException;
import dev.pail.remote.RemoteException;
import dev.pail.repository.model.HeadMovedException;
import dev.pail.repository.model.HeadUpdateUncertainException;
import dev.pail.repository.model.Hint;
import dev.pail.repository.model.RefChangedException;
import dev.pail.repository.model.RepositoryException;
import dev.pail.table.DocumentException;
import dev.pail.table.TableException;
import dev.pail.unixfs.DamagedFileException;
import org.jspecify.annotations.Nullable;

/**
 * A failure as the command shows it to the user.
 *
 * @param exit the exit status
 * @param code what kind of failure it is, for programs: as {@link PailException#code}
 * @param message one line: what happened, to which file, key or CID
 * @param hint one line: what to do about it
 */
public record Failure(
        int exit, String code, String message, @Nullable String hint) {
    private static final String USAGE = "usage";

    /** Trouble that a command found itself. */
    public static final class Found extends RuntimeException {
        private final Failure failure;

        public Found(int exit, String code, String message, @Nullable String hint) {
            super(message);
            this.failure = new Failure(exit, code, message, hint);
        }

        public Failure failure() {
            return failure;
        }
    }

    public static Found usage(String message) {
        return usage(message, null);
    }

    public static Found usage(String message, @Nullable String hint) {
        return new Found(Exit.USAGE, USAGE, message, hint);
    }

    public static Failure of(RuntimeException error) {
        if (error instanceof Found found) {
            return found.failure();
        }
        return error instanceof PailException known
                ? of(known)
                : new Failure(
                        Exit.FAILED,
                        "bug",
                        "a defect in pail: " + error,
                        "please report it, with what it prints after: export " + JavaFailure.TRACE + "=1");
    }

    /** This; of wrong usage, with what says how to use the command. */
    public Failure withHelp(String help) {
        if (!code.equals(USAGE)) {
            return this;
        }
        return new Failure(exit, code, message, "see: " + help + (hint == null ? "" : "; " + hint));
    }

    private static Failure of(PailException error) {
        String message = message(error);
        if (error instanceof TableException table) {
            return new Failure(TableFailures.exit(table), error.code(), message, TableFailures.hint(table));
        }
        if (error instanceof DocumentException) {
            return new Failure(Exit.FAILED, error.code(), "no document: " + message, "nothing was changed");
        }
        if (error instanceof KeyNotAllowedException) {
            return new Failure(Exit.FAILED, error.code(), message, null);
        }
        if (error instanceof MalformedKeyException) {
            return new Failure(
                    Exit.FAILED,
                    error.code(),
                    message,
                    "it is no key of a namespace; see all keys as they are with: pail ls");
        }
        if (error instanceof ClockLimitException) {
            return new Failure(
                    Exit.FAILED,
                    error.code(),
                    message,
                    "if it is a number of events, give Java more memory with: JDK_JAVA_OPTIONS=-Xmx4g pail ..., or merge by content with: "
                            + "pail merge REVISION --base REVISION; or move to the other "
                            + "with: pail reset REVISION, or take it from a CAR file as a branch with: pail import FILE -b NAME");
        }
        if (error instanceof ShardLimitException || error instanceof ReplayException) {
            return new Failure(Exit.FAILED, error.code(), message, null);
        }
        if (error instanceof MalformedDataException) {
            return new Failure(Exit.FAILED, error.code(), message, null);
        }
        if (error instanceof UnsupportedHashException) {
            return new Failure(
                    Exit.DAMAGED,
                    error.code(),
                    message,
                    "pail hands out no bytes that it cannot compare with their CID; read the block with an IPFS tool");
        }
        if (error instanceof StoreDamagedException) {
            return new Failure(
                    Exit.DAMAGED,
                    error.code(),
                    message,
                    "see what is lost with: pail verify --all; of a damaged segment, pail unpack saves all else");
        }
        if (error instanceof ErasedBlockException erased) {
            return erased.use() == ErasedBlockException.Use.PUT
                    ? new Failure(
                            Exit.FAILED,
                            error.code(),
                            message,
                            "if it may come in again, lift the mark with: pail erase --allow " + erased.cid())
                    : new Failure(
                            Exit.DAMAGED,
                            error.code(),
                            message,
                            "it was removed on purpose; see when and why with: pail erase");
        }
        if (error instanceof MissingBlockException) {
            return new Failure(
                    Exit.DAMAGED,
                    error.code(),
                    message,
                    "take it in from a copy with: pail import FILE.car; see what else is missing with: pail verify --all");
        }
        if (error instanceof DamagedFileException) {
            return new Failure(
                    Exit.DAMAGED,
                    error.code(),
                    message,
                    error.getCause() instanceof MalformedDataException
                            ? "the bytes are those of the CID, so every copy has the same; print the block of a value as it is with: pail cat KEY --raw"
                            : "fetch the block from a copy: pail import FILE.car; see what else is missing or damaged with: pail verify --values");
        }
        if (error instanceof CorruptBlockException) {
            return new Failure(Exit.DAMAGED, error.code(), message, "see what else is damaged with: pail verify --all");
        }
        if (error instanceof MalformedEventException event && event.isForeign()) {
            return new Failure(
                    Exit.FAILED,
                    error.code(),
                    "an event of another program, whose data are no operation of a pail: " + message,
                    "only events that put, delete or batch lead to a pail");
        }
        if (error instanceof MalformedCarException) {
            return new Failure(
                    Exit.DAMAGED,
                    error.code(),
                    message,
                    "get the file again, or write it again with the program that made it");
        }
        if (error instanceof MalformedShardException || error instanceof MalformedEventException) {
            return new Failure(Exit.DAMAGED, error.code(), message, null);
        }
        if (error instanceof OperationInterruptedException) {
            return new Failure(Exit.INTERRUPTED, error.code(), message, null);
        }
        if (error instanceof StoreLockedException) {
            return new Failure(
                    Exit.CONFLICT,
                    error.code(),
                    message,
                    "wait for the other writer, or give --lock-timeout; do not remove LOCK: it is free when that process ends");
        }
        if (error instanceof MergeConflictException) {
            return new Failure(
                    Exit.CONFLICT, error.code(), message, "nothing was changed; choose with --policy ours or theirs");
        }
        if (error instanceof NoMergeRulesException rules) {
            return new Failure(Exit.FAILED, error.code(), message, rules.hint());
        }
        if (error instanceof UnrelatedHistoriesException) {
            return new Failure(
                    Exit.CONFLICT,
                    error.code(),
                    message,
                    "if they belong together, give the same command --allow-unrelated-histories, which carries no deletions over; "
                            + "to take those in, too, name the version that both began with: pail merge REVISION --base REVISION");
        }
        if (error instanceof HeadMovedException || error instanceof RefChangedException) {
            return new Failure(Exit.CONFLICT, error.code(), message, "look where the branch stands now, and try again");
        }
        if (error instanceof HeadUpdateUncertainException) {
            return new Failure(Exit.FAILED, error.code(), message, "see where the branch stands with: pail log");
        }
        if (error instanceof RepositoryException repository) {
            boolean damaged = repository.reason() == RepositoryException.Reason.DAMAGED;
            return new Failure(damaged ? Exit.DAMAGED : Exit.FAILED, error.code(), message, inShell(repository.hint()));
        }
        return error instanceof RemoteException remote
                ? of(remote, message)
                : new Failure(Exit.FAILED, error.code(), message, NetworkHints.of(error));
    }

    private static Failure of(RemoteException error, String message) {
        return switch (error.reason()) {
            case NOT_FAST_FORWARD ->
                new Failure(
                        Exit.CONFLICT,
                        error.code(),
                        message,
                        "take them in with: pail pull; then: pail push; or: pail push --merge");
            case UNRELATED ->
                new Failure(
                        Exit.CONFLICT,
                        error.code(),
                        message,
                        "replace its history with: pail push --force; or merge, which carries no deletions over, with: "
                                + "pail pull --allow-unrelated-histories; then: pail push");
            case FORMAT ->
                new Failure(
                        Exit.CONFLICT,
                        error.code(),
                        message,
                        "replace the branch there, if all its readers know this format, with: pail push --convert; or go back "
                                + "to the format that it has, with: pail undo");
            case MOVED ->
                new Failure(Exit.CONFLICT, error.code(), message, "see what it has with: pail fetch; then push again");
            case REFUSED ->
                new Failure(
                        Exit.FAILED,
                        error.code(),
                        message,
                        "give a token that may do this in PAIL_TOKEN, or in ~/.config/pail/tokens");
            case KEPT -> new Failure(Exit.FAILED, error.code(), message, error.hint());
            case NO_BRANCH -> new Failure(Exit.FAILED, error.code(), message, error.hint());
            case TOO_LARGE -> new Failure(Exit.FAILED, error.code(), message, error.hint());
            case PROTOCOL -> new Failure(Exit.FAILED, error.code(), message, error.hint());
        };
    }

    /** A hint, with the command for what it says of Java. */
    public static String inShell(Hint hint) {
        return hint.words() + hint.call().map(Failure::command).orElse("");
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
                    case CHANGES -> "watch -b " + call.name();
                    case COLLECT -> "gc";
                    case VERIFY -> "verify --all";
                    case REBUILD -> "recover";
                };
    }

    public static String message(Throwable error) {
        String message = error.getMessage();
        return message == null ? error.toString() : message;
    }
}
