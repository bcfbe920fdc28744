package dev.pail.disk;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Names of unfinished files, which name the writing process (spec rule REP8): {@code PID.MACHINE.UUID}.
 *
 * <pre>{@code
 * Path part = Files.createFile(folder.resolve(Unfinished.name()));
 * boolean isBeingWritten = Unfinished.isOfRunningProcess(part); // true: leave it alone
 * }</pre>
 */
public final class Unfinished {
    /** Linux identifies the current boot of the machine in this file. */
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    /** The namespace of the process numbers. */
    private static final Path NUMBERS = Path.of("/proc/self/ns/pid");

    /** Read once: a name is made for each block. */
    private static final class Self {
        static final String MACHINE = machine();
        static final String PREFIX = ProcessHandle.current().pid() + "." + MACHINE + ".";

        private Self() {}
    }

    private static final String UNKNOWN = "0";
    private static final int PARTS = 3;

    private Unfinished() {}

    /** Returns a new, unique name. */
    public static String name() {
        return Self.PREFIX + UUID.randomUUID();
    }

    /** Whether a file name is that of an unfinished file, whose process still runs on this machine. */
    public static boolean isOfRunningProcess(Path file) {
        String[] parts = String.valueOf(file.getFileName()).split("\\.", -1);
        Long process = parts.length == PARTS ? number(parts[0]) : null;
        return process != null
                && !parts[1].equals(UNKNOWN)
                && parts[1].equals(Self.MACHINE)
                && ProcessHandle.of(process).isPresent();
    }

    private static @Nullable Long number(String text) {
        return text.matches("[0-9]{1,18}") ? Long.valueOf(text) : null;
    }

    private static String machine() {
        try {
            String boot = Files.readString(BOOT, StandardCharsets.US_ASCII).strip();
            return Integer.toHexString((boot + Files.readSymbolicLink(NUMBERS)).hashCode());
        } catch (IOException | UnsupportedOperationException e) {
            return UNKNOWN;
        }
    }
}
