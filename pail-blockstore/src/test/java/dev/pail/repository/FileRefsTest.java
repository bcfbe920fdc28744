package dev.pail.repository;

import dev.pail.ShardFormat;
import dev.pail.disk.Disk;
import dev.pail.lock.WriterLock;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;

class FileRefsTest extends RefStoreContractTest {
    @TempDir
    Path folder;

    @Override
    RefStore newRefs() {
        Path path = folder.resolve("r");
        Repository.init(path, ShardFormat.v1()).close();
        Disk disk = Disk.system();
        return new FileRefs(new RepositoryFolder(disk, path), new WriterLock(disk, path, Duration.ofSeconds(10)));
    }
}
