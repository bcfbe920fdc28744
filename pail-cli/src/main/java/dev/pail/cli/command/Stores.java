package dev.pail.cli.command;

import dev.pail.Escapes;
import dev.pail.ShardFormat;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.terminal.UserFolder;
import dev.pail.remote.HttpRemote;
import dev.pail.remote.Remote;
import dev.pail.remote.RepositoryRemote;
import dev.pail.repository.Repository;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.model.Need;
import dev.pail.repository.model.Part;
import dev.pail.repository.model.Recovered;
import dev.pail.repository.spi.RepositoryLocator;
import dev.pail.through.ServedRepository;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Opens what the command line names as a store: a folder, or the URL of a repository that is elsewhere. The part that knows such URLs is
 * loaded only then.
 */
public final class Stores {
    /** The parts of the library with the locators, and what they need, by the schemes of their URLs. */
    private static final Map<String, String> PARTS = Map.of("postgresql", "jdbc", "s3", "s3");

    private Stores() {}

    /** Whether a store is named by a URL. No path is one, unless the name of a folder ends with a colon. */
    public static boolean isUrl(String store) {
        return !scheme(store).isEmpty();
    }

    /** The scheme of a URL, of two characters or more; empty for a path. Each command asks, so it takes no time. */
    private static String scheme(String store) {
        int end = store.indexOf("://");
        for (int i = 0; i < end; i++) {
            char next = store.charAt(i);
            boolean isLetter = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
            boolean isOther = (next >= '0' && next <= '9') || next == '+' || next == '.' || next == '-';
            if (!isLetter && (i == 0 || !isOther)) {
                return "";
            }
        }
        return end < 2 ? "" : store.substring(0, end);
    }

    /** Opens the repository that a name stands for: a URL, or a folder as {@code -C} takes it. */
    public static Repository open(Terminal terminal, String store, Duration patience) {
        if (HttpRemote.isAddress(store)) {
            return served(terminal, store);
        }
        return isUrl(store)
                ? withLocator(store, locator -> Repository.open(locator.open(store, patience)))
                : throughRemote(terminal, open(FileRepository.in(terminal.path(store)), patience));
    }

    /** A part reads what is not here from its remote. */
    static Repository throughRemote(Terminal terminal, Repository opened) {
        return part(terminal, opened).orElse(opened);
    }

    /** A repository that reads through the remote which promises its blocks; empty if it is no part. */
    static Optional<Repository> part(Terminal terminal, Repository opened) {
        return opened.refs()
                .part()
                .flatMap(part ->
                        FileRepository.of(opened).map(files -> opened.readingThrough(promised(terminal, files, part))));
    }

    /** The blocks that the remote of a part promises. */
    static PromisedSource promised(Terminal terminal, FileRepository files, Part part) {
        return PromisedSource.of(files, part, address -> remote(terminal, address));
    }

    /** A server, or another repository. */
    static Remote remote(Terminal terminal, String place) {
        if (HttpRemote.isAddress(place)) {
            return Servers.open(terminal, place, null);
        }
        Repository repository = open(terminal, place, FileRepository.PATIENCE);
        try {
            return RepositoryRemote.of(repository, place).closingRepository();
        } catch (RuntimeException e) {
            repository.close();
            throw e;
        }
    }

    private static Repository served(Terminal terminal, String address) {
        HttpRemote remote = Servers.open(terminal, address, null);
        return UserFolder.caches(terminal)
                .map(caches -> ServedRepository.open(remote, caches))
                .orElseGet(() -> ServedRepository.open(remote));
    }

    private static Failure.Found isOnlyRead(String url) {
        return new Failure.Found(
                Exit.FAILED,
                "read-only",
                "a version behind a gateway is only read, and has no branches, tags and moves: " + Escapes.brief(url),
                "export it with: pail -C URL export FILE, and take the file into a repository with: pail import FILE");
    }

