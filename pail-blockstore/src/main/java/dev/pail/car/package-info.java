/**
 * CAR files (content addressable archives): the CIDs of the roots and then blocks, in one file or stream. The rules are CAR1 to CAR12
 * of {@code spec/car.md}.
 *
 * <p>{@link dev.pail.car.CarReader} and {@link dev.pail.car.CarWriter} are the format, {@link dev.pail.car.CarExport} and
 * {@link dev.pail.car.CarImport} carry versions from one block store to another, and {@link dev.pail.car.CarBlockStore}
 * reads blocks where they are. What always holds:
 *
 * <ol>
 *   <li>A reader returns no bytes as a block unless they match its CID.
 *   <li>No length that a file declares decides how much memory a reader takes.
 *   <li>The same blocks and roots make the same file.
 * </ol>
 *
 * <p>Readers and writers are for one thread at a time, block stores for several.
 */
@NullMarked
package dev.pail.car;

import org.jspecify.annotations.NullMarked;
