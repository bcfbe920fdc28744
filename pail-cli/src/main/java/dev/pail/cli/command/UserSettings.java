package dev.pail.cli.command;

import dev.pail.bytes.Utf8;
import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Inputs;
import dev.pail.cli.terminal.Outputs;
import dev.pail.cli.terminal.Terminal;
import dev.pail.cli.terminal.UserFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The settings of a user for all repositories: the lines {@code name = value} of {@code pail/config} in the user's folder for settings. */
public final class UserSettings {
    /** What the names of aliases begin with. */
    public static final String ALIAS = "alias.";

    /** A larger file is not this command's. */
    private static final long MOST = 1 << 20;

    private final @Nullable Path file;

    private UserSettings(@Nullable Path file) {
        this.file = file;
    }

    public static UserSettings of(Terminal terminal) {
        return new UserSettings(UserFolder.of(terminal, "XDG_CONFIG_HOME", ".config")
                .map(folder -> folder.resolve("pail/config"))
                .orElse(null));
    }

    /** The file, for messages. */
    public String place() {
        return String.valueOf(file);
    }

    /** All settings by their names; none, if there is no file. */
    public SortedMap<String, String> all() {
        SortedMap<String, String> settings = new TreeMap<>();
        try {
            if (file == null || !Files.isRegularFile(file) || Files.size(file) > MOST) {
                return settings;
            }
            for (String line : Files.readAllLines(file)) {
                int equals = line.indexOf('=');
                if (equals > 0 && !line.startsWith("#")) {
                    settings.put(
                            line.substring(0, equals).strip(),
                            line.substring(equals + 1).strip());
                }
            }
            return settings;
        } catch (IOException e) {
            throw Inputs.failure(place(), e);
        }
    }

    /**
     * Changes a setting.
     *
     * @param value null to remove it
     */
    public void set(String name, @Nullable String value) {
        if (file == null) {
            throw new Failure.Found(
                    Exit.FAILED, "io", "neither XDG_CONFIG_HOME nor HOME says where settings of the user are", null);
        }
        SortedMap<String, String> settings = all();
        if (value == null) {
            settings.remove(name);
        } else {
            settings.put(name, value);
        }
        StringBuilder text = new StringBuilder();
        settings.forEach(
                (each, set) -> text.append(each).append(" = ").append(set).append('\n'));
        try {
            Path unused = Files.createDirectories(file.toAbsolutePath().getParent());
        } catch (IOException e) {
            throw Inputs.failure(place(), e);
        }
        byte[] bytes = Utf8.encode(text.toString());
        int unused = Outputs.write(file, out -> {
            out.write(bytes);
            return bytes.length;
        });
    }
}
