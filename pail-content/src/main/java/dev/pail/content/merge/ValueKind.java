package dev.pail.content.merge;

/**
 * What both sides of a merge may change in one value without a conflict.
 *
 * <pre>{@code
 * ValueMerge inside = ValueMerge.of(EnumSet.of(ValueKind.TEXT, ValueKind.ROWS));
 * }</pre>
 */
public enum ValueKind {
    /** Lines of a text. */
    TEXT,
    /** Fields of an object: of JSON, or of dag-cbor that JSON can express. */
    JSON,
    /** Columns of a row, which are the fields of its document. */
    ROWS
}
