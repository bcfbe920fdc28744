package dev.pail.cli.command.folder;

import dev.pail.Pail;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.ChangeCommand;
import dev.pail.cli.command.Option;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.folder.FolderException;
import dev.pail.folder.FolderKeys;
import dev.pail.folder.FolderPut;
import dev.pail.folder.PutOptions;
import dev.pail.repository.Repository;
import dev.pail.table.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes keys of the files of a folder: the options of {@link FolderPut}, and what it has done. */
public final class PutFolder {
    public static final Option.Texts EXCLUDE = Option.texts(
            "PATTERN",
            "With -r: leave out files and folders that match, as a line of .pailignore; may be repeated.",
            "--exclude");

    public static final Option.Flag MIRROR =
            Option.flag("With -r: remove the keys that start with PREFIX and have no file.", "--mirror");

    public static final Option.Flag YES =
            Option.flag("With --mirror: remove even more than half of the keys that start with PREFIX.", "--yes");

    public static final Option.Flag DRY_RUN =
            Option.flag("With -r: say what would change, and change nothing.", "--dry-run");

    public static final Option.Flag PRESERVE = Option.flag(
            "With -r: keep permissions and mtimes, in the root block of each file; restore sets them again. Other permissions or times make another CID.",
            "-p",
            "--preserve");

    public static final List<Option> OPTIONS = List.of(EXCLUDE, MIRROR, YES, DRY_RUN, PRESERVE);

    private PutFolder() {}

    public static int run(Call call, Repository repository, String folder, String prefix) {
        if (call.get(MIRROR) && prefix.isEmpty()) {
            throw Failure.usage(MIRROR + " removes all keys that start with PREFIX and have no file: give a PREFIX");
        }
        try (FolderProgress progress = new FolderProgress(call)) {
            PutOptions options = new PutOptions(
                    prefix,
                    call.get(EXCLUDE),
                    mirror(call),
                    call.get(PRESERVE),
                    call.get(DRY_RUN),
                    new Keys(call),
                    progress);
            FolderPut put = FolderPut.of(call.terminal().path(folder), options);
            print(call, put.into(repository, call.branch(repository)));
            return Exit.DONE;
        } catch (FolderException e) {
            throw FolderFailures.of(call, e, "put it with: pail put KEY --file PATH");
        }
    }

    private static PutOptions.Mirror mirror(Call call) {
        if (!call.get(MIRROR)) {
            return PutOptions.Mirror.NOTHING;
        }
        return call.get(YES) ? PutOptions.Mirror.ALL : PutOptions.Mirror.AT_MOST_HALF;
    }

    /** The keys of the namespace that the command is for, without those that tables have. */
    static final class Keys implements FolderKeys {
        private final Call call;
        private @Nullable Pail last;
        private boolean hasTables;

        Keys(Call call) {
            this.call = call;
        }

        @Override
        public String key(Pail pail, String name) {
            return call.key(pail, name);
        }

        @Override
        public Optional<String> refusal(Pail pail, String key) {
            if (!pail.equals(last)) {
                hasTables = Tables.mayBeIn(pail);
                last = pail;
            }
            return hasTables && Tables.isReserved(key)
                    ? Optional.of("keys that begin with T, P, F or R belong to the tables of this pail")
                    : Optional.empty();
        }
    }

    private static void print(Call call, FolderPut.Result result) {
        Terminal terminal = call.terminal();
        ChangeCommand.changed(call, result.root());
        if (terminal.json) {
            terminal.printJson(json -> {
                json.writeStringField("root", result.root().toString());
                json.writeNumberField("new", result.added());
                json.writeNumberField("changed", result.changed());
                json.writeNumberField("unchanged", result.unchanged());
                json.writeNumberField("removed", result.removed());
                json.writeNumberField("links", result.links());
                json.writeNumberField("others", result.others());
            });
            return;
        }
        if (!terminal.quiet) {
            String skipped = skipped(result);
            terminal.note(result.files() + (result.files() == 1 ? " file: " : " files: ") + result.added() + " new, "
                    + result.changed() + " changed, " + result.unchanged() + " unchanged"
                    + (result.removed() == 0
                            ? ""
                            : "; removed " + result.removed() + (result.removed() == 1 ? " key" : " keys"))
                    + (skipped.isEmpty() ? "" : "; skipped " + skipped));
        }
        if (!call.get(DRY_RUN)) {
            ChangeCommand.printRoot(call, result.root());
        }
    }

    /** What was passed over, as in {@code 2 symbolic links, 1 pipe, socket or device}; empty if nothing was. */
    private static String skipped(FolderPut.Result result) {
        List<String> skipped = new ArrayList<>();
        if (result.links() > 0) {
            skipped.add(result.links() + (result.links() == 1 ? " symbolic link" : " symbolic links"));
        }
        if (result.others() > 0) {
            skipped.add(result.others()
                    + (result.others() == 1 ? " pipe, socket or device" : " pipes, sockets or devices"));
        }
        return String.join(", ", skipped);
    }
}
