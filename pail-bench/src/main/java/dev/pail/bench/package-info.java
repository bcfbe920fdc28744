/**
 * Measurements of the pail: {@link dev.pail.bench.Compare} beside other stores, each run in a process of its own, and
 * {@link dev.pail.bench.PailBenchmark} alone. Only the public interface of the project is used.
 */
@NullMarked
package dev.pail.bench;

import org.jspecify.annotations.NullMarked;
