package dev.pail.jdbc;

import dev.pail.ShardFormat;
import dev.pail.repository.spi.RefStore;
import dev.pail.testkit.repository.RefStoreContract;

class PostgresRefsTest extends RefStoreContract {
    @Override
    protected RefStore newRefs() {
        TestServer server = TestServer.get();
        return TestServer.storage(server.source(server.newDatabase()), PostgresStorage.PATIENCE)
                .init("r", ShardFormat.v1())
                .refs();
    }
}
