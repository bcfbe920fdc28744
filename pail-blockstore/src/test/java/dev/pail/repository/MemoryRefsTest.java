package dev.pail.repository;

import dev.pail.testkit.repository.RefStoreContract;

class MemoryRefsTest extends RefStoreContract {
    @Override
    protected RefStore newRefs() {
        return new MemoryRefs();
    }
}
