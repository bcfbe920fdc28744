package dev.pail.content.lines;

/**
 * A run of elements that differs between two lists. One of its sides may be empty. Immutable.
 *
 * @param beforeFrom the index of the first element of the run in the list before, from 0
 * @param beforeTo the index behind its last one
 * @param afterFrom the same in the list after
 * @param afterTo the same in the list after
 */
public record Edit(int beforeFrom, int beforeTo, int afterFrom, int afterTo) {}
