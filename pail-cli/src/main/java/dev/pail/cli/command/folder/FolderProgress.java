package dev.pail.cli.command.folder;

import dev.pail.PailException;
import dev.pail.cli.command.Call;
import dev.pail.cli.terminal.Failure;
import dev.pail.cli.terminal.Progress;
import dev.pail.folder.FolderListener;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** Shows how far a put or a restore of a folder is, and what is not written. */
public final class FolderProgress implements FolderListener, AutoCloseable {
    private final Call call;
    private final AtomicLong bytesRead = new AtomicLong();
    private Progress progress;
    private long files;
    private long left;

    public FolderProgress(Call call) {
        this.call = call;
        this.progress = call.progress("looking for files");
    }

    @Override
    public void begun(long files, long bytes) {
        this.files = files;
        left = files;
        progress.close();
        progress = bytes < 0 ? call.progress("files") : call.progress("files", bytesRead::get, bytes);
    }

    @Override
    public void read(long bytes) {
        bytesRead.addAndGet(bytes);
    }

    @Override
    public void done() {
        progress.step();
        left--;
    }

    /** How many files are done, of those that are known. */
    public String counts() {
        return String.format(Locale.ROOT, "%,d of %,d %s", files - left, files, files == 1 ? "file" : "files");
    }

    @Override
    public void damaged(String name, PailException why) {
        tell("damaged", name, Failure.message(why));
    }

    @Override
    public void erased(String name, PailException why) {
        tell("erased", name, Failure.message(why));
    }

    @Override
    public void leftOut(String name, String why) {
        tell("left out", name, why);
    }

    private void tell(String what, String name, String why) {
        progress.hide();
        call.terminal().tell(what, name, why);
    }

    @Override
    public void close() {
        progress.close();
    }
}
