/** Hash functions that the JDK lacks. */
module dev.pail.hashes {
    requires dev.pail.core;
    requires static org.jspecify;
    requires org.bouncycastle.provider;

    provides dev.pail.ipld.HashFunctions with
            dev.pail.hashes.BouncyCastleHashes;
}
