/** Builds, differences and checks of large pails by Apache Spark, on many machines. */
@NullMarked
package dev.pail.spark;

import org.jspecify.annotations.NullMarked;
