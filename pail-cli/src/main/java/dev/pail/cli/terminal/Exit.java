package dev.pail.cli.terminal;

/** The exit statuses. */
public final class Exit {
    public static final int DONE = 0;

    /** A negative answer: a key that is not there, differences where they were asked for. */
    public static final int NO = 1;

    public static final int USAGE = 2;

    /** No repository, bad input, trouble with files. */
    public static final int FAILED = 3;

    /** A conflict, or a race that was lost. */
    public static final int CONFLICT = 4;

    /** Data that is damaged, missing or erased. */
    public static final int DAMAGED = 5;

    public static final int INTERRUPTED = 130;

    /** The reader of standard output has closed it: the status that a shell reports for a process that SIGPIPE has ended. */
    public static final int PIPE = 141;

    private Exit() {}
}
