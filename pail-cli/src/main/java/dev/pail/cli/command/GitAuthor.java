package dev.pail.cli.command;

import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.terminal.UserFolder;
import dev.pail.repository.model.Note;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The author that the user's configuration of git names. Reads the sections {@code [user]} of the files that git reads, and follows no
 * include. A file that cannot be read has no author: a change must not fail for it.
 */
public final class GitAuthor {
    /** The largest file that is read. */
    private static final long MOST = 1 << 20;

    private @Nullable String name;
    private @Nullable String email;

    private GitAuthor() {}

    /** The author, {@code Name <address>}, or no author. */
    public static Note note(Terminal terminal) {
        GitAuthor author = new GitAuthor();
        for (Path file : files(terminal)) {
            author.read(file);
        }
        String name = author.name;
        if (name == null) {
            return Note.NONE;
        }
        String email = author.email;
        try {
            return Note.of(email == null ? name : name.strip() + " <" + email.strip() + ">", null);
        } catch (IllegalArgumentException e) {
            // A name that git takes, and a log of pail does not: it is too long, or has control characters.
            return Note.NONE;
        }
    }

    /** The files of the user. The last one counts most. */
    private static List<Path> files(Terminal terminal) {
        List<Path> files = new ArrayList<>();
        String named = terminal.environment("GIT_CONFIG_GLOBAL");
        if (named != null) {
            files.add(terminal.path(named));
            return files;
        }
        String home = terminal.environment("HOME");
        UserFolder.of(terminal, "XDG_CONFIG_HOME", ".config")
                .ifPresent(folder -> files.add(folder.resolve("git/config")));
        if (home != null) {
            files.add(terminal.path(home).resolve(".gitconfig"));
        }
        return files;
    }

    private void read(Path file) {
        try {
            // A pipe could be read forever.
            if (Files.isRegularFile(file) && Files.size(file) <= MOST) {
                read(Files.readString(file));
            }
        } catch (IOException e) {
            // It may belong to another user, or not be UTF-8.
            return;
        }
    }

    private void read(String text) {
        boolean isUser = false;
        for (String line :
                text.replace("\\\n", "").replace("\\\r\n", "").lines().toList()) {
            String rest = line.strip();
            if (rest.startsWith("[")) {
                int end = rest.indexOf(']');
                isUser = end > 0 && rest.substring(1, end).strip().equalsIgnoreCase("user");
                rest = rest.substring(end + 1).strip();
            }
            int equals = rest.indexOf('=');
            if (isUser && equals > 0) {
                set(rest.substring(0, equals).strip().toLowerCase(Locale.ROOT), value(rest.substring(equals + 1)));
            }
        }
    }

    private void set(String key, String value) {
        String given = value.isBlank() ? null : value;
        if (key.equals("name")) {
            name = given;
        } else if (key.equals("email")) {
            email = given;
        }
    }

    /** A value without quotes, escapes and the comment behind it. */
    private static String value(String text) {
        StringBuilder value = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                isQuoted = !isQuoted;
            } else if (c == '\\' && i + 1 < text.length()) {
                i++;
                char escaped = text.charAt(i);
                value.append(escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped);
            } else if (!isQuoted && (c == '#' || c == ';')) {
                break;
            } else {
                value.append(c);
            }
        }
        return value.toString().strip();
    }
}
