package dev.pail.examples;

import dev.pail.repository.spi.RefStore;
import dev.pail.testkit.HandClock;
import dev.pail.testkit.repository.RefStoreContract;

class OwnStoreTest extends RefStoreContract {
    @Override
    protected RefStore newRefs() {
        return OwnStore.refs(new HandClock());
    }
}
