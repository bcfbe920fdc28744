package dev.pail.cli.command.exchange;

import dev.pail.PailException;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.HistoryText;
import dev.pail.cli.command.store.InitCommand;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Json;
import dev.pail.cli.terminal.Terminal;
import dev.pail.remote.Following;
import dev.pail.remote.Mirror;
import dev.pail.remote.Remote;
import dev.pail.remote.RemoteInfo;
import dev.pail.repository.Repository;
import dev.pail.repository.files.BlockStorage;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.files.InitOptions;
import dev.pail.repository.model.Need;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** The folder of a mirror, which its settings name as one. */
final class MirrorFolder {
    /** What ends before the server does. */
    interface Ending {
        void close();
    }

    private final Call call;
    private final Terminal terminal;
    private final Remote remote;
    private final String origin;

    /** @param origin the address of the remote */
    MirrorFolder(Call call, Remote remote, String origin) {
        this.call = call;
        this.terminal = call.terminal();
        this.remote = remote;
        this.origin = origin;
    }

    /** Makes the mirror with all that the remote has, if there is no repository. */
    void make() {
        Optional<Path> place = call.path();
        if (call.url() != null
                || place.filter(path -> Files.exists(path.resolve("config"))).isPresent()) {
            return;
        }
        Path folder = place.orElseGet(() -> terminal.path(".pail"));
        RemoteInfo info = remote.info();
        boolean isDescribed = info.needs().contains(Need.EVENTS.word());
        InitOptions options = InitCommand.options(info.format(), BlockStorage.SEGMENTS, null, isDescribed);
        try (Repository repository = FileRepository.init(folder, options)) {
            FileRepository.of(repository).orElseThrow().setRemote(Mirror.NAME, Optional.of(origin));
            Mirror.of(repository, remote, change -> {}).take();
        }
        if (!terminal.quiet && !terminal.json) {
            terminal.note("made " + folder.toAbsolutePath() + ", a mirror of " + origin);
        }
    }

    /** Refuses a repository that is no mirror of the remote: its branches would move. */
    void checkIsOf(Repository repository) {
        String known = call.files(repository, "mirrors").remotes().get(Mirror.NAME);
        if (!origin.equals(known)) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "already-exists",
                    call.place() + " is no mirror of " + origin + (known == null ? "" : ", but of " + known),
                    known == null
                            ? "choose a new folder with: pail -C DIR serve --mirror " + Call.word(origin)
                            : "if the remote has moved there, run: pail -C " + Call.word(call.place())
                                    + " remote set-url " + Mirror.NAME + " " + Call.word(origin));
        }
    }

    /** Begins to follow the remote. */
    Ending follow(Repository repository) {
        Following following = Mirror.of(repository, remote, new Lines()).following();
        Thread thread = new Thread(() -> run(following), "pail-mirror");
        thread.setDaemon(true);
        thread.start();
        return () -> {
            following.close();
            thread.interrupt();
        };
    }

    private void run(Following following) {
        try {
            following.run();
        } catch (InterruptedException e) {
            // The process ends.
            return;
        } catch (RuntimeException e) {
            terminal.alert("the mirror no longer follows " + origin + ": " + Failure.message(e));
        }
    }

    /** A line for each change. */
    private final class Lines implements Mirror.Listener {
        @Override
        public void changed(Mirror.Change change) {
            if (terminal.json) {
                terminal.printJson(json -> {
                    json.writeStringField(
                            "mirrored",
                            change.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'));
                    json.writeStringField("name", change.name());
                    Json.writeCids(json, "head", change.head().events());
                });
                terminal.flush();
                return;
            }
            String text =
                    change.name() + " at " + HistoryText.briefs(change.head().events());
            switch (change.kind()) {
                case BRANCH -> note("branch " + text);
                case TAG -> note("tag " + text);
                case REMOVED_BRANCH -> note("removed branch " + text);
                case REMOVED_TAG -> note("removed tag " + text);
                case BACK ->
                    terminal.warn("branch " + text
                            + ": it lacks changes that it had, as after a restore or a forced push at the origin");
            }
        }

        private void note(String text) {
            if (!terminal.quiet) {
                terminal.note(text);
            }
        }

        @Override
        public void failed(PailException failure, Duration pause) {
            terminal.warn(Remotes.again(failure, pause));
        }
    }
}
