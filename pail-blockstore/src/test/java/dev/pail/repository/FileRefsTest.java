package dev.pail.repository;

import dev.pail.ShardFormat;
import dev.pail.testkit.repository.RefStoreContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class FileRefsTest extends RefStoreContract {
    @TempDir
    Path folder;

    @Override
    protected RefStore newRefs() {
        Path path = folder.resolve("r");
        Repository.init(path, ShardFormat.v1()).close();
        return Repository.open(path).refs();
    }
}
