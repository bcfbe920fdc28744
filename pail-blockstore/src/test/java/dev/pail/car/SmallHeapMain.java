package dev.pail.car;

import dev.pail.BlockStore;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;

/** Opens a CAR, exports its roots into another, and imports it into nothing. For a process with a small heap. */
final class SmallHeapMain {
    private SmallHeapMain() {}

    /** Takes the file to read and the one to write. */
    public static void main(String[] arguments) throws IOException {
        Path from = Path.of(arguments[0]);
        Path to = Path.of(arguments[1]);
        long start = System.nanoTime();
        try (CarBlockStore store = CarBlockStore.open(from);
                OutputStream out = Files.newOutputStream(to)) {
            say("opened", start, store.size());
            say("needed", start, Completeness.require(store, store.roots()));
            CarExport.Written written = CarExport.of(store, store.roots()).writeTo(out, to.toString());
            say("exported", start, written.blocks());
        }
        try (CarReader reader = CarReader.open(to)) {
            say("imported", start, CarImport.of(reader, new Nothing()).added());
        }
    }

    private static void say(String what, long start, long blocks) {
        System.out.println(what + " " + blocks + " blocks, " + (System.nanoTime() - start) / 1_000_000 + " ms");
    }

    /** Forgets what is put. */
    private static final class Nothing implements BlockStore {
        @Override
        public Optional<Block> get(Cid cid) {
            return Optional.empty();
        }

        @Override
        public void putAll(Collection<Block> blocks) {}

        @Override
        public boolean has(Cid cid) {
            return false;
        }

        @Override
        public void close() {}
    }
}
