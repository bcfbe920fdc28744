package dev.pail;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Tries the hostile inputs, except those with the given numbers, in a process with little memory, on a thread with a small stack.
 * Prints a line before each input, and a {@link HostileReport} after it has measured the input.
 *
 * <p>If an input kills the process, the last line names the input.
 */
final class HostileMain {
    static final String BEGUN = "begun\t";

    /** The exit status where an input took too long. */
    static final int TOO_LONG = 3;

    private static final int FAILED = 4;
    private static final int STACK = 256 << 10;

    /** A hundred times what any input takes: what takes longer does not come to an end. */
    private static final long MAX_CPU_NANOS = 30_000_000_000L;

    private static final long MAX_NANOS = 600_000_000_000L;

    private static volatile long begunAt = System.nanoTime();
    private static volatile long begunAtCpu;

    private HostileMain() {}

    public static void main(String[] args) throws InterruptedException {
        Set<Integer> leftOut = Arrays.stream(args[0].split(","))
                .filter(number -> !number.isEmpty())
                .map(Integer::valueOf)
                .collect(Collectors.toSet());
        List<HostileInput> inputs = HostileInputs.all();
        int[] due = IntStream.range(0, inputs.size())
                .filter(number -> !leftOut.contains(number))
                .toArray();
        Thread worker = new Thread(null, () -> work(inputs, due), "hostile", STACK);
        worker.start();
        watch(worker);
    }

    private static void watch(Thread worker) throws InterruptedException {
        while (worker.isAlive()) {
            worker.join(100);
            if (isTooLong(worker)) {
                Runtime.getRuntime().halt(TOO_LONG);
            }
        }
    }

    private static boolean isTooLong(Thread worker) {
        try {
            return HostileMeter.cpuNanos(worker) - begunAtCpu > MAX_CPU_NANOS
                    || System.nanoTime() - begunAt > MAX_NANOS;
        } catch (OutOfMemoryError e) {
            // The worker may yet give back what it has taken.
            return false;
        }
    }

    private static void work(List<HostileInput> inputs, int[] due) {
        try {
            for (int number : due) {
                begin(number);
                warmUp(inputs.get(number));
            }
            for (int number : due) {
                begin(number);
                System.out.println(report(inputs.get(number)).line());
            }
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(FAILED);
        }
    }

    private static void begin(int number) {
        begunAtCpu = HostileMeter.cpuNanos(Thread.currentThread());
        begunAt = System.nanoTime();
        System.out.println(BEGUN + number);
    }

    /** Loads classes, so that nothing of that is counted where an input may allocate little. */
    private static void warmUp(HostileInput input) {
        HostileInput.Work work = input.work().get();
        if (work.blocks() == 1) {
            work.run(new HostileSteps());
        }
    }

    private static HostileReport report(HostileInput input) {
        HostileInput.Work work = input.work().get();
        HostileSteps steps = new HostileSteps();
        Thread thread = Thread.currentThread();
        long allocated = HostileMeter.allocated(thread);
        work.run(steps);
        allocated = HostileMeter.allocated(thread) - allocated;
        return new HostileReport(
                input.name(), steps.verdict(), work.reads(), allocated, work.blocks(), work.size(), steps.toString());
    }
}
