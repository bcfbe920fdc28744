package dev.pail.s3;

import dev.pail.ShardFormat;
import dev.pail.repository.spi.RefStore;
import dev.pail.testkit.repository.RefStoreContract;

/** The contract of ref stores, on a server where there is one. */
class S3RefsTest extends RefStoreContract {
    @Override
    protected RefStore newRefs() {
        return TestBucket.newest().init(ShardFormat.v1()).refs();
    }
}
