/**
 * Measurements: {@link dev.pail.bench.Compare} of the pail and {@link dev.pail.bench.TablesCompare} of tables beside others, each run
 * in a process of its own, and {@link dev.pail.bench.PailBenchmark} of the pail alone. Only the public interface of the project is
 * used.
 */
@NullMarked
package dev.pail.bench;

import org.jspecify.annotations.NullMarked;
