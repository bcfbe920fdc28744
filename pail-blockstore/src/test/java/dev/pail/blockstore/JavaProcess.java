package dev.pail.blockstore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs a class of the tests in a process of its own, with the class path of this one and no settings from outside. */
public final class JavaProcess {
    private JavaProcess() {}

    /**
     * The process, which is not started yet. What it writes to standard error goes to standard output.
     *
     * @param options of the JVM
     */
    public static ProcessBuilder of(List<String> options, Class<?> main, Object... arguments) {
        List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
        // The collector that a small machine has; which one it is must not depend on the machine.
        command.add("-XX:+UseSerialGC");
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        Arrays.stream(arguments).map(String::valueOf).forEach(command::add);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS").forEach(builder.environment()::remove);
        return builder;
    }
}