    /** Opens the repository in its own folder. */
    public static Repository open(Path folder, Duration patience) {
        if (Files.isRegularFile(folder)) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "read-only",
                    "a CAR file is only read, and has no branches, tags and moves: " + folder,
                    "make a repository, and take the file in with: pail import FILE");
        }
        if (Files.isSymbolicLink(folder) && !Files.exists(folder)) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "no-such-repository",
                    "a link to nothing: " + folder,
                    "bring back what it leads to, or remove it, or name a repository with -C DIR");
        }
        return FileRepository.open(folder, patience);
    }

    /** The current branch, which is there unless the file that names it is damaged: then nothing may be made under that name. */
    public static String currentBranch(Repository repository) {
        String current = repository.branches().current();
        while (!repository.branches().contains(current)) {
            // Who removes a branch has made another the current one before.
            String last = current;
            current = repository.branches().current();
            if (current.equals(last)) {
                throw new Failure.Found(
                        Exit.DAMAGED,
                        "damaged-repository",
                        "the current branch is not there: " + whereCurrent(repository) + " names " + current,
                        "choose one with: pail switch NAME; there are: "
                                + String.join(", ", repository.branches().names()));
            }
        }
        return current;
    }

    private static String whereCurrent(Repository repository) {
        return FileRepository.of(repository)
                .map(files -> files.folder().resolve("branch").toString())
                .orElseGet(() -> repository.refs().location());
    }

    /** Whether a text is a URL with the scheme of a store. The parts of the library are not loaded for that. */
    public static boolean isStoreUrl(String url) {
        return isUrl(url)
                && (PARTS.containsKey(scheme(url))
                        || RepositoryLocator.find(url).isPresent());
    }

    /**
     * Makes the repository that a URL names.
     *
     * @param needs what its readers must understand
     */
    public static Repository init(String url, ShardFormat format, Set<Need> needs, Duration patience) {
        if (HttpRemote.isAddress(url)) {
            throw Failure.usage(
                    "a repository is made where it is, not through its server: " + Escapes.brief(url),
                    "take in what a server has with: pail clone URL DIR");
        }
        return withLocator(url, locator -> Repository.open(locator.init(url, format, needs, patience)));
    }

    /** Rebuilds the refs of the repository that a URL names. */
    public static Optional<Recovered> recover(String url, Duration patience) {
        return withLocator(url, locator -> locator.recover(url, patience));
    }

    private static <T> T withLocator(String url, Function<RepositoryLocator, T> action) {
        RepositoryLocator locator = locator(url);
        try {
            return action.apply(locator);
        } catch (IllegalArgumentException e) {
            throw Failure.usage(Failure.message(e));
        }
    }

    private static RepositoryLocator locator(String url) {
        if (Servers.isGateway(url)) {
            throw isOnlyRead(url);
        }
        // A program that has the command on its class path may have a locator there, too.
        Optional<RepositoryLocator> found = RepositoryLocator.find(url);
        if (found.isPresent()) {
            return found.get();
        }
        // The rest of the URL may have a password.
        String scheme = scheme(url);
        String part = PARTS.get(scheme);
        if (part != null) {
            for (RepositoryLocator each : Library.load(part, RepositoryLocator.class)) {
                if (each.accepts(url)) {
                    return each;
                }
            }
            throw new Failure.Found(
                    Exit.FAILED,
                    "not-installed",
                    "this installation of pail cannot open " + scheme + ":// URLs: the folder " + part
                            + " in its lib is missing",
                    "install a package other than pail-core, or run bin/pail of a clone");
        }
        throw new Failure.Found(
                Exit.USAGE,
                "usage",
                "no store has a URL with the scheme " + scheme,
                "a store is a folder, a CAR file, http://HOST, https://HOST, ipfs+https://GATEWAY/ROOT, s3://BUCKET/PREFIX or"
                        + " postgresql://USER@HOST/DATABASE?repository=NAME");
    }
}
