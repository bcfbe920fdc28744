package dev.pail.server.access;

import dev.pail.StoreIOException;
import dev.pail.repository.model.RepositoryException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * The certificate of a server and its private key, as files of PEM: the chain, beginning with the certificate of the server, and a key
 * of RSA or of an elliptic curve in PKCS#8. Immutable. Rule GW18.
 *
 * @param certificates the file with the chain
 * @param key the file with the private key
 */
public record TlsFiles(Path certificates, Path key) {
    private static final Pattern PRIVATE =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    /** Guards a store that no one but this process sees. */
    private static final String PASSWORD = "in memory";

    private static final byte[] PROBE = "probe".getBytes(StandardCharsets.US_ASCII);

    /**
     * What Jetty needs to speak TLS 1.2 and 1.3.
     *
     * @throws RepositoryException if a file cannot be used, or the key is none of the certificate
     * @throws StoreIOException if a file cannot be read
     */
    public SslContextFactory.Server context() {
        SslContextFactory.Server context = new SslContextFactory.Server();
        context.setKeyStore(keys());
        context.setKeyStorePassword(PASSWORD);
        context.setIncludeProtocols("TLSv1.3", "TLSv1.2");
        return context;
    }

    private KeyStore keys() {
        Certificate[] chain = chain();
        try {
            PrivateKey secret = secret(chain[0].getPublicKey());
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry("server", secret, PASSWORD.toCharArray(), chain);
            return keys;
        } catch (GeneralSecurityException | IOException e) {
            throw refused(key, "not the private key of the certificate in " + certificates);
        }
    }

    private Certificate[] chain() {
        try {
            byte[] pem = SecretFile.readPublic(certificates);
            Certificate[] chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem))
                    .toArray(Certificate[]::new);
            if (chain.length > 0) {
                return chain;
            }
        } catch (CertificateException e) {
            throw refused(certificates, "not certificates in PEM");
        }
        throw refused(certificates, "not certificates in PEM");
    }

    private PrivateKey secret(PublicKey owner) throws GeneralSecurityException {
        Matcher pem = PRIVATE.matcher(new String(new SecretFile(key).read(), StandardCharsets.ISO_8859_1));
        if (!pem.find()) {
            throw refused(key, "not a private key in PEM and PKCS#8, without a password");
        }
        byte[] bytes;
        try {
            bytes = Base64.getMimeDecoder().decode(pem.group(1));
        } catch (IllegalArgumentException e) {
            throw refused(key, "not a private key in PEM");
        }
        PrivateKey secret =
                KeyFactory.getInstance(owner.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(bytes));
        checkPair(secret, owner);
        return secret;
    }

    /** Else the first handshake would fail. */
    private void checkPair(PrivateKey secret, PublicKey owner) throws GeneralSecurityException {
        Signature signature =
                Signature.getInstance(owner.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
        signature.initSign(secret);
        signature.update(PROBE);
        byte[] signed = signature.sign();
        signature.initVerify(owner);
        signature.update(PROBE);
        if (!signature.verify(signed)) {
            throw refused(key, "not the private key of the certificate in " + certificates);
        }
    }

    private static RepositoryException refused(Path file, String why) {
        return SecretFile.refused(
                file,
                why,
                "a key is made so with: openssl pkcs8 -topk8 -nocrypt -in KEY -out KEY.pem; a chain begins with the certificate of the server");
    }
}
