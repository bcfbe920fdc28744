package dev.pail.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.pail.repository.spi.RepositoryLocator;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class S3LocatorTest {
    @Test
    void aUrlNamesABucketAndAPrefix_OS10() {
        S3Locator.Place place = S3Locator.place("s3://my-bucket/some/notes?region=eu-west-1");
        assertThat(place.bucket()).isEqualTo("my-bucket");
        assertThat(place.prefix()).isEqualTo("some/notes");
        assertThat(place.region()).isEqualTo("eu-west-1");
        assertThat(place.endpoint()).isNull();
        assertThat(place.isPathStyle()).isFalse();

        S3Locator.Place other = S3Locator.place("s3://b?endpoint=http%3A%2F%2F127.0.0.1:7480");
        assertThat(other.prefix()).isEmpty();
        assertThat(other.endpoint()).hasToString("http://127.0.0.1:7480");
        assertThat(other.isPathStyle()).isTrue();
        assertThat(S3Locator.place("s3://b/?endpoint=http://h:1&path-style=false")
                        .isPathStyle())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://",
                "s3:///x",
                "s3://key:secret@b/x",
                "s3://b/x#y",
                "s3://b/x?secret=secret",
                "s3://b/x?path-style=secret",
                "s3://b/x?endpoint=file:///secret",
                "s3://b/x?region",
                "s3://b/x?region=a&region=b",
                "s3://b/secret x"
            })
    void otherUrlsAreRefusedWithoutSecrets_OS10(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> S3Locator.place(url))
                .satisfies(e -> assertThat(String.valueOf(e.getMessage()))
                        .doesNotContain("secret@")
                        .doesNotContain("file:///secret"));
    }

    @Test
    void itIsFoundByItsScheme() {
        assertThat(ServiceLoader.load(RepositoryLocator.class))
                .anySatisfy(each -> assertThat(each.accepts("s3://b/x")).isTrue());
        assertThat(new S3Locator().accepts("postgresql://x")).isFalse();
    }
}
