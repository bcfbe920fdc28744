package dev.pail.shard;

/** The keys between two places: behind {@code low} and before {@code high}. */
public record KeyInterval(Cut low, Cut high) {
    public boolean isEmpty() {
        return low.compareTo(high) >= 0;
    }
}
