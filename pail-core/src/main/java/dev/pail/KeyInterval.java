package dev.pail;

/** The keys between two places: behind {@code low} and before {@code high}. */
record KeyInterval(Cut low, Cut high) {
    boolean isEmpty() {
        return low.compareTo(high) >= 0;
    }
}
