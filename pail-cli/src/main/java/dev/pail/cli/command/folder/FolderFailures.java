package dev.pail.cli.command.folder;

import dev.pail.cli.command.Call;
import dev.pail.cli.terminal.Failure;
import dev.pail.folder.FolderException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** What the command says of a folder that cannot be put or restored. */
public final class FolderFailures {
    private FolderFailures() {}

    /**
     * Tells the names that were refused, and makes the failure.
     *
     * @param ofFile what to do if a file is in the place of the folder
     */
    public static Failure.Found of(Call call, FolderException error, @Nullable String ofFile) {
        return found(call, error, hint(error, ofFile));
    }

    /** Tells the names that were refused, and makes the failure with this hint. */
    static Failure.Found found(Call call, FolderException error, @Nullable String hint) {
        error.refused().forEach((name, rule) -> call.terminal().tell("refused", name, rule));
        return new Failure.Found(Failure.of(error).exit(), error.code(), message(error), hint);
    }

    private static String message(FolderException error) {
        String message = Failure.message(error);
        return error.reason() == FolderException.Reason.MIRROR
                ? message.replaceFirst("^the mirror", "--mirror")
                : message;
    }

    private static @Nullable String hint(FolderException error, @Nullable String ofFile) {
        return switch (error.reason()) {
            case NOT_A_FOLDER -> ofFile;
            // The last two are of imports and exports, which have hints of their own.
            case READ, NO_FOLDER, DAMAGED -> null;
            case CHANGED -> "try again when no program writes to it, or leave it out with --exclude";
            case WRITE -> "the files that were written stay; run the same command again to write the rest";
            case NAMES -> names(error.refused().values());
            case MIRROR ->
                "if a disk is not mounted, mount it; if the files are gone on purpose, add --yes; see which with --dry-run";
            case KEYS -> "restore the others with a longer PREFIX, or print one with: pail cat KEY";
            case OCCUPIED -> "replace files that have other bytes with --overwrite, or name another folder";
        };
    }

    private static String names(Collection<String> rules) {
        boolean isEncoding = rules.stream().anyMatch(rule -> rule.endsWith("not Unicode"));
        return isEncoding
                ? "rename the files, or leave them out with --exclude; if the names are right, the locale may be wrong: LC_ALL=C.UTF-8 pail ..."
                : "rename the files, leave them out with --exclude, or give another PREFIX; the format v0 takes all names that are Unicode";
    }
}
