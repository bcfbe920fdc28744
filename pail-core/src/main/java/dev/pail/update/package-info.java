/** What an update of a branch knows of the versions that its function makes. Exported to modules of this project only. */
@NullMarked
package dev.pail.update;

import org.jspecify.annotations.NullMarked;
