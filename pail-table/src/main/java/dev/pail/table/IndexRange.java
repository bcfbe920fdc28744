package dev.pail.table;

/** The entries of an index with values in a range. */
record IndexRange(IndexKeys index, OrderedRange values) {}
