package dev.pail.table.index;

/** The entries of an index with values in a range. */
public record IndexRange(IndexKeys index, OrderedRange values) {}
