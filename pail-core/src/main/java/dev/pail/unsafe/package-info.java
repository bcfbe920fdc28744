/** What is fast because it does not check. Exported to modules of this project only. */
@NullMarked
package dev.pail.unsafe;

import org.jspecify.annotations.NullMarked;
