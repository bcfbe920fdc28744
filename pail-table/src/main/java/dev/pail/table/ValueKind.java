package dev.pail.table;

/** What a scalar is, in the order of an index. */
enum ValueKind {
    NULL,
    FALSE,
    TRUE,
    NUMBER,
    TEXT
}
