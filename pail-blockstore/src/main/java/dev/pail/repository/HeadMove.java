package dev.pail.repository;

/**
 * A branch that has a new head, which is safe.
 *
 * @param branch the name of the branch
 * @param entry what its log says of the move
 */
public record HeadMove(String branch, LogEntry entry) {}
