package dev.pail.cli.command.exchange;

import dev.pail.Escapes;
import dev.pail.PailException;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.Option;
import dev.pail.cli.command.Servers;
import dev.pail.cli.command.Stores;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.NetworkHints;
import dev.pail.cli.terminal.Terminal;
import dev.pail.remote.FetchResult;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.Remote;
import dev.pail.remote.RepositoryRemote;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.RepositoryException;
import dev.pail.repository.model.Tracking;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Connects to the remotes of a repository, with the tokens of the user. */
public final class Remotes {
    /** What {@link #open} takes. */
    static final Option.Text AUTHORITIES = Option.text(
            "FILE",
            "Trust the authorities whose certificates are in this file, in PEM, and no others; else those of SSL_CERT_FILE, else those of "
                    + "Java and of the system.",
            NetworkHints.AUTHORITIES);

    /** The remote that commands use if none is named. */
    public static final String ORIGIN = "origin";

    private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+://.*");
    private static final Pattern PASSWORD = Pattern.compile("[^/]*//[^/@]*:[^/@]*@.*");
    private static final String FILE = "file://";

    private Remotes() {}

    /** A remote that is open, and what is closed with it. */
    record Connection(Remote remote, @Nullable Repository repository) implements AutoCloseable {
        @Override
        public void close() {
            remote.close();
            if (repository != null) {
                repository.close();
            }
        }
    }

    /** Connects to the remote of this name. */
    static Connection connect(Call call, Repository repository, String name) {
        SortedMap<String, String> all = call.files(repository, "remotes").remotes();
        String address = all.get(name);
        if (address == null) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "no-such-remote",
                    "no such remote: " + Escapes.brief(name),
                    all.isEmpty()
                            ? "add one with: pail remote add " + ORIGIN + " URL"
                            : "there are: " + String.join(", ", all.keySet()));
        }
        return open(call, address);
    }

    /** Connects to an address. */
    static Connection open(Call call, String address) {
        Terminal terminal = call.terminal();
        if (HttpRemote.isAddress(address)) {
            return new Connection(Servers.open(terminal, address, call.get(AUTHORITIES)), null);
        }
        boolean isUrl = Stores.isUrl(address);
        String place =
                isUrl ? address : FileRepository.in(terminal.path(address)).toString();
        Repository repository = Stores.open(terminal, address, FileRepository.PATIENCE);
        try {
            return new Connection(RepositoryRemote.of(repository, place), repository);
        } catch (RuntimeException e) {
            repository.close();
            throw e;
        }
    }

    /** The sentence for a failure after which a command that follows a remote tries again. */
    static String again(PailException failure, Duration pause) {
        return failure.getMessage() + "; trying again in " + pause.toSeconds() + " s";
    }

    /** An address as the settings keep it: that of a folder does not depend on where the command runs. */
    static String absolute(Terminal terminal, String given) {
        if (given.chars().anyMatch(Character::isISOControl) || given.isBlank()) {
            throw Failure.usage("not the address of a remote: " + Escapes.brief(given));
        }
        if (HttpRemote.isAddress(given)) {
            try {
                return HttpRemote.open(given, Optional.empty()).address();
            } catch (IllegalArgumentException e) {
                throw Failure.usage(String.valueOf(e.getMessage()));
            }
        }
        if (Stores.isStoreUrl(given)) {
            if (PASSWORD.matcher(given).matches()) {
                throw Failure.usage("a URL has no password, as others could read it in the settings");
            }
            return given;
        }
        String path = given.startsWith(FILE) ? given.substring(FILE.length()) : given;
        if (SCHEME.matcher(path).matches()) {
            throw Failure.usage("a remote is http://HOST, https://HOST, a folder, or the URL of a store, not "
                    + Escapes.brief(given));
        }
        return terminal.path(path).toAbsolutePath().normalize().toString();
    }

    /** What an exchange shows of the repository at the address of a remote. */
    enum Seen {
        /** It was never seen before. */
        FIRST,
        /** It has all that it had. */
        AS_BEFORE,
        /** A branch there lacks events that it had. */
        BACK;

        public static Seen of(List<FetchResult> results) {
            return results.stream().anyMatch(FetchResult::isBack)
                    ? BACK
                    : results.stream().anyMatch(result -> result.before().isEmpty()) ? FIRST : AS_BEFORE;
        }
    }

    /** Warns if a remote went back, or is another repository now, and records its id. */
    static void note(Call call, Repository repository, String name, Connection connection, Seen seen) {
        if (seen == Seen.AS_BEFORE) {
            return;
        }
        FileRepository files = call.files(repository, "remotes");
        Optional<String> before = files.remoteId(name);
        Optional<String> now = connection.remote().info().id();
        if (seen == Seen.BACK) {
            boolean isOther = before.isPresent() && now.isPresent() && !now.equals(before);
            call.terminal()
                    .alert(
                            connection.remote().address()
                                    + (isOther
                                            ? " is another repository than at the last exchange, and lacks changes that were there"
                                            : " went back: it lacks changes that it had at the last exchange, as after a restore or a forced push"));
        }
        if (now.isPresent() && !now.equals(before)) {
            files.setRemoteId(name, now.get());
        }
    }

    /** Forgets where the branches of a remote stood. */
    static void untrack(Repository repository, String name) {
        for (String ref : repository.refs().trackings()) {
            if (ref.startsWith(name + "/")) {
                repository.remotes().untrack(ref);
            }
        }
    }

    /** Adds a remote, or gives it another address. */
    static void set(FileRepository files, String name, Optional<String> address) {
        if (!Tracking.isRemoteName(name)) {
            throw new RepositoryException(
                    RepositoryException.Reason.NAME,
                    "not the name of a remote: " + Escapes.brief(name),
                    "letters, digits, '.', '_' and '-', beginning with a letter or a digit",
                    null);
        }
        files.setRemote(name, address);
    }
}
