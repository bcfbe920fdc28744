package dev.pail.repository.update;

/** Who begins a transaction. */
enum TransactionRole {
    /** Must not fail, and waits for no lock. */
    READER,
    WRITER,
    /** Holds a lock that belongs to its thread, so no other thread writes for it. */
    LOCKED_WRITER
}
