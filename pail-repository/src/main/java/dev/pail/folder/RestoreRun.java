package dev.pail.folder;

import dev.pail.BlockException;
import dev.pail.ErasedBlockException;
import dev.pail.Escapes;
import dev.pail.MissingBlockException;
import dev.pail.OperationInterruptedException;
import dev.pail.ipld.Cid;
import dev.pail.ipld.UnsupportedHashException;
import dev.pail.unixfs.UnixFsNode;
import dev.pail.values.ValueBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Writes what a restore has planned. */
final class RestoreRun {
    private final RestorePlan plan;
    private final TargetFolder target;
    private final FolderListener listener;
    private long written;
    private long damaged;
    private long erased;
    private long leftOut;

    RestoreRun(RestorePlan plan, TargetFolder target) {
        this.plan = plan;
        this.target = target;
        this.listener = plan.options().listener();
    }

    void write() {
        if (!plan.options().dryRun()) {
            target.clear();
        }
        listener.begun(plan.names().size(), -1);
        plan.unreadable().forEach((name, e) -> {
            damaged++;
            listener.damaged(name, e);
        });
        makeFolders();
        plan.names().forEach((name, value) -> {
            OperationInterruptedException.check("a restore of files");
            try {
                writeOne(name, value);
            } catch (ErasedBlockException e) {
                erased++;
                listener.erased(name, e);
            } catch (BlockException | UnsupportedHashException e) {
                damaged++;
                listener.damaged(name, e);
            }
            listener.done();
        });
        plan.links().forEach(this::link);
        describeFolders();
    }

    /** How many files and links were written. */
    long written() {
        return written;
    }

    /** How many values, and entries of folders below them, cannot be read. */
    long damaged() {
        return damaged;
    }

    /** How many values were erased on purpose. */
    long erased() {
        return erased;
    }

    /** How many links may lead out of the folder. */
    long leftOut() {
        return leftOut;
    }

    private void makeFolders() {
        for (String name :
                plan.options().dryRun() ? Set.<String>of() : plan.folders().keySet()) {
            try {
                target.makeFolder(name);
            } catch (IOException e) {
                throw FolderException.write(target.path(name), e);
            }
        }
    }

    /** The innermost first: what is written into a folder changes its time, and its permissions may forbid that. */
    private void describeFolders() {
        List<String> inner = new ArrayList<>(
                plan.options().dryRun() ? Set.of() : plan.folders().keySet());
        Collections.reverse(inner);
        for (String name : inner) {
            UnixFsNode node = Objects.requireNonNull(plan.folders().get(name));
            try {
                target.describe(name, node.mode(), node.mtime());
            } catch (IOException e) {
                throw FolderException.write(target.path(name), e);
            }
        }
    }

    /** Links are made when all files are there, so nothing is written by way of one. */
    private void link(String name, String text) {
        try {
            if (!TargetFolder.leadsInside(name, text)) {
                leftOut++;
                listener.leftOut(name, "the link may lead out of the folder: " + Escapes.brief(text));
            } else if (target.found(name) == TargetFolder.Found.LINK && target.hasTarget(name, text)) {
                plan.same().add(name);
            } else {
                if (!plan.options().dryRun()) {
                    target.link(name, text);
                }
                written++;
            }
        } catch (IOException e) {
            throw FolderException.write(target.path(name), e);
        }
    }

    private void writeOne(String name, Cid value) {
        try {
            if (plan.same().contains(name)) {
                return;
            }
            if (target.found(name) == TargetFolder.Found.FILE) {
                try (ValueBytes bytes = open(value)) {
                    if (plan.hasBytes(name, bytes)) {
                        return;
                    }
                }
            }
            try (ValueBytes bytes = open(value)) {
                if (!plan.options().dryRun()) {
                    target.write(name, bytes);
                }
                written++;
            }
        } catch (IOException e) {
            throw FolderException.write(target.path(name), e);
        }
    }

    private ValueBytes open(Cid value) {
        return ValueBytes.open(plan.blocks(), value)
                .orElseThrow(() -> plan.blocks().isErased(value)
                        ? new ErasedBlockException(value)
                        : new MissingBlockException(value));
    }
}
