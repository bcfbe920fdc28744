package dev.pail.jdbc;

import dev.pail.ShardFormat;
import dev.pail.repository.RefStore;
import dev.pail.testkit.repository.RefStoreContract;

class PostgresRefsTest extends RefStoreContract {
    @Override
    protected RefStore newRefs() {
        TestServer server = TestServer.get();
        return PostgresStorage.keeping(server.source(server.newDatabase()), "a test", PostgresStorage.PATIENCE)
                .init("r", ShardFormat.v1())
                .refs();
    }
}
