package dev.pail.repository;

import dev.pail.ShardFormat;
import dev.pail.repository.files.FileRepository;
import dev.pail.repository.spi.RefStore;
import dev.pail.testkit.repository.RefStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileRefsTest extends RefStoreContract {
    @TempDir
    Path folder;

    @Override
    protected RefStore newRefs() {
        Path path = folder.resolve("r");
        FileRepository.init(path, ShardFormat.v1()).close();
        return FileRepository.open(path).refs();
    }
}
