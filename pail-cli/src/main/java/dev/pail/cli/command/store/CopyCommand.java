package dev.pail.cli.command.store;

import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Stores;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.repository.CopyListener;
import dev.pail.repository.CopyOptions;
import dev.pail.repository.Repository;
import dev.pail.repository.RepositoryCopy;
import dev.pail.repository.RepositoryCopy.Copied;
import dev.pail.repository.RepositoryCopy.Outcome;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.RepositoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Copies a whole repository to another store. */
public final class CopyCommand extends Command {
    private static final Option.Flag ALL = Option.flag(
            "Send the blocks of all versions again: for values that came to FROM later, and blocks that TO has lost.",
            "--all");

    public CopyCommand() {
        super(
                "copy",
                "Copies all branches and tags of a repository to another store, with their versions and values.",
                "FROM and TO are each a folder or a URL, as -C takes them. If TO is not there, copy makes it, with the format of FROM, and with",
                "plain events if FROM has those. A branch of TO",
                "only moves forward, and a tag stays where it is. If TO has changes of a branch that FROM lacks, even if FROM took them back by undo,",
                "copy leaves that branch as it is, copies all others, and exits with 4. If a branch of both has histories that began apart from",
                "each other, copy copies nothing. The logs stay with FROM, as with clone. Descriptions of changes are in their events. If copy is interrupted, run it again:",
                "it sends only what is not there. A repository behind a server, http://HOST or https://HOST, takes at most 64 MiB of new blocks for a",
                "branch or tag, and keeps its current branch: push more from a folder.");
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
            terminal.kept = () -> "what was copied is kept; run the same command again to continue";
            Results results = new Results(call, progress);
            CopyOptions options = CopyOptions.DEFAULT.withListener(results);
            results.end(RepositoryCopy.of(from, to, call.get(ALL) ? options.withAll() : options)
                    .run());
            return Exit.DONE;
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
        return make(call, place, from);
    }

    private static Repository make(Call call, String place, Repository from) {
        Terminal terminal = call.terminal();
        boolean isUrl = Stores.isUrl(place);
        Path folder = isUrl ? terminal.folder() : terminal.path(place).toAbsolutePath();
        Set<Need> needs = Need.ofEvents(from.refs().needs());
        Repository made = isUrl
                ? Stores.init(place, from.format(), needs, call.patience())
                : FileRepository.init(
                        folder,
                        InitCommand.options(
                                from.format(), BlockStorage.SEGMENTS, codec(from), needs.contains(Need.EVENTS)));
        terminal.changed = "made " + (isUrl ? place : folder);
        if (!terminal.json && !terminal.quiet) {
            terminal.note(terminal.changed + ", format " + from.format().name());
        }
        return made;
    }

    private static @Nullable String codec(Repository from) {
        return FileRepository.of(from).flatMap(FileRepository::namespaceCodec).orElse(null);
    }

    /** Prints what becomes of branches and tags. */
    private static final class Results implements CopyListener {
        private final Call call;
        private final Terminal terminal;
        private final Progress progress;
        private boolean isChanged;

        Results(Call call, Progress progress) {
            this.call = call;
            this.terminal = call.terminal();
            this.progress = progress;
        }

        @Override
        public void read() {
            progress.step();
        }

        @Override
        public void erasuresRefused(RepositoryException why) {
            terminal.alert("the marks of erased values were not copied: " + Failure.message(why));
        }

        @Override
        public void copied(Copied copied) {
            if (copied.outcome() == Outcome.UNRELATED) {
                return;
            }
            if (copied.outcome() == Outcome.COPIED || copied.blocks() > 0) {
                isChanged = true;
                terminal.changed = "copied " + ref(copied);
            }
            progress.hide();
            if (terminal.json) {
                printJson(copied);
            } else if (!terminal.quiet && copied.outcome() != Outcome.REFUSED) {
                print(copied);
            }
        }

        private static String kind(Copied copied) {
            return copied.kind().name().toLowerCase(Locale.ROOT);
        }

        private static String ref(Copied copied) {
            return kind(copied) + " " + copied.name();
        }

        private void printJson(Copied copied) {
            terminal.printJson(json -> {
                json.writeStringField(kind(copied), copied.name());
                json.writeStringField("outcome", copied.outcome().name().toLowerCase(Locale.ROOT));
                Json.writeCids(json, "head", copied.head().events());
                json.writeNumberField("blocks", copied.blocks());
                json.writeNumberField("leftOut", copied.leftOut());
            });
        }

        private void print(Copied copied) {
            if (copied.outcome() == Outcome.UNCHANGED && copied.blocks() == 0) {
                return;
            }
            String head = HistoryText.briefs(copied.head().events());
            terminal.printStyled(ref(copied) + "\t" + terminal.faint(head.isEmpty() ? "empty" : head) + "\t"
                    + copied.blocks() + (copied.blocks() == 1 ? " block" : " blocks"));
        }

        void end(List<Copied> all) {
            refuseUnrelated(all);
            if (!terminal.json) {
                call.warnOfLeftOut(all.stream().mapToLong(Copied::leftOut).sum(), "not in " + call.parameter(0));
            }
            List<Copied> refused = with(Outcome.REFUSED, all);
            if (!refused.isEmpty()) {
                throw new Failure.Found(
                        Exit.CONFLICT,
                        "not-fast-forward",
                        "not copied, as " + call.parameter(1) + " has changes of its own: "
                                + refused.stream().map(Results::ref).collect(Collectors.joining(", ")),
                        refused.stream().anyMatch(each -> each.kind() == RepositoryCopy.Kind.TAG)
                                ? "rename or remove it there, or copy to another store"
                                : "take its changes into FROM first, with: pail -C TO export FILE.car -b NAME; pail -C FROM import FILE.car -b NAME");
            }
            if (!isChanged && !terminal.json && !terminal.quiet) {
                terminal.note("nothing new in " + call.parameter(0));
            }
        }

        private static List<Copied> with(Outcome outcome, List<Copied> all) {
            return all.stream().filter(each -> each.outcome() == outcome).toList();
        }

        /** TO is most likely the store of something else. */
        private void refuseUnrelated(List<Copied> all) {
            List<Copied> unrelated = with(Outcome.UNRELATED, all);
            if (!unrelated.isEmpty()) {
                throw new Failure.Found(
                        Exit.CONFLICT,
                        "unrelated-histories",
                        "nothing was copied: the histories in " + call.parameter(0) + " and " + call.parameter(1)
                                + " began apart from each other: "
                                + unrelated.stream().map(Results::ref).collect(Collectors.joining(", ")),
                        "copy to another store; if both belong together, take a branch of TO into FROM first, with:"
                                + " pail -C TO export FILE.car -b NAME;"
                                + " pail -C FROM import FILE.car -b NAME --allow-unrelated-histories");
            }
        }
    }
}
