package dev.pail.table.document;

/** What a scalar is, in the order of an index. */
public enum ValueKind {
    NULL,
    FALSE,
    TRUE,
    NUMBER,
    TEXT
}
