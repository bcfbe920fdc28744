package dev.pail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The shell in which the sessions of one page run: folder, variables and background processes last from line to line. */
final class PageShell implements AutoCloseable {
    /** What pages show in place of the folder of the test. */
    private static final String HOME = "/home/you";

    /** What pages show in place of a free port. */
    private static final String PORT = ":8080";

    private static final String END = "-- end of the output of a line --";

    private final Path home;
    private final String port;
    private final Process process;
    private final Writer in;
    private final BufferedReader out;
    private final Map<String, String> fixed;

    private Path folder;
    private Map<String, String> environment;

    /**
     * A shell in an empty folder.
     *
     * @param bin a folder with commands, which the shell finds first
     * @param fixed variables of all commands
     */
    PageShell(Path home, Path bin, Map<String, String> fixed) throws IOException {
        this.home = home;
        this.folder = home;
        this.fixed = fixed;
        this.environment = fixed;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = ":" + free.getLocalPort();
        }
        ProcessBuilder builder =
                new ProcessBuilder("sh").directory(home.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("PAIL_"));
        builder.environment().putAll(fixed);
        builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
        builder.environment().put("HOME", home.toString());
        builder.environment().merge("PATH", bin.toString(), (path, first) -> first + ":" + path);
        process = builder.start();
        in = process.outputWriter();
        out = process.inputReader();
    }

    /** The folder that the last line has left. */
    Path folder() {
        return folder;
    }

    /** The variables for Pail that the last line has left. */
    Map<String, String> environment() {
        return environment;
    }

    /** A line of a page, as it runs here. */
    String here(String line) {
        return line.replace(HOME, home.toString()).replace(PORT, port);
    }

    /** An output, as a page shows it. */
    String shown(String output) {
        return output.replace(home.toString(), HOME).replace(port, PORT);
    }

    /** Runs a line and returns what it prints. A process in the background must print into a file. */
    String run(String line) throws IOException {
        in.write("eval '" + here(line).replace("'", "'\\''") + "' </dev/null 2>&1\n");
        in.write("printf '\\n%s\\n%s\\n' '" + END + "' \"$PWD\"; env | grep ^PAIL_; echo '" + END + "'\n");
        in.flush();
        String printed = upToEnd();
        List<String> state = upToEnd().lines().toList();
        folder = Path.of(state.get(0));
        Map<String, String> found = new HashMap<>(fixed);
        for (String variable : state.subList(1, state.size())) {
            int sign = variable.indexOf('=');
            found.put(variable.substring(0, sign), variable.substring(sign + 1));
        }
        environment = found;
        return printed.substring(0, printed.length() - 1);
    }

    private String upToEnd() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (String line = out.readLine(); !END.equals(line); line = out.readLine()) {
            assertThat(line).as("the shell ended after: %s", lines).isNotNull();
            lines.append(line).append('\n');
        }
        return lines.toString();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
