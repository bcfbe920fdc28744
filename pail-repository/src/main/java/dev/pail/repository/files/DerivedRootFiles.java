package dev.pail.repository.files;

import dev.pail.PailException;
import dev.pail.clock.Head;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.spi.DerivedRoots;
import dev.pail.repository.spi.Epoch;
import dev.pail.trace.Trace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The roots of heads of several events, kept so that a merge is computed once (Rule REP21). Each file can be lost, stale or
 * damaged: then the merge is computed again. Reading and writing need no lock, and never fail.
 */
final class DerivedRootFiles implements DerivedRoots {
    static final String FOLDER = "derived";

    /** More than a head of 1,000 events and the blocks of a merge have. */
    private static final int MAX_SIZE = 1 << 20;

    /** The version of the rules by which heads are merged. */
    private static final String RULES = "merge 1 ";

    private final RepositoryFolder folder;
    private final EpochFile epochFile;

    DerivedRootFiles(RepositoryFolder folder, EpochFile epochFile) {
        this.folder = folder;
        this.epochFile = epochFile;
    }

    private Epoch begin() {
        try {
            return epochFile.read();
        } catch (PailException e) {
            return Epoch.UNKNOWN;
        }
    }

    @Override
    public Optional<Cid> root(Head head, Predicate<Cid> has) {
        Path file = file(head);
        try {
            if (!folder.disk().exists(file)) {
                return Optional.empty();
            }
            return read(SmallFiles.read(folder.disk(), file, MAX_SIZE), head, has);
        } catch (IOException | PailException | IllegalArgumentException e) {
            Trace.swallowed("cannot read the root of a merged head, which is computed again: " + file, e);
            return Optional.empty();
        }
    }

    private Optional<Cid> read(byte[] bytes, Head head, Predicate<Cid> has) {
        String beginning = beginning(head, begin());
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int sum = text.lastIndexOf('\n', text.length() - 2) + 1;
        if (begin().isUnderWay()
                || !text.startsWith(beginning)
                || !text.substring(sum).equals(sum(Arrays.copyOf(bytes, sum)))) {
            return Optional.empty();
        }
        List<Cid> cids =
                text.substring(beginning.length(), sum).lines().map(Cid::parse).toList();
        boolean present = head.events().stream().allMatch(has) && cids.stream().allMatch(has);
        return present && !cids.isEmpty() ? Optional.of(cids.get(0)) : Optional.empty();
    }

    @Override
    public void note(Head head, Cid root, Collection<Cid> made, Epoch begun) {
        if (begun.isUnderWay() || made.size() > MOST_BLOCKS) {
            return;
        }
        StringBuilder text = new StringBuilder(beginning(head, begun));
        text.append(root).append('\n');
        made.forEach(cid -> text.append(cid).append('\n'));
        String sum = sum(text.toString().getBytes(StandardCharsets.US_ASCII));
        byte[] bytes = text.append(sum).toString().getBytes(StandardCharsets.US_ASCII);
        if (bytes.length > MAX_SIZE) {
            return;
        }
        Path file = file(head);
        try {
            SmallFiles.replaceUnsynced(folder.disk(), file, bytes);
        } catch (IOException | PailException e) {
            Trace.swallowed("cannot keep the root of a merged head, which the next reader computes again: " + file, e);
        }
    }

    private static String beginning(Head head, Epoch collected) {
        StringBuilder text = new StringBuilder(RULES).append(collected.number()).append('\n');
        head.events().forEach(event -> text.append(event).append('\n'));
        return text.append('\n').toString();
    }

    private static String sum(byte[] bytes) {
        return Block.of(Cid.RAW, bytes).cid() + "\n";
    }

    /** One of 256 files: so that there are never more. */
    private Path file(Head head) {
        byte[] digest = Block.of(Cid.RAW, HeadFiles.bytes(head)).cid().digest();
        return folder.resolve(FOLDER).resolve(HexFormat.of().toHexDigits(digest[0]));
    }
}
