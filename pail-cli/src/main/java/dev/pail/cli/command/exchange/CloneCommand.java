package dev.pail.cli.command.exchange;

import dev.pail.car.CarExport;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Command;
import dev.pail.cli.command.ErasureReport;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.store.InitCommand;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Progress;
import dev.pail.cli.terminal.Terminal;
import dev.pail.remote.Exchange;
import dev.pail.remote.RemoteInfo;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.files.InitOptions;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Part;
import dev.pail.repository.model.Snapshot;
import dev.pail.through.RemoteReads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Makes a repository with all that a remote has. */
public final class CloneCommand extends Command {
    private static final Option.Text BLOCKS = Option.text(
                    "KIND",
                    "Where blocks go: files, one for each block; or segments, a few large files. Else segments.",
                    "--blocks")
            .offering("files", "segments");

    private static final Option.Text PREFIX = Option.text(
            "PREFIX",
            "Make a part: of the newest versions, bring the keys with this prefix and their values. The rest comes when it is read.",
            "--prefix");

    public CloneCommand() {
        super(
                "clone",
                "Makes a repository with all branches of a remote, which is its origin.",
                "The current branch of the remote becomes the current branch here; REMOTE/BRANCH, such as origin/main, names each of the others. If the",
                "connection breaks, the blocks that arrived stay: continue with pail -C DIR pull. Author, message and time of a change come with its event; a remote of plain",
                "events has them in its log alone, and its clone has plain events, too. With --prefix, --no-values or -b, the clone is a part: the remote promises what is left out, and each",
                "command fetches what it reads of it. With -b, the part has this branch alone. pail fetch --all fills a part.");
        parameter("URL", "1", "http://HOST or https://HOST, as pail serve answers there; or a folder.");
        parameter("DIR", "1", "The repository's own folder, which must not be there.");
        takes(BLOCKS);
        InitCommand.takesCodec(this);
        takes(PREFIX, FetchCommand.NO_VALUES, Remotes.AUTHORITIES);
        examples(
                "  pail clone https://pail.example.org photos.pail",
                "  pail clone /media/disk/photos.pail photos.pail --no-values",
                "  pail clone https://pail.example.org summer.pail --prefix photos/2024/");
    }

    @Override
    public int run(Call call) {
        Terminal terminal = call.terminal();
        String address = Remotes.absolute(terminal, call.parameter(0));
        Path folder = terminal.path(call.parameter(1));
        if (Files.exists(folder.resolve("config")) || Files.isRegularFile(folder)) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "already-exists",
                    "cannot clone into what is there: " + folder,
                    "choose another folder; or continue an interrupted clone with: pail -C " + folder + " pull");
        }
        BlockStorage storage = InitCommand.storage(call, BlockStorage.SEGMENTS);
        try (Remotes.Connection connection = Remotes.open(call, address)) {
            RemoteInfo info = connection.remote().info();
            String codec = InitCommand.codec(call, info.format());
            // Readers of a repository of plain events may be of version 0.2.0.
            boolean isDescribed = info.needs().contains(Need.EVENTS.word());
            InitOptions options = InitCommand.options(info.format(), storage, codec, isDescribed);
            try (Repository repository = FileRepository.init(folder, options)) {
                terminal.changed = "made " + folder.toAbsolutePath();
                terminal.kept =
                        () -> "what arrived is kept; continue with: pail -C " + Call.word(call.parameter(1)) + " pull";
                FileRepository files = FileRepository.of(repository).orElseThrow();
                files.setRemote(Remotes.ORIGIN, Optional.of(address));
                info.id().ifPresent(id -> files.setRemoteId(Remotes.ORIGIN, id));
                Optional<Part> part = part(call);
                part.ifPresent(files::setPart);
                Repository reading =
                        part.isPresent() ? repository.readingThrough(RemoteReads.of(connection.remote())) : repository;
                Exchange.Cloned cloned = cloned(call, reading, connection, info);
                Snapshot current = cloned.current();
                if (part.isEmpty() && !call.get(FetchCommand.NO_VALUES)) {
                    call.warnOfLeftOut(
                            CarExport.of(repository.blocks(), List.of(current.root()))
                                    .leftOut(),
                            "not at the remote");
                }
                if (terminal.json) {
                    cloned.fetched().forEach(result -> FetchCommand.print(terminal, result));
                } else if (!terminal.quiet) {
                    terminal.note("made " + folder.toAbsolutePath() + ", branch " + current.branch());
                    terminal.print(current.root().toString());
                }
                return Exit.DONE;
            }
        }
    }

    /** What a part has; empty if all is cloned. */
    private static Optional<Part> part(Call call) {
        String prefix = call.get(PREFIX);
        boolean hasValues = !call.get(FetchCommand.NO_VALUES);
        return prefix == null && call.globals().branch() == null && hasValues
                ? Optional.empty()
                : Optional.of(new Part(Remotes.ORIGIN, prefix == null ? "" : prefix, hasValues));
    }

    private static Exchange.Cloned cloned(
            Call call, Repository repository, Remotes.Connection connection, RemoteInfo info) {
        try (Progress progress = call.progress("blocks")) {
            Exchange exchange = FetchCommand.exchange(call, repository, Remotes.ORIGIN, connection)
                    .withProgress(progress::step);
            String branch = call.globals().branch();
            return branch == null ? exchange.cloneAll(info) : exchange.cloneBranch(branch);
        } finally {
            // Also if the connection broke: the next pull takes no record again.
            ErasureReport.taken(
                    call.terminal(),
                    repository,
                    connection.remote(),
                    repository.maintenance().erasing().records());
        }
    }
}
