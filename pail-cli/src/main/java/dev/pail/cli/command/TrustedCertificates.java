package dev.pail.cli.command;

import dev.pail.cli.terminal.Exit;
import dev.pail.cli.terminal.Failure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** The authorities whose certificates the command trusts: those of a file alone, or those of Java and then those of the system. */
final class TrustedCertificates {
    /** Where systems keep the certificates of their authorities. */
    private static final List<Path> SYSTEM = Stream.of(
                    "/etc/ssl/certs/ca-certificates.crt",
                    "/etc/pki/tls/certs/ca-bundle.crt",
                    "/etc/ssl/ca-bundle.pem",
                    "/etc/ssl/cert.pem")
            .map(Path::of)
            .toList();

    private TrustedCertificates() {}

    /** Trusts the authorities of a file, and no others. */
    static SSLSocketFactory ofFile(Path file, String given) {
        try {
            return factory(trustManager(store(file)));
        } catch (IOException | GeneralSecurityException e) {
            throw new Failure.Found(
                    Exit.FAILED,
                    "io",
                    "cannot read certificates of authorities: " + file + ": " + reason(e),
                    given + " names a file of certificates in PEM, which begin with -----BEGIN CERTIFICATE-----");
        }
    }

    private static String reason(Exception error) {
        return error instanceof IOException io ? dev.pail.StoreIOException.reason(io) : Failure.message(error);
    }

    /** Trusts the authorities of Java, and those of the system. */
    static SSLSocketFactory ofSystem() {
        try {
            return factory(new Either(trustManager(null)));
        } catch (GeneralSecurityException e) {
            throw new Failure.Found(Exit.FAILED, "io", "Java has no certificates: " + Failure.message(e), null);
        }
    }

    private static SSLSocketFactory factory(X509TrustManager manager) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {manager}, null);
        return context.getSocketFactory();
    }

    private static KeyStore store(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> all =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (all.isEmpty()) {
                throw new CertificateException("it has no certificate");
            }
            int number = 0;
            for (Certificate each : all) {
                store.setCertificateEntry("authority" + number++, each);
            }
        }
        return store;
    }

    private static X509TrustManager trustManager(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        for (TrustManager each : managers.getTrustManagers()) {
            if (each instanceof X509TrustManager manager) {
                return manager;
            }
        }
        throw new GeneralSecurityException("no X.509 in " + managers.getAlgorithm());
    }

    /** Asks Java, and the system only if Java does not know the authority: its file is long. The JDK checks the name of the host. */
    private static final class Either implements X509TrustManager {
        private final X509TrustManager java;

        Either(X509TrustManager java) {
            this.java = java;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            try {
                java.checkServerTrusted(chain, type);
            } catch (CertificateException e) {
                if (!isTrustedBySystem(chain, type)) {
                    throw e;
                }
            }
        }

        private static boolean isTrustedBySystem(X509Certificate[] chain, String type) {
            for (Path file : SYSTEM) {
                if (Files.isReadable(file)) {
                    try {
                        trustManager(store(file)).checkServerTrusted(chain, type);
                        return true;
                    } catch (IOException | GeneralSecurityException e) {
                        // The reason of Java counts.
                        return false;
                    }
                }
            }
            return false;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("no client connects to a client");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return java.getAcceptedIssuers();
        }
    }
}
