package dev.pail.table.index;

/** The kinds of indexes that there are: another one is added here. */
public final class IndexKinds {
    /** The index on values as they are. */
    public static final IndexKind FIELD = new FieldIndex();

    private IndexKinds() {}
}
