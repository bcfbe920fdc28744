package dev.pail.repository.files;

class BlocksInSegmentsTest extends BlocksInFilesTest {
    @Override
    BlockStorage storage() {
        return BlockStorage.SEGMENTS;
    }

    /** What is condemned in a segment is readable where it is (G16). */
    @Override
    protected boolean readingBringsBack() {
        return false;
    }
}
