/** The trustless gateway of IPFS: blocks and CARs by their CID. */
@NullMarked
package dev.pail.server.gateway;

import org.jspecify.annotations.NullMarked;
