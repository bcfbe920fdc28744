package dev.pail.cli.terminal;

import java.nio.file.Path;
import java.util.Optional;

/** The folders of a user, which programs share: settings, state, caches. */
public final class UserFolder {
    private UserFolder() {}

    /**
     * The folder that a variable names, else one in the home of the user. A variable without text names none.
     *
     * @param variable such as XDG_CONFIG_HOME
     * @param inHome such as .config
     */
    public static Optional<Path> of(Terminal terminal, String variable, String inHome) {
        return path(terminal, variable).or(() -> path(terminal, "HOME").map(home -> home.resolve(inHome)));
    }

    /** The folder of what this program can fetch again. */
    public static Optional<Path> caches(Terminal terminal) {
        return of(terminal, "XDG_CACHE_HOME", ".cache").map(caches -> caches.resolve("pail"));
    }

    private static Optional<Path> path(Terminal terminal, String variable) {
        return Optional.ofNullable(terminal.environment(variable))
                .filter(text -> !text.isEmpty())
                .map(terminal::path);
    }
}
