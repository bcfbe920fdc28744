package dev.pail.repository.files;

import dev.pail.ErasedBlockException;
import dev.pail.ipld.Block;
import dev.pail.ipld.Cid;
import dev.pail.repository.model.Erasure;
import dev.pail.repository.spi.Erasures;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The erasures of a repository in a folder: the records in a file, and the removal of bytes from files and segments. */
final class FileErasures implements Erasures {
    private final RepositoryFolder folder;
    private final FileBlocks blocks;
    private final ErasureFile file;

    FileErasures(RepositoryFolder folder, FileBlocks blocks) {
        this.folder = folder;
        this.blocks = blocks;
        this.file = new ErasureFile(folder);
    }

    @Override
    public boolean isErased(Cid cid) {
        return file.isMarked(cid);
    }

    /** Removes the blocks with a mark from a set. Looks at the file once. */
    void removeMarked(Set<Cid> cids) {
        Set<Cid> marked = file.marks().keySet();
        if (!marked.isEmpty()) {
            cids.removeIf(cid -> marked.contains(cid.raw()));
        }
    }

    @Override
    public List<Erasure> all() {
        blocks.checkOpen();
        return List.copyOf(file.records());
    }

    @Override
    public void check() {}

    @Override
    public void add(Collection<Erasure> records) {
        file.add(records);
    }

    @Override
    public void remove() {
        Collection<Cid> marked = file.marks().keySet();
        if (marked.isEmpty()) {
            return;
        }
        folder.writing(() -> {
            blocks.files().erase(marked);
            if (blocks.hasSegments()) {
                blocks.segments().erase(marked);
            }
        });
        file.removed();
    }

    @Override
    public boolean isStored(Cid cid) {
        return blocks.isStored(cid);
    }

    @Override
    public List<Cid> left() {
        blocks.checkOpen();
        List<Cid> left = new ArrayList<>();
        file.marks().forEach((cid, state) -> {
            if (state == Erasure.State.MARKED || blocks.isStored(cid)) {
                left.add(cid);
            }
        });
        return left;
    }

    /**
     * Refuses blocks that were erased. Rule ER5.
     *
     * @throws dev.pail.repository.model.RepositoryException if the records are damaged, so that the answer is unknown
     */
    void refuse(Collection<Block> given) {
        if (file.isEmpty()) {
            return;
        }
        file.checkSound();
        given.forEach(block -> {
            if (isErased(block.cid())) {
                throw ErasedBlockException.ofPut(block.cid());
            }
        });
    }

    /** Removes and refuses blocks that another process has erased while they were written. In segments, a later removal finds them. */
    void refuseWritten(Collection<Block> given) {
        if (file.isEmpty()) {
            return;
        }
        List<Cid> erased = given.stream().map(Block::cid).filter(this::isErased).toList();
        if (!erased.isEmpty()) {
            folder.writing(() -> blocks.files().erase(erased));
            throw ErasedBlockException.ofPut(erased.get(0));
        }
    }
}
