/**
 * CAR files (content addressable archives): blocks one behind the other in one file or stream, with the CIDs of the roots
 * before them. The rules are CAR1 to CAR12 of {@code spec/car.md}.
 *
 * <p>{@link dev.pail.car.CarReader} and {@link dev.pail.car.CarWriter} are the format, {@link dev.pail.car.CarExport} and
 * {@link dev.pail.car.CarImport} carry versions from one block store to another, and {@link dev.pail.car.CarBlockStore}
 * reads blocks where they are. What always holds:
 *
 * <ol>
 *   <li>No bytes are handed out as a block unless they match its CID.
 *   <li>Nothing that a file declares decides how much memory is taken.
 *   <li>The same blocks and roots make the same file.
 * </ol>
 *
 * <p>Readers and writers are for one thread at a time, block stores for several.
 */
@NullMarked
package dev.pail.car;

import org.jspecify.annotations.NullMarked;
