package dev.pail.repository;

class MemoryRefsTest extends RefStoreContractTest {
    @Override
    RefStore newRefs() {
        return new MemoryRefs();
    }
}
