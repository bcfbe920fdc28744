package dev.pail.cli;

/** The exit statuses. */
final class Exit {
    static final int DONE = 0;

    /** A negative answer: a key that is not there, differences where they were asked for. */
    static final int NO = 1;

    static final int USAGE = 2;

    /** No repository, bad input, trouble with files. */
    static final int FAILED = 3;

    /** A conflict, or a race that was lost. */
    static final int CONFLICT = 4;

    /** Data that is damaged, missing or erased. */
    static final int DAMAGED = 5;

    static final int INTERRUPTED = 130;

    /** The reader of standard output has closed it: the status that a shell reports for a process that SIGPIPE has ended. */
    static final int PIPE = 141;

    private Exit() {}
}
