/** Hash functions that the JDK lacks, by which other programs name blocks. {@link java.util.ServiceLoader} finds them. */
@NullMarked
package dev.pail.hashes;

import org.jspecify.annotations.NullMarked;
