package dev.pail.cli.command.exchange;

import dev.pail.Escapes;
import dev.pail.cli.command.Call;
import dev.pail.cli.command.KeyFiles;
import dev.pail.cli.command.Option;
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
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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

    private static final String TOKEN = "PAIL_TOKEN";
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
            try {
                HttpRemote remote = HttpRemote.open(address, token(terminal, address))
                        .withConnector(new NetworkSettings(terminal, call.get(AUTHORITIES)));
                return new Connection(remote, null);
            } catch (IllegalArgumentException e) {
                throw Failure.usage(String.valueOf(e.getMessage()));
            }
        }
        boolean isUrl = Stores.isUrl(address);
        String place =
                isUrl ? address : FileRepository.in(terminal.path(address)).toString();
        Repository repository = Stores.open(terminal, address, FileRepository.PATIENCE);
        return new Connection(RepositoryRemote.of(repository, place), repository);
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

    /** The token for an address: of the environment, or of the file of tokens. */
    private static Optional<String> token(Terminal terminal, String address) {
        String given = terminal.environment(TOKEN);
        if (given != null) {
            return Optional.of(given).filter(text -> !text.isEmpty());
        }
        Path file = tokens(terminal);
        if (file == null) {
            return Optional.empty();
        }
        try {
            List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            KeyFiles.checkPrivate(file, "others can read the tokens", "make it private with: chmod 600 " + file);
            String origin = origin(address);
            return lines.stream()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(words -> words.length == 2
                            && !words[0].startsWith("#")
                            && origin(words[0]).equals(origin))
                    .map(words -> words[1])
                    .findFirst();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new Failure.Found(
                    Exit.FAILED, "io", "cannot read the tokens: " + file + ": " + Failure.message(e), null);
        }
    }

    private static @Nullable Path tokens(Terminal terminal) {
        String configured = terminal.environment("XDG_CONFIG_HOME");
        String home = terminal.environment("HOME");
        if (configured != null && !configured.isEmpty()) {
            return Path.of(configured, "pail", "tokens");
        }
        return home == null || home.isEmpty() ? null : Path.of(home, ".config", "pail", "tokens");
    }

    private static String origin(String address) {
        try {
            URI uri = URI.create(address);
            return uri.getScheme() + "://" + uri.getRawAuthority();
        } catch (IllegalArgumentException e) {
            return "";
        }
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
