package dev.pail.repository.collect;

import dev.pail.ShardFormat;
import dev.pail.repository.spi.Erasures;
import dev.pail.repository.spi.RefStore;
import dev.pail.sweep.SweptBlocks;

/** What a collection and an erasure work on. */
public record CollectionPlace(RefStore refs, SweptBlocks blocks, ShardFormat format, Erasures erasures) {}
