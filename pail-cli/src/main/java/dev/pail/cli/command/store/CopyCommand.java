package dev.pail.cli.command.store;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.ErasureReport;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Stores;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.clock.Head;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Snapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Copies a whole repository to another store. */
public final class CopyCommand extends Command {
    private static final Option.Flag ALL = Option.flag(
            "Send the blocks of all versions again: for values that came to FROM later, and blocks that TO has lost.",
            "--all");

    /** What a name is that of. */
    private enum Kind {
        BRANCH,
        TAG
    }

    public CopyCommand() {
        super(
                "copy",
                "Copies all branches and tags of a repository to another store, with their versions and values.",
                "FROM and TO are each a folder or a URL, as -C takes them. If TO is not there, copy makes it, with the format of FROM. A branch of TO",
                "only moves forward, and a tag stays where it is. If TO has changes of a branch that FROM lacks, even if FROM took them back by undo,",
                "copy leaves that branch as it is, copies all others, and exits with 4. If a branch of both has histories that began apart from",
                "each other, copy copies nothing. Authors, messages and times of changes stay with FROM, as with clone. If copy is interrupted, run it again:",
                "it sends only what is not there.");
        parameter("FROM", "1", "The repository to copy. Nothing changes there.");
        parameter("TO", "1", "The repository to copy to.");
        takes(ALL);
        examples(
                "  pail copy photos.pail /media/disk/photos.pail",
                "  pail copy notes 'postgresql://app@db/store?repository=notes'",
                "  pail copy notes 's3://my-bucket/notes?region=eu-west-1'");
    }

    @Override
    public int run(Call call) {
        Terminal terminal = call.terminal();
        try (Repository from = Stores.open(terminal, call.parameter(0), call.patience());
                Repository to = openOrMake(call, call.parameter(1), from);
                Progress progress = call.progress("blocks")) {
            // Also if nothing is to be written: another program may have put the repository into a store that writers
            // cannot share.
            to.refs().probe();
            RepositoryCopy.Amount amount = call.get(ALL) ? RepositoryCopy.Amount.ALL : RepositoryCopy.Amount.NEW;
            RepositoryCopy copy = new RepositoryCopy(from, to, amount, progress::step);
            refuseUnrelated(call, copy.unrelated());
            ErasureReport.copy(terminal, from, to);
            Results results = new Results(call, progress);
            copy.branches().forEach(name -> results.add(Kind.BRANCH, copy.branch(name)));
            copy.tags().forEach(name -> results.add(Kind.TAG, copy.tag(name)));
            results.end();
            return Exit.DONE;
        }
    }

    /** TO is most likely the store of something else: nothing is copied there. */
    private static void refuseUnrelated(Call call, List<String> branches) {
        if (!branches.isEmpty()) {
            throw new Failure.Found(
                    Exit.CONFLICT,
                    "unrelated-histories",
                    "nothing was copied: the histories in " + call.parameter(0) + " and " + call.parameter(1)
                            + " began apart from each other: branch " + String.join(", branch ", branches),
                    "copy to another store; if both belong together, take a branch of TO into FROM first, with:"
                            + " pail -C TO export FILE.car -b NAME;"
                            + " pail -C FROM import FILE.car -b NAME --allow-unrelated-histories");
        }
    }

    private static Repository openOrMake(Call call, String place, Repository from) {
        try {
            return Stores.open(call.terminal(), place, call.patience());
        } catch (RepositoryException e) {
            if (e.reason() != RepositoryException.Reason.NO_REPOSITORY) {
                throw e;
            }
        }
        Repository made = make(call, place, from);
        try {
            // Now, as a copy that is interrupted finds a repository the next time.
            String current = from.branches().current();
            if (!current.equals(Repository.MAIN) && from.branches().contains(current)) {
                Snapshot unused = made.branches().create(current, Head.empty());
                made.branches().switchTo(current);
            }
            return made;
        } catch (RuntimeException e) {
            made.close();
            throw e;
        }
    }

