package dev.pail.repository;

import dev.pail.ShardFormat;
import dev.pail.sweep.SweptBlocks;

/** What a collection and an erasure work on. */
record CollectionPlace(RefStore refs, SweptBlocks blocks, ShardFormat format, Erasures erasures) {}
