package dev.pail.toy;

import dev.pail.repository.RefStore;
import dev.pail.testkit.HandClock;
import dev.pail.testkit.repository.RefStoreContract;

class ToyRefsTest extends RefStoreContract {
    @Override
    protected RefStore newRefs() {
        return ToyRecords.refs(new HandClock());
    }
}
