package dev.pail.repository;

import dev.pail.ShardFormat;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileRefsTest extends RefStoreContractTest {
    @TempDir
    Path folder;

    @Override
    RefStore newRefs() {
        Path path = folder.resolve("r");
        Repository.init(path, ShardFormat.v1()).close();
        return Repository.open(path).refs();
    }
}