    private static Repository make(Call call, String place, Repository from) {
        Terminal terminal = call.terminal();
        boolean isUrl = Stores.isUrl(place);
        Path folder = isUrl ? terminal.folder() : terminal.path(place).toAbsolutePath();
        Repository made = isUrl
                ? Stores.init(place, from.format(), call.patience())
                : InitCommand.make(folder, from.format(), BlockStorage.SEGMENTS, codec(from));
        terminal.changed = "made " + (isUrl ? place : folder);
        if (!terminal.json && !terminal.quiet) {
            terminal.note(terminal.changed + ", format " + from.format().name());
        }
        return made;
    }

    private static @Nullable String codec(Repository from) {
        return FileRepository.of(from).flatMap(FileRepository::namespaceCodec).orElse(null);
    }

    /** Prints what became of branches and tags. */
    private static final class Results {
        private final Call call;
        private final Progress progress;
        private final List<String> refused = new ArrayList<>();
        private boolean isChanged;
        private boolean isTagRefused;
        private long leftOut;

        Results(Call call, Progress progress) {
            this.call = call;
            this.progress = progress;
        }

        void add(Kind kind, RepositoryCopy.Copied copied) {
            Terminal terminal = call.terminal();
            String ref = kind.name().toLowerCase(Locale.ROOT) + " " + copied.name();
            RepositoryCopy.Outcome outcome = copied.outcome();
            leftOut += copied.leftOut();
            if (outcome == RepositoryCopy.Outcome.REFUSED) {
                refused.add(ref);
                isTagRefused |= kind == Kind.TAG;
            } else if (outcome == RepositoryCopy.Outcome.COPIED || copied.blocks() > 0) {
                isChanged = true;
                terminal.changed = "copied " + ref;
            }
            progress.hide();
            if (terminal.json) {
                printJson(kind, copied);
            } else if (!terminal.quiet && outcome != RepositoryCopy.Outcome.REFUSED) {
                print(ref, copied);
            }
        }

        private void printJson(Kind kind, RepositoryCopy.Copied copied) {
            call.terminal().printJson(json -> {
                json.writeStringField(kind.name().toLowerCase(Locale.ROOT), copied.name());
                json.writeStringField("outcome", copied.outcome().name().toLowerCase(Locale.ROOT));
                Json.writeCids(json, "head", copied.head().events());
                json.writeNumberField("blocks", copied.blocks());
                json.writeNumberField("leftOut", copied.leftOut());
            });
        }

        private void print(String ref, RepositoryCopy.Copied copied) {
            if (copied.outcome() == RepositoryCopy.Outcome.UNCHANGED && copied.blocks() == 0) {
                return;
            }
            Terminal terminal = call.terminal();
            String head = HistoryText.briefs(copied.head().events());
            terminal.printStyled(ref + "\t" + terminal.faint(head.isEmpty() ? "empty" : head) + "\t" + copied.blocks()
                    + (copied.blocks() == 1 ? " block" : " blocks"));
        }

        void end() {
            Terminal terminal = call.terminal();
            if (!terminal.json) {
                call.warnOfLeftOut(leftOut, "not in " + call.parameter(0));
            }
            if (!refused.isEmpty()) {
                throw new Failure.Found(
                        Exit.CONFLICT,
                        "not-fast-forward",
                        "not copied, as " + call.parameter(1) + " has changes of its own: "
                                + String.join(", ", refused),
                        isTagRefused
                                ? "rename or remove it there, or copy to another store"
                                : "take its changes into FROM first, with: pail -C TO export FILE.car -b NAME; pail -C FROM import FILE.car -b NAME");
            }
            if (!isChanged && !terminal.json && !terminal.quiet) {
                terminal.note("nothing new in " + call.parameter(0));
            }
        }
    }
}
